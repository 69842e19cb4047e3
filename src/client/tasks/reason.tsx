import type { Task } from "../shared/api/rows.ts";
import { usePassed } from "../shared/ui/time.tsx";
import { activityOf, askOf } from "./display-status.ts";
import { clock } from "./figures.ts";

const OVER = "That should be over by now. Send the next prompt.";

/** What the status alone doesn't say: what went wrong and what to do, or how long it has to wait. */
export function Reason({ task, isBrief = false }: { task: Task; isBrief?: boolean }) {
  const activity = activityOf(task);
  const isOver = usePassed(activity?.until ?? null);
  if (activity === null || task.sessionOperation !== null || askOf(task) !== null) return null;
  const until = activity.until && (isOver ? OVER : `Until ${clock(activity.until)}.`);
  const text = [activity.reason, until].filter(Boolean).join(" ");
  if (text === "") return null;
  const color = activity.kind === "trouble" ? "text-needs" : "text-muted";
  return isBrief ? (
    <p data-reason title={text} className={`mt-1 line-clamp-2 text-xs break-words ${color}`}>
      {text}
    </p>
  ) : (
    <p data-reason className={`text-sm break-words whitespace-pre-line ${color}`}>
      {text}
    </p>
  );
}
