import { getTasks } from "../../shared/api/lists.ts";
import type { Project } from "../../shared/api/rows.ts";
import { useAudit } from "../../tasks/audit.ts";
import { AuditList } from "./audit-list.tsx";

/** Everything that was written down, of one project or all. */
export function Audit({ projectId, projects }: { projectId: string | null; projects: Project[] }) {
  const { data, hasNextPage, fetchNextPage } = useAudit(projectId === null ? {} : { project: projectId });
  const entries = data?.pages.flat() ?? [];
  if (entries.length === 0) return null;
  const titles = new Map(getTasks().map(({ id, title }) => [id, title]));
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return (
    <section aria-labelledby="all-audit" className="mt-6">
      <h2 id="all-audit" className="text-sm font-medium">
        Answers, changes and sign-ins
      </h2>
      <p className="mt-0.5 mb-2 max-w-2xl text-sm text-muted">
        Who answered agents, who changed what they may do or run, and who signed in. Nothing here can be
        changed or removed.
      </p>
      <AuditList
        entries={entries}
        about={({ taskId, projectId: of }) => titles.get(taskId ?? "") ?? names.get(of ?? "")}
        onMore={hasNextPage ? () => void fetchNextPage() : undefined}
      />
    </section>
  );
}
