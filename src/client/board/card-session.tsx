import { Pin } from "lucide-react";
import type { Task } from "../api/tasks.ts";
import { Preview } from "../session/preview.tsx";
import { failureOf, type Group, hasNothing, isLive, since, standingOf } from "../session/standing.ts";
import { StateMark } from "../session/state-mark.tsx";
import { MiddleCut } from "../ui/middle-cut.tsx";
import { Ago, Elapsed } from "../ui/time.tsx";

const EDGES: Record<Group, string> = {
  needs: "edge edge-needs",
  failed: "edge edge-failed",
  finished: "edge edge-finished",
  working: "edge edge-working",
  idle: "edge edge-idle",
};

/** A card without a session, in a column where none is expected, says nothing of it. */
const isQuiet = (task: Task) =>
  task.status !== "active" && hasNothing(task) && task.sessionOperation === null;

export const edgeOf = (task: Task) => (isQuiet(task) ? "" : EDGES[standingOf(task).group]);

/** One quiet line: the state, the project, the branch or the age, and for how long. */
export function CardFoot({ task, projectName }: { task: Task; projectName: string }) {
  return (
    <p id={`state-${task.id}`} className="mt-1 flex items-center gap-1.5 text-xs text-faint">
      {!isQuiet(task) && (
        <>
          <StateMark standing={standingOf(task)} />
          <span aria-hidden>·</span>
        </>
      )}
      <span className="max-w-1/2 shrink-0 truncate">{projectName}</span>
      <Origin task={task} />
      <span className="ml-auto flex shrink-0 items-center gap-1.5 pl-1">
        <SessionTime task={task} />
        {task.pinned && (
          <span className="flex items-center text-accent" title="Pinned">
            <Pin size={12} aria-label="Pinned" />
          </span>
        )}
      </span>
    </p>
  );
}

/** The branch, where there is room for it; else how old the card is. */
function Origin({ task }: { task: Task }) {
  if (task.branch === null) {
    return (
      <>
        <span aria-hidden>·</span>
        <Ago at={task.createdAt} />
      </>
    );
  }
  return (
    <span className="hidden min-w-0 shrink-[9] items-center gap-1.5 @sm:flex">
      <span aria-hidden>·</span>
      <MiddleCut text={task.branch} />
    </span>
  );
}

/** How long it has been running, or when it ended. */
function SessionTime({ task }: { task: Task }) {
  if (task.sessionStatus === null || task.sessionStartedAt === null) return null;
  return isLive(task) ? <Elapsed since={task.sessionStartedAt} /> : <Ago at={since(task)} />;
}

/** Only while it matters: why it failed, or what the terminal shows. */
export function CardSession({ task }: { task: Task }) {
  const failure = failureOf(task);
  if (failure !== undefined) {
    return (
      <p title={failure.reason} className="mt-1 truncate text-xs text-failed">
        {failure.reason}
      </p>
    );
  }
  return isLive(task) && <Preview taskId={task.id} sessionId={task.sessionId} />;
}
