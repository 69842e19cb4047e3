import { GitBranch } from "lucide-react";
import { useDeferredValue, useId, useState } from "react";
import { LIMITS } from "../../../contract.ts";
import { useAddProject, useProjects } from "../../shared/api/projects.ts";
import { useRepositories } from "../../shared/api/repositories.ts";
import { showProject } from "../../shared/stores/view.ts";
import { Button } from "../../shared/ui/button.tsx";
import { isComposing } from "../../shared/ui/composing.ts";
import { openDialog } from "../../shared/ui/open-dialog.ts";
import { Ago } from "../../shared/ui/time.tsx";

/** A field for a path. Suggests git repositories on the server, and says what is wrong with a path. */
export function RepositoryField({ onAdded }: { onAdded?: () => void }) {
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(-1);
  const listId = useId();
  const add = useAddProject();
  const { data: projects = [] } = useProjects();
  const { data: found, isLoading } = useRepositories(useDeferredValue(typed.trim()));
  const known = new Set(projects.map(({ path }) => path));
  const suggestions = (found ?? []).filter(({ path }) => !known.has(path)).slice(0, 8);

  function submit(path: string) {
    if (path.trim() === "") return;
    setTyped(path);
    add.mutate(path.trim(), {
      onSuccess(project) {
        setTyped("");
        if (projects.length > 0) showProject(project.id);
        onAdded?.();
        if (project.baseBranch === null) openDialog({ kind: "first-commit", projectId: project.id });
      },
    });
  }

  function onKeyDown(event: React.KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return;
    const last = suggestions.length - 1;
    if (event.key === "ArrowDown") setActive(Math.min(active + 1, last));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, -1));
    else if (event.key === "Tab" && suggestions[active] && !event.shiftKey)
      setTyped(suggestions[active].path);
    else return;
    event.preventDefault();
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit(suggestions[active]?.path ?? typed);
      }}
    >
      <div className="flex gap-2">
        <input
          role="combobox"
          aria-label="Path of a git repository"
          aria-expanded={suggestions.length > 0}
          aria-controls={listId}
          aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
          aria-invalid={add.isError}
          aria-describedby={`${listId}-error`}
          placeholder="/home/you/code/project"
          maxLength={LIMITS.path}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: it is the only thing to do here
          autoFocus
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(-1);
            add.reset();
          }}
          onKeyDown={onKeyDown}
          className="h-9 min-w-0 flex-1 rounded-md border border-line-strong bg-card px-3 font-mono text-sm outline-none focus:border-accent touch:h-11 touch:text-lg"
        />
        <Button type="submit" look="primary" className="h-9" disabled={add.isPending}>
          {add.isPending ? "Adding…" : "Add project"}
        </Button>
      </div>
      <p id={`${listId}-error`} role="alert" className="mt-1.5 min-h-5 text-sm break-words text-failed">
        {add.error?.message.replace(/^path: /, "")}
      </p>
      <p className="mt-2 mb-1 text-xs text-faint">
        {typed === "" ? "Recent repositories" : "Repositories that match"}
      </p>
      <div id={listId} role="listbox" aria-label="Repositories" className="min-h-36">
        {suggestions.map(({ path, name, usedAt }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above owns the keyboard
          <div
            key={path}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerMove={() => setActive(index)}
            onClick={() => submit(path)}
            className={`flex min-h-9 items-center gap-2.5 rounded-md px-2.5 touch:min-h-11 ${index === active ? "bg-line" : ""}`}
          >
            <GitBranch size={14} className="shrink-0 text-faint" />
            <span className="shrink-0 text-sm">{name}</span>
            <span
              dir="rtl"
              title={path}
              className="min-w-0 flex-1 truncate text-left font-mono text-xs text-faint"
            >
              <bdi>{path}</bdi>
            </span>
            <span className="text-xs text-faint">
              <Ago at={usedAt} />
            </span>
          </div>
        ))}
      </div>
      {suggestions.length === 0 && !isLoading && (
        <p className="-mt-36 min-h-36 px-2.5 py-2 text-sm text-muted">
          {typed === ""
            ? "None found in your home directory. Type a path."
            : "No match. The path above is used as typed."}
        </p>
      )}
    </form>
  );
}
