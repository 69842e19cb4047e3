import { Ellipsis } from "lucide-react";
import type { Task } from "../../shared/api/rows.ts";
import { chosenTab } from "../../shared/stores/tabs.ts";
import { Button, IconButton } from "../../shared/ui/button.tsx";
import { MiddleCut } from "../../shared/ui/middle-cut.tsx";
import { openDialog } from "../../shared/ui/open-dialog.ts";
import { Ago, Elapsed } from "../../shared/ui/time.tsx";
import { type AvailableAction, isMain, type SessionAction } from "../../tasks/actions.ts";
import { PermissionsLine } from "../../tasks/agent/permissions.tsx";
import { useActions } from "../../tasks/available-actions.ts";
import {
  activityOf,
  displayStatus,
  failureOf,
  isLive,
  isNotStarted,
  since,
} from "../../tasks/display-status.ts";
import { PanelGauges } from "../../tasks/gauges.tsx";
import { perform, useWork } from "../../tasks/perform.ts";
import { Reason } from "../../tasks/reason.tsx";
import { Refused } from "../../tasks/refused.tsx";
import { SeesLess } from "../../tasks/sees-less.tsx";
import { StateMark } from "../../tasks/state-mark.tsx";
import { UnseenLine } from "../../tasks/unseen-line.tsx";
import { workWords } from "../../tasks/work.ts";

/** The session's status, the reason and since when, and what can be done now. */
export function SessionBar({ task }: { task: Task }) {
  const actions = useActions(task);
  const failure = failureOf(task);
  const isIdle = isNotStarted(task) && task.sessionOperation === null;
  const { visible, more } = split(task, actions);
  return (
    <section aria-label="Session" className="flex shrink-0 flex-col gap-2.5 px-5 pt-1 pb-3">
      {!isIdle && <StateLine task={task} />}
      <PermissionsLine task={task} />
      <Reason task={task} />
      {isLive(task) && <PanelGauges task={task} />}
      <SeesLess task={task} />
      {failure && <p className="text-sm break-words text-failed">{failure.reason}</p>}
      <Refused task={task} />
      <UnseenLine task={task} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {visible.map((action, index) => (
          <ActionButton
            key={action.action}
            task={task}
            available={action}
            isPrimary={isMain(task, action, index)}
          />
        ))}
        {visible.length === 1 && <p className="min-w-0 flex-1 text-xs text-muted">{visible[0]?.does}</p>}
        {more.length > 0 && (
          <IconButton
            label="More actions"
            hint="."
            onClick={() => openDialog({ kind: "task-menu", taskId: task.id })}
          >
            <Ellipsis size={16} />
          </IconButton>
        )}
      </div>
      {!isLive(task) && <WorkLine task={task} />}
      {!isLive(task) && visible.length > 1 && <Words actions={visible} />}
    </section>
  );
}

/** Actions that discard a running agent's work are in the menu. */
function split(task: Task, actions: AvailableAction[]) {
  if (!isLive(task)) return { visible: actions, more: [] };
  const isNear = ({ action }: AvailableAction) => action !== "retry";
  return { visible: actions.filter(isNear), more: actions.filter((action) => !isNear(action)) };
}

/** What the worktree holds, so that people know before they act. */
function WorkLine({ task }: { task: Task }) {
  const work = useWork(task);
  return work && <p className="text-xs text-muted">{workWords(work)}</p>;
}

function StateLine({ task }: { task: Task }) {
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-sm text-faint">
      <StateMark status={displayStatus(task)} />
      <Since task={task} />
      {task.branch && (
        <>
          <span aria-hidden>·</span>
          <MiddleCut text={task.branch} className="font-mono text-xs" />
        </>
      )}
    </p>
  );
}

function Since({ task }: { task: Task }) {
  if (task.sessionStatus === null) return null;
  if (!isLive(task)) return <Ago at={since(task)} />;
  if (task.sessionStartedAt === null || task.sessionOperation !== null) return null;
  const isWaiting = activityOf(task) !== null || task.sessionStatus === "waiting_for_input";
  return <Elapsed since={isWaiting ? since(task) : task.sessionStartedAt} />;
}

const KEYS: Partial<Record<SessionAction, string>> = {
  start: "S",
  resume: "S",
  stop: "S",
  retry: "R",
  complete: "X",
};

function ActionButton({
  task,
  available,
  isPrimary,
}: {
  task: Task;
  available: AvailableAction;
  isPrimary: boolean;
}) {
  const { action, label, does } = available;
  const key = action === "start" && task.worktreePath !== null ? undefined : KEYS[action];
  return (
    <Button
      look={isPrimary ? "primary" : "plain"}
      className={action === "start" && isPrimary ? "h-9 px-4" : ""}
      title={key ? `${does} (${key})` : does}
      onClick={() => {
        perform(task, action);
        chosenTab.set((choice) => (choice?.taskId === task.id ? null : choice));
      }}
    >
      {label}
    </Button>
  );
}

function Words({ actions }: { actions: AvailableAction[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-2 gap-y-0.5 text-xs text-muted">
      {actions.map(({ action, label, does }) => (
        <div key={action} className="contents">
          <dt className="font-medium">{label}</dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
