import { useEffect } from "react";
import type { Ask } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { openTask } from "../../shared/stores/view.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { Button } from "../../shared/ui/button.tsx";
import { Controls } from "../../shared/ui/controls.tsx";
import { visibleText } from "../../shared/visible-text.ts";
import { giveAnswer, TOO_SOON } from "./answer.ts";
import { AlwaysWords, AnswerButtons } from "./answer-buttons.tsx";
import { Detail, firstLines, isDiff, Letters, Words } from "./detail.tsx";
import { isSettled, noteShown } from "./guard.ts";
import { useInSight } from "./in-sight.ts";
import { title } from "./title.ts";

const MOST_LINES = 4;
/** A longer question, options included, is answered in the panel. */
const MOST_LETTERS = 300;

interface AskCardProps {
  task: Task;
  ask: Ask;
  isTabStop: boolean;
}

/** As much of the request as fits on a card, and buttons to answer it. */
export function AskCard({ task, ask, isTabStop }: AskCardProps) {
  useEffect(() => noteShown(ask.id), [ask.id]);
  const { end, isWhole } = useInSight("card", ask.id);
  if (ask.questions !== null && ask.canAnswer) {
    return <QuestionCard task={task} ask={ask} isTabStop={isTabStop} />;
  }
  const { tool, text, detail } = title(ask);
  const { text: first, more } = firstLines(detail, MOST_LINES, text);
  return (
    <div data-ask={ask.id} className="mt-2 flex flex-col gap-2">
      <div className="flex max-h-56 flex-col gap-2 overflow-hidden">
        <p className="text-sm">
          <Words className="font-semibold">{tool}</Words> <Letters>{text}</Letters>
        </p>
        {detail !== "" && (
          <div className="rounded-md border border-line bg-ground px-2 py-1.5">
            <Detail text={first} isColored={isDiff(detail)} />
            {more > 0 && (
              <p className="mt-1 text-xs text-muted">
                {more} more {more === 1 ? "line" : "lines"}
              </p>
            )}
          </div>
        )}
        {ask.always !== null && more === 0 && <AlwaysWords ask={ask} place="card" />}
        <span ref={end} className={more > 0 ? "hidden" : "-mt-2 h-px shrink-0"} />
      </div>
      {isWhole === false && more === 0 && <p className="text-xs text-muted">This is cut off.</p>}
      <Controls>
        <AnswerButtons task={task} ask={ask} place="card" isTabStop={isTabStop} isWhole={isWhole} />
      </Controls>
    </div>
  );
}

/** A single short question can be answered here. Anything longer needs the panel. */
function QuestionCard({ task, ask, isTabStop }: AskCardProps) {
  const questions = ask.questions ?? [];
  const [first] = questions;
  const letters = [first?.question ?? "", ...(first?.options ?? []).map(({ label }) => label)].join("");
  const isSimple = questions.length === 1 && first?.multiple === false && letters.length <= MOST_LETTERS;
  const stop = isTabStop ? 0 : -1;
  return (
    <div data-ask={ask.id} className="mt-2 flex flex-col gap-2">
      <p className={`text-sm ${isSimple ? "" : "line-clamp-3"}`}>
        <Words>{first?.question ?? ""}</Words>
        {questions.length > 1 && (
          <span className="whitespace-nowrap text-faint"> and {questions.length - 1} more</span>
        )}
      </p>
      <Controls className="flex flex-wrap gap-2">
        {isSimple ? (
          first?.options.map(({ label, description }) => (
            <Button
              key={label}
              tabIndex={stop}
              className="h-auto! min-h-7 max-w-full whitespace-normal!"
              {...(description && { title: visibleText(description) })}
              onClick={() => {
                if (!isSettled()) return announce(TOO_SOON);
                giveAnswer(task, ask, "allow", { answers: { [first.question]: label } });
              }}
            >
              <Words>{label}</Words>
            </Button>
          ))
        ) : (
          <Button look="primary" tabIndex={stop} onClick={() => openTask(task.id)}>
            Answer…
          </Button>
        )}
        <AnswerButtons task={task} ask={ask} place="card" isTabStop={isTabStop} />
      </Controls>
    </div>
  );
}
