import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { api, unwrap } from "../api/client.ts";
import { Ago } from "../ui/time.tsx";

/** The sessions this task has had, newest first. */
export function SessionHistory({ taskId }: { taskId: string }) {
  const { data: logs = [] } = useQuery({
    queryKey: ["session-logs", taskId],
    queryFn: () => unwrap(api.tasks({ id: taskId })["session-logs"].get()),
  });
  if (logs.length === 0) return null;
  return (
    <section aria-label="History">
      <h3 className="mb-1 text-sm font-medium">History</h3>
      <ul className="divide-y divide-line">
        {logs.map((log) => (
          <li key={log.id} className="flex items-center gap-2 py-2 text-sm">
            {log.exitStatus === "done" ? (
              <CircleCheck size={14} className="text-finished" aria-label="Done" />
            ) : (
              <CircleX size={14} className="text-failed" aria-label="Failed" />
            )}
            <span className="truncate">{log.error ?? log.branch ?? "Session"}</span>
            <span className="ml-auto text-xs text-faint">
              <Ago at={log.endedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
