import type { Task } from "../shared/api/rows.ts";
import { useStore } from "../shared/stores/store.ts";
import { chooseAgent } from "../shared/stores/tabs.ts";
import { view } from "../shared/stores/view.ts";
import { Button } from "../shared/ui/button.tsx";
import { Controls } from "../shared/ui/controls.tsx";
import { openDialog } from "../shared/ui/open-dialog.ts";
import { movesFirst } from "./actions.ts";
import { resumeUnlocked, runAction } from "./changes.ts";
import { perform } from "./perform.ts";
import { forgetRefusal, type NextStep, type Refusal, useRefusal } from "./refusals.ts";

/** Why something was not done, and what to do about it. The card leaves it to the panel when that is open. */
export function Refused({ task, isOnCard = false }: { task: Task; isOnCard?: boolean }) {
  const refusal = useRefusal(task);
  const isOpen = useStore(view, ({ taskId }) => taskId === task.id);
  if (refusal === undefined || (isOnCard && isOpen)) return null;
  return (
    <div data-refused className="mt-1 flex flex-col gap-1.5">
      <p
        className={`text-failed ${isOnCard ? "line-clamp-4 text-xs" : "text-sm"} break-words`}
        title={refusal.reason}
      >
        Couldn't {refusal.action}. {refusal.reason}
      </p>
      <Controls className="flex flex-wrap gap-2">
        <Button onClick={() => take(task, refusal)}>{labelOf(task, refusal)}</Button>
        <Button look="quiet" onClick={() => forgetRefusal(task.id)}>
          Dismiss
        </Button>
      </Controls>
    </div>
  );
}

const LABELS: Record<NextStep, string> = {
  "try-again": "Try again",
  "choose-agent": "Choose another agent",
  retry: "Retry",
  "first-commit": "Make the first commit…",
  forget: "Forget the worktree",
  unlock: "Remove the lock and resume",
};

const labelOf = (task: Task, { next, action }: Refusal) =>
  next === "try-again" && action !== "delete" && action !== "forget" && movesFirst(task, action)
    ? `Move to Active and ${action}`
    : LABELS[next];

function take(task: Task, { next, action }: Refusal) {
  if (next === "choose-agent") chooseAgent(task.id);
  else if (next === "first-commit") openDialog({ kind: "first-commit", projectId: task.projectId });
  else if (next === "unlock") resumeUnlocked(task);
  else if (next !== "try-again") runAction(task, next);
  else if (action === "complete")
    perform(task, action); // it may have to ask again
  else if (action !== "delete") runAction(task, action);
}
