import type { Ask } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { focusTask } from "../../shared/stores/focus.ts";
import { useStore } from "../../shared/stores/store.ts";
import { openTask, view } from "../../shared/stores/view.ts";
import { announce } from "../../shared/ui/announcer.tsx";
import { Button } from "../../shared/ui/button.tsx";
import { giveAnswer, startDenial, TOO_SOON } from "./answer.ts";
import { denial } from "./denial.ts";
import { DenyField } from "./deny-field.tsx";
import { isSettled } from "./guard.ts";

interface AnswerButtonsProps {
  task: Task;
  ask: Ask;
  place: "card" | "panel";
  /** Whether Tab stops at its buttons. */
  isTabStop?: boolean;
}

/** Allow, always allow where the agent offers it, and deny with a reason. */
export function AnswerButtons({ task, ask, place, isTabStop = true }: AnswerButtonsProps) {
  const isOpen = useStore(view, ({ taskId }) => taskId === task.id);
  const isDenying =
    useStore(denial, (open) => open?.askId === ask.id && open.taskId === task.id) &&
    isOpen === (place === "panel");

  /** On the board, another card may have moved under the pointer. */
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
  return (
    <div className="flex flex-wrap items-center gap-2">
      {!isQuestion && (
        <Button
          look="primary"
          tabIndex={stop}
          title="Allow once (A)"
          onClick={() => unlessMoved(() => giveAnswer(task, ask, "allow"))}
        >
          Allow <Key>A</Key>
        </Button>
      )}
      <Button
        tabIndex={stop}
        title={`${isQuestion ? "Dismiss" : "Deny"} with an optional message (D)`}
        onClick={() => unlessMoved(() => startDenial(task, ask))}
      >
        {isQuestion ? "Dismiss" : "Deny"} <Key>D</Key>
      </Button>
      {ask.always !== null && (
        <Button
          tabIndex={stop}
          aria-describedby={`always-${place}-${ask.id}`}
          title={`Always: ${ask.always}`}
          onClick={() => unlessMoved(() => giveAnswer(task, ask, "always"))}
        >
          Always
        </Button>
      )}
      {ask.always !== null && (
        <p id={`always-${place}-${ask.id}`} title={ask.always} className={ALWAYS[place]}>
          Always: {ask.always}
        </p>
      )}
    </div>
  );
}

const ALWAYS = {
  card: "min-w-0 basis-full truncate text-xs text-faint",
  panel: "min-w-0 basis-full text-xs break-words text-muted",
};

const Key = ({ children }: { children: string }) => (
  <span aria-hidden className="text-xs opacity-70 touch:hidden">
    {children}
  </span>
);
