import { GitBranch } from "lucide-react";
import { STOPPED } from "../../../contract.ts";
import type { SessionLog, Task } from "../../shared/api/rows.ts";
import { Button } from "../../shared/ui/button.tsx";
import { MiddleCut } from "../../shared/ui/middle-cut.tsx";
import { Ago, duration, OnDay } from "../../shared/ui/time.tsx";
import { usd } from "../../tasks/figures.ts";
import { useSessionLogs, useTrash } from "../../tasks/session-logs.ts";
import { StateMark } from "../../tasks/state-mark.tsx";
import { Until } from "./kept-until.tsx";
import { RestoredTo } from "./restored-to.tsx";
import { TaskAudit } from "./task-audit.tsx";
import { TaskCost } from "./task-cost.tsx";
import { useRestore } from "./use-restore.ts";
import { byWorktree, type WorktreeHistory } from "./worktrees.ts";

/** Every session this task has had, and where its worktrees are. */
export function TaskHistory({ task }: { task: Task }) {
  const { data: logs, error, refetch } = useSessionLogs(task.id);
  const { data: trash = [] } = useTrash();
  if (error && !logs) {
    return (
      <div className="m-auto flex flex-col items-center gap-3 p-8 text-sm text-muted">
        <p>{error.message}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    );
  }
  if (logs?.length === 0) {
    return (
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4">
        <p className="mx-auto max-w-sm p-8 text-center text-sm text-muted">
          No session has ended yet. Each one that does is listed here, and its worktree can be restored.
        </p>
        <TaskAudit task={task} />
      </div>
    );
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4">
      <TaskCost taskId={task.id} />
      <ul aria-label="Worktrees of this task">
        {logs &&
          byWorktree(logs, trash).map((worktree) => (
            <li key={worktree.logId} className="mb-3 rounded-ui border border-line bg-card">
              <Worktree task={task} worktree={worktree} />
            </li>
          ))}
      </ul>
      <TaskAudit task={task} />
    </div>
  );
}

function Worktree({ task, worktree }: { task: Task; worktree: WorktreeHistory }) {
  const { restore, isPending, place: restoredTo } = useRestore();
  const { logId, branch, place, sessions } = worktree;
  const isBusy = isPending || task.sessionOperation !== null;
  const canRestore = place.kind === "trash" || place.kind === "snapshot" || place.kind === "beside";
  return (
    <>
      <header className="flex min-h-11 items-center gap-2 px-3 py-1.5">
        <GitBranch size={14} className="shrink-0 text-faint" />
        <div className="min-w-0 flex-1">
          {branch && <MiddleCut text={branch} className="max-w-full font-mono text-xs" />}
          <p className="text-xs text-muted">
            <WhereItIs place={place} task={task} />
          </p>
        </div>
        {canRestore && (
          <Button
            disabled={isBusy}
            title="Restores the worktree with every file that was in it, on its branch."
            onClick={() => void restore({ taskId: task.id, logId })}
          >
            {isPending ? "Restoring…" : place.kind === "beside" ? "Show where" : "Restore"}
          </Button>
        )}
      </header>
      {restoredTo && <RestoredTo {...restoredTo} />}
      <ul aria-label="Sessions" className="divide-y divide-line border-t border-line">
        {sessions.map((log) => (
          <li key={log.id} className="px-3 py-2">
            <Session log={log} />
          </li>
        ))}
      </ul>
    </>
  );
}

function WhereItIs({ place, task }: { place: WorktreeHistory["place"]; task: Task }) {
  switch (place.kind) {
    case "here":
      return task.worktreePath === null ? "Its worktree is gone." : "The worktree is in place.";
    case "trash":
      return <>In the trash {place.entry && <Until {...place.entry} />}</>;
    case "snapshot":
      return (
        <>
          Left the trash on <OnDay at={place.purgedAt} />. Commits and files git doesn't ignore can still be
          restored.
        </>
      );
    case "beside":
      return "Restored beside the task's own worktree.";
    case "deleted":
      return (
        <>
          Deleted permanently on <OnDay at={place.purgedAt} />. Commits on the branch are still there.
        </>
      );
    case "none":
      return "Ended before it had a worktree.";
  }
}

function Session({ log }: { log: SessionLog }) {
  const [reason, ...output] = log.error?.split("\n") ?? [];
  const isStopped = log.error === STOPPED;
  const status =
    log.exitStatus === "done"
      ? ({ group: "finished", shape: "finished", word: "Finished" } as const)
      : isStopped
        ? ({ group: "idle", shape: "idle", word: "Stopped" } as const)
        : ({ group: "failed", shape: "failed", word: "Failed" } as const);
  return (
    <>
      <p className="flex items-center gap-1.5 text-sm text-faint">
        <StateMark status={status} />
        {log.model && <span className="truncate">{log.model}</span>}
        <span className="ml-auto flex gap-1.5 tabular-nums">
          {log.costUsd !== null && (
            <>
              {usd(log.costUsd)} <span aria-hidden>·</span>
            </>
          )}
          {duration(Date.parse(log.endedAt) - Date.parse(log.startedAt))}
        </span>
        <span aria-hidden>·</span>
        <Ago at={log.endedAt} />
      </p>
      {reason && !isStopped && <p className="mt-1 text-sm break-words text-muted">{reason}</p>}
      {log.lastReply && (
        <details className="mt-1 text-xs text-muted">
          <summary className="touch:py-3.5">Last reply</summary>
          <p className="mt-1 break-words whitespace-pre-wrap">{log.lastReply}</p>
        </details>
      )}
      {output.length > 0 && (
        <details className="mt-1 text-xs text-muted">
          <summary className="touch:py-3.5">Last output</summary>
          <pre className="mt-1 overflow-x-auto font-mono whitespace-pre-wrap">{output.join("\n")}</pre>
        </details>
      )}
    </>
  );
}
