import type { ReactNode } from "react";
import type { Ask } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { focusTask } from "../../shared/stores/focus.ts";
import { useStore } from "../../shared/stores/store.ts";
import { openTask, view } from "../../shared/stores/view.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { Button } from "../../shared/ui/button.tsx";
import { KeyHint } from "../../shared/ui/key-hint.tsx";
import { giveAnswer, startDenial, TOO_SOON } from "./answer.ts";
import { denial } from "./denial.ts";
import { DenyField } from "./deny-field.tsx";
import { Letters } from "./detail.tsx";
import { isSettled } from "./guard.ts";
import { type Place, review } from "./in-sight.ts";

interface AnswerButtonsProps {
  task: Task;
  ask: Ask;
  place: Place;
  /** Whether its buttons are tab stops. */
  isTabStop?: boolean;
  /** Whether all of the request is visible; one that is cut off can't be allowed here. Null while that is unknown. */
  isWhole?: boolean | null;
  /** For a question, the button that comes first. */
  children?: ReactNode;
}

/** Allow, always allow if the agent offers it, and deny with a reason. */
export function AnswerButtons({
  task,
  ask,
  place,
  isTabStop = true,
  isWhole = null,
  children,
}: AnswerButtonsProps) {
  const isOpen = useStore(view, ({ taskId }) => taskId === task.id);
  const isDenying =
    useStore(denial, (open) => open?.askId === ask.id && open.taskId === task.id) &&
    isOpen === (place === "panel");

  /** On the board, another card may just have moved under the pointer. */
  function unlessMoved(run: () => void) {
    if (place === "card" && !isSettled()) return announce(TOO_SOON);
    run();
  }

  function leave() {
    denial.set(null);
    if (place === "card") focusTask(task.id);
    else document.querySelector<HTMLElement>("[data-panel]")?.focus();
  }

  if (!ask.canAnswer) {
    if (place === "panel") return <p className="text-sm text-muted">Answer it in the terminal below.</p>;
    return (
      <Button tabIndex={isTabStop ? 0 : -1} onClick={() => openTask(task.id)}>
        Answer in the terminal
      </Button>
    );
  }
  const isQuestion = ask.questions !== null;
  if (isDenying) {
    return (
      <DenyField
        label={isQuestion ? "Dismiss" : "Deny"}
        onBack={leave}
        onDeny={(message) => giveAnswer(task, ask, "deny", message.trim() === "" ? {} : { message })}
      />
    );
  }
  const stop = isTabStop ? 0 : -1;
  const isCut = isWhole === false;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {children}
      {!isQuestion && isCut && (
        <Button
          look="primary"
          tabIndex={stop}
          title="Read all of it before you allow it (A)"
          onClick={() => review(task, ask)}
        >
          {place === "card" ? "Review…" : "Show more"} <KeyHint taskId={task.id}>A</KeyHint>
        </Button>
      )}
      {!isQuestion && !isCut && (
        <Button
          look="primary"
          tabIndex={stop}
          title="Allow once (A)"
          onClick={() => unlessMoved(() => giveAnswer(task, ask, "allow"))}
        >
          Allow <KeyHint taskId={task.id}>A</KeyHint>
        </Button>
      )}
      <Button
        tabIndex={stop}
        title={`${isQuestion ? "Dismiss" : "Deny"} with an optional message (D)`}
        onClick={() => unlessMoved(() => startDenial(task, ask))}
      >
        {isQuestion ? "Dismiss" : "Deny"} <KeyHint taskId={task.id}>D</KeyHint>
      </Button>
      {ask.always !== null && !isCut && (
        <Button
          tabIndex={stop}
          aria-describedby={alwaysId(ask, place)}
          onClick={() => unlessMoved(() => giveAnswer(task, ask, "always"))}
        >
          Always
        </Button>
      )}
    </div>
  );
}

const alwaysId = (ask: Ask, place: Place) => `always-${place}-${ask.id}`;

/** What "Always" would allow, shown with the request so that people read it first. */
export const AlwaysWords = ({ ask, place }: { ask: Ask; place: Place }) => (
  <p id={alwaysId(ask, place)} className="text-xs text-muted">
    Always: <Letters>{ask.always ?? ""}</Letters>
  </p>
);
