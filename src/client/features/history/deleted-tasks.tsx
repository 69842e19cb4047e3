import { TRASH_DAYS } from "../../../contract.ts";
import type { Project, Task } from "../../shared/api/rows.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Ago, OnDay } from "../../shared/ui/time.tsx";
import { restoreTask } from "../../tasks/changes.ts";

const DAY_MS = 86_400_000;

interface DeletedTasksProps {
  tasks: readonly Task[];
  projects: Project[];
}

/** Cards in the trash, with their text. */
export function DeletedTasks({ tasks, projects }: DeletedTasksProps) {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return (
    <section aria-labelledby="deleted-cards" className="mb-6">
      <h2 id="deleted-cards" className="mb-2 text-sm font-medium">
        Deleted cards
      </h2>
      <ul
        aria-labelledby="deleted-cards"
        className="divide-y divide-line rounded-ui border border-line bg-card"
      >
        {tasks.map((task) => (
          <li key={task.id}>
            <DeletedTask task={task} projectName={names.get(task.projectId) ?? ""} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function DeletedTask({ task, projectName }: { task: Task; projectName: string }) {
  const deletedAt = task.deletedAt ?? task.updatedAt;
  const until = new Date(Date.parse(deletedAt) + TRASH_DAYS * DAY_MS).toISOString();
  return (
    <article
      aria-label={task.title}
      className="flex items-center gap-3 px-4 py-3 narrow:flex-col narrow:items-stretch"
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{task.title}</p>
        {task.description && (
          <p
            title={task.description}
            className="mt-0.5 line-clamp-3 text-sm break-words whitespace-pre-line text-muted"
          >
            {task.description}
          </p>
        )}
        <p className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-xs text-faint">
          <span>{projectName}</span>
          <span aria-hidden>·</span>
          <span>deleted</span> <Ago at={deletedAt} />
          <span aria-hidden>·</span>
          <span className="text-muted">
            kept until <OnDay at={until} />
          </span>
        </p>
      </div>
      <Button onClick={() => restoreTask({ ...task, deletedAt: null })}>Restore card</Button>
    </article>
  );
}
