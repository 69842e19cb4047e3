import { useEffect } from "react";
import type { Task } from "../../shared/api/rows.ts";
import { useAudit } from "../../tasks/audit.ts";
import { markSeen } from "../../tasks/unseen.ts";
import { AuditList } from "./audit-list.tsx";

/** Every answer to this task's agents, and every change of what they may do or run. */
export function TaskAudit({ task }: { task: Task }) {
  const { data, hasNextPage, fetchNextPage } = useAudit({ task: task.id, project: task.projectId });
  const entries = data?.pages.flat() ?? [];
  const newest = entries.find(({ taskId }) => taskId === task.id);
  useEffect(() => {
    if (newest !== undefined) markSeen(newest);
  }, [newest]);
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="audit" className="mt-5">
      <h3 id="audit" className="text-sm font-medium">
        Answers and changes
      </h3>
      <p className="mt-0.5 mb-2 text-xs text-muted">
        Every answer, exactly as the question was shown, and every change to what agents may do or run.
        Nothing here can be changed or removed.
      </p>
      <AuditList
        entries={entries}
        about={({ taskId }) => (taskId === null ? "for the whole project" : undefined)}
        onMore={hasNextPage ? () => void fetchNextPage() : undefined}
      />
    </section>
  );
}
