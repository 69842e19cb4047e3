import { useEffect } from "react";
import type { Ask } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { openTask } from "../../shared/stores/view.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { Button } from "../../shared/ui/button.tsx";
import { Controls } from "../../shared/ui/controls.tsx";
import { giveAnswer, TOO_SOON } from "./answer.ts";
import { AnswerButtons } from "./answer-buttons.tsx";
import { Detail, firstLines, isDiff, Letters } from "./detail.tsx";
import { isSettled, noteShown } from "./guard.ts";
import { title } from "./title.ts";

const MOST_LINES = 4;

interface AskCardProps {
  task: Task;
  ask: Ask;
  isTabStop: boolean;
}

/** What is asked, as far as a card has room for it, and the buttons that answer it. */
export function AskCard({ task, ask, isTabStop }: AskCardProps) {
  useEffect(() => noteShown(ask.id), [ask.id]);
  const { tool, text, detail } = title(ask);
  const first = firstLines(detail, MOST_LINES);
  if (ask.questions !== null && ask.canAnswer) {
    return <QuestionCard task={task} ask={ask} isTabStop={isTabStop} />;
  }
  return (
    <div data-ask={ask.id} className="mt-2 flex flex-col gap-2">
      <p title={ask.summary} className="line-clamp-2 text-sm break-words">
        <span className="font-semibold">{tool}</span> <Letters>{text}</Letters>
      </p>
      {detail !== "" && (
        <div className="rounded-md border border-line bg-ground px-2 py-1.5">
          <Detail
            text={first.text}
            isColored={isDiff(detail)}
            className="[&>span]:overflow-hidden [&>span]:text-ellipsis"
          />
          {first.more > 0 && (
            <p className="mt-1 text-xs text-muted">
              {first.more} more {first.more === 1 ? "line" : "lines"}
            </p>
          )}
        </div>
      )}
      <Controls>
        <AnswerButtons task={task} ask={ask} place="card" isTabStop={isTabStop} />
      </Controls>
    </div>
  );
}

/** One question with a few options can be answered here; more of them want the panel. */
function QuestionCard({ task, ask, isTabStop }: AskCardProps) {
  const questions = ask.questions ?? [];
  const [first] = questions;
  const isSimple = questions.length === 1 && first?.multiple === false;
  const stop = isTabStop ? 0 : -1;
  return (
    <div data-ask={ask.id} className="mt-2 flex flex-col gap-2">
      <p title={first?.question} className="line-clamp-3 text-sm break-words">
        {first?.question}
        {questions.length > 1 && <span className="text-faint"> and {questions.length - 1} more</span>}
      </p>
      <Controls className="flex flex-wrap gap-2">
        {isSimple ? (
          first?.options.map(({ label, description }) => (
            <Button
              key={label}
              tabIndex={stop}
              className="max-w-full"
              title={description ?? label}
              onClick={() => {
                if (!isSettled()) return announce(TOO_SOON);
                giveAnswer(task, ask, "allow", { answers: { [first.question]: label } });
              }}
            >
              <span className="truncate">{label}</span>
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
