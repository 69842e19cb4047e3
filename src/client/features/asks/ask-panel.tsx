import { useEffect, useId, useRef } from "react";
import type { Ask } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { ScrollBox } from "../../shared/ui/scroll-box.tsx";
import { AlwaysWords, AnswerButtons } from "./answer-buttons.tsx";
import { Detail, Letters, Words } from "./detail.tsx";
import { noteShown } from "./guard.ts";
import { reviewed, useInSight } from "./in-sight.ts";
import { Questions, SendAnswers } from "./questions.tsx";
import { title } from "./title.ts";

interface AskPanelProps {
  task: Task;
  ask: Ask;
  /** Nothing else needs the space. */
  isAlone?: boolean;
}

/** The whole request, and every way to answer it. */
export function AskPanel({ task, ask, isAlone = false }: AskPanelProps) {
  useEffect(() => noteShown(ask.id), [ask.id]);
  const { end, isWhole } = useInSight("panel", ask.id);
  const form = useId();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (reviewed.get() !== ask.id) return;
    reviewed.set(null);
    box.current?.focus({ preventScroll: true });
  }, [ask.id]);
  const isForm = ask.questions !== null && ask.canAnswer;
  return (
    <section
      aria-label="What the agent is asking"
      data-ask={ask.id}
      className={`mx-5 mb-3 flex min-h-0 flex-col gap-2.5 rounded-ui border border-needs/40 bg-card p-3 ${isAlone ? "" : "shrink-0"}`}
    >
      <ScrollBox
        ref={box}
        label={isForm ? "What is asked" : "Full request"}
        className={`fade-below flex flex-col gap-2.5 ${isAlone ? "min-h-0" : "max-h-[min(44dvh,28rem)]"}`}
      >
        {isForm ? <Questions task={task} ask={ask} id={form} /> : <Request ask={ask} />}
        <span ref={end} className="-mt-2.5 h-px shrink-0" />
      </ScrollBox>
      <AnswerButtons task={task} ask={ask} place="panel" isWhole={isWhole}>
        {isForm && <SendAnswers task={task} ask={ask} form={form} />}
      </AnswerButtons>
    </section>
  );
}

function Request({ ask }: { ask: Ask }) {
  const { tool, text, detail } = title(ask);
  return (
    <>
      <h3 className="text-sm">
        <Words className="font-semibold">{tool}</Words> <Letters>{text}</Letters>
      </h3>
      {detail !== "" && (
        <div className="rounded-md border border-line bg-ground p-2">
          <Detail text={detail} />
        </div>
      )}
      {ask.always !== null && <AlwaysWords ask={ask} place="panel" />}
    </>
  );
}
