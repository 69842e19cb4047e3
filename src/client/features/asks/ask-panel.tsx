import { useEffect } from "react";
import type { Ask } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { ScrollBox } from "../../shared/ui/scroll-box.tsx";
import { AnswerButtons } from "./answer-buttons.tsx";
import { Detail, Letters } from "./detail.tsx";
import { noteShown } from "./guard.ts";
import { Questions } from "./questions.tsx";
import { title } from "./title.ts";

/** All that is asked, and every way to answer it. */
export function AskPanel({ task, ask }: { task: Task; ask: Ask }) {
  useEffect(() => noteShown(ask.id), [ask.id]);
  return (
    <section
      aria-label="What the agent is asking"
      data-ask={ask.id}
      className="mx-5 mb-3 flex min-h-0 shrink-0 flex-col gap-2.5 rounded-ui border border-needs/40 bg-card p-3"
    >
      {ask.questions !== null && ask.canAnswer ? (
        <ScrollBox label="What is asked" className="max-h-[min(44dvh,28rem)]">
          <Questions task={task} ask={ask} />
        </ScrollBox>
      ) : (
        <Request ask={ask} />
      )}
      <AnswerButtons task={task} ask={ask} place="panel" />
    </section>
  );
}

function Request({ ask }: { ask: Ask }) {
  const { tool, text, detail } = title(ask);
  return (
    <>
      <h3 className="text-sm break-words">
        <span className="font-semibold">{tool}</span> <Letters>{text}</Letters>
      </h3>
      {detail !== "" && (
        <ScrollBox
          label="Full request"
          className="max-h-[min(30dvh,20rem)] rounded-md border border-line bg-ground p-2"
        >
          <Detail text={detail} className="break-words whitespace-pre-wrap" />
        </ScrollBox>
      )}
    </>
  );
}
