import { RepositoryField } from "../features/projects/repository-field.tsx";

/** Shown while there is no project. */
export function FirstRun() {
  return (
    <main className="flex min-h-0 flex-1 overflow-y-auto">
      <div className="m-auto w-full max-w-lg p-5">
        <h1 className="text-xl font-semibold">Add a repository to begin</h1>
        <p className="mt-1 mb-4 text-muted">
          Each task belongs to a project: a git repository on the machine banto runs on. Adding one changes
          nothing in it.
        </p>
        <RepositoryField />
      </div>
    </main>
  );
}
