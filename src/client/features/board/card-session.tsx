import { Pin } from "lucide-react";
import { type ComponentType, createContext, useContext } from "react";
import type { Task } from "../../shared/api/rows.ts";
import { MiddleCut } from "../../shared/ui/middle-cut.tsx";
import { Ago, Elapsed } from "../../shared/ui/time.tsx";
import { AgentMark } from "../../tasks/agent/agent-mark.tsx";
import { PermissionsLine } from "../../tasks/agent/permissions.tsx";
import {
  activityOf,
  askOf,
  displayStatus,
  failureOf,
  type Group,
  isLive,
  isNotStarted,
  since,
  wantsPrompt,
} from "../../tasks/display-status.ts";
import { CardGauges } from "../../tasks/gauges.tsx";
import { Preview } from "../../tasks/preview.tsx";
import { QueuedMark } from "../../tasks/queued-mark.tsx";
import { Reason } from "../../tasks/reason.tsx";
import { SeesLessMark } from "../../tasks/sees-less.tsx";
import { StateMark } from "../../tasks/state-mark.tsx";

/** What the agent is asking or said last, with fields to answer. The app provides it. */
export const ConversationSlot = createContext<ComponentType<{ task: Task; isTabStop: boolean }>>(() => null);

const EDGES: Record<Group, string> = {
  needs: "edge edge-needs",
  failed: "edge edge-failed",
  finished: "edge edge-finished",
  working: "edge edge-working",
  idle: "edge edge-idle",
};

/** A card without a session says so only in Active, where one is expected. */
const isQuiet = (task: Task) =>
  task.status !== "active" && isNotStarted(task) && task.sessionOperation === null;

export const edgeOf = (task: Task) => (isQuiet(task) ? "" : EDGES[displayStatus(task).group]);

/** The last line: status, project, branch or age, and how long. */
export function CardFoot({ task, projectName }: { task: Task; projectName: string }) {
  return (
    <p id={`state-${task.id}`} className="mt-1 flex items-center gap-1.5 text-xs text-faint">
      {!isQuiet(task) && (
        <>
          <StateMark status={displayStatus(task)} />
          <span aria-hidden>·</span>
        </>
      )}
      <AgentMark task={task} wordClass="sr-only @2xs:not-sr-only" />
      {/* Its dot goes with it where there is no room. */}
      <span className="min-w-0 truncate before:mr-1.5 before:content-['·'] @sm:max-w-40 @sm:shrink-0">
        {projectName}
      </span>
      <Origin task={task} />
      <span className="ml-auto flex shrink-0 items-center gap-1.5 pl-1">
        <SeesLessMark task={task} />
        {isLive(task) && <CardGauges task={task} />}
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

/** The branch if there is room for it, or the card's age if it has none. */
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
    <span className="hidden min-w-0 items-center gap-1.5 overflow-hidden @sm:flex">
      <span aria-hidden>·</span>
      <MiddleCut text={task.branch} />
    </span>
  );
}

/** How long it has been running or in this status, or when it ended. */
function SessionTime({ task }: { task: Task }) {
  if (task.sessionStatus === null || task.sessionStartedAt === null) return null;
  if (!isLive(task)) return <Ago at={since(task)} />;
  const isBusy = activityOf(task) === null || displayStatus(task).group === "working";
  return <Elapsed since={isBusy ? task.sessionStartedAt : since(task)} />;
}

/** What matters now: why it failed, what it asks, what it said, or what the terminal shows. */
export function CardSession({ task, isTabStop }: { task: Task; isTabStop: boolean }) {
  const Conversation = useContext(ConversationSlot);
  const failure = failureOf(task);
  if (failure !== undefined) {
    return (
      <>
        <p title={failure.reason} className="mt-1 truncate text-xs text-failed">
          {failure.reason}
        </p>
        <QueuedMark task={task} />
      </>
    );
  }
  if (!isLive(task)) return <QueuedMark task={task} />;
  const permissions = <PermissionsLine task={task} className="mt-0.5" />;
  if (askOf(task) !== null) {
    return (
      <>
        {permissions}
        <Conversation task={task} isTabStop={isTabStop} />
        <QueuedMark task={task} />
      </>
    );
  }
  return (
    <>
      {permissions}
      <Reason task={task} isBrief />
      <QueuedMark task={task} />
      {wantsPrompt(task) ? (
        <Conversation task={task} isTabStop={isTabStop} />
      ) : (
        <Preview taskId={task.id} sessionId={task.sessionId} />
      )}
    </>
  );
}
