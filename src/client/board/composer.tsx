import { ChevronDown } from "lucide-react";
import { useRef, useState } from "react";
import { LIMITS, type TaskStatus } from "../../contract.ts";
import type { Project } from "../api/projects.ts";
import { useTaskActions } from "../api/tasks.ts";
import { useStore } from "../state/store.ts";
import { view } from "../state/view.ts";
import { isComposing } from "../ui/composing.ts";
import { composing, focus, returnToBoard, shown } from "./board-state.ts";
import { COLUMN_NAMES } from "./columns.ts";

/** Remembered between openings, so that a run of tasks for one project needs one choice. */
let lastProjectId: string | undefined;

/** One line: type, Enter, and the next one. */
export function Composer({ status, projects }: { status: TaskStatus; projects: Project[] }) {
  const { create } = useTaskActions();
  const shownProjectId = useStore(view, ({ projectId }) => projectId);
  const fallback = projects.find(({ id }) => id === lastProjectId) ?? projects[0];
  const [chosenId, setChosenId] = useState(fallback?.id);
  const form = useRef<HTMLFormElement>(null);
  const projectId = shownProjectId ?? chosenId;

  function submit(input: HTMLInputElement) {
    const title = input.value.trim();
    if (title === "" || projectId === undefined) return;
    lastProjectId = projectId;
    create(projectId, title, status);
    input.value = "";
  }

  return (
    <form
      ref={form}
      className="enter mx-3 mb-2 rounded-ui border border-accent/60 bg-card px-3 py-2"
      onSubmit={(event) => event.preventDefault()}
      onBlur={(event) => {
        const input = form.current?.querySelector("input");
        if (!event.currentTarget.contains(event.relatedTarget) && input?.value.trim() === "")
          composing.set(null);
      }}
    >
      <input
        aria-label={`New task in ${COLUMN_NAMES[status]}`}
        placeholder="What should be done?"
        maxLength={LIMITS.title}
        enterKeyHint="done"
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: it appears because the person asked to type here
        autoFocus
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === "Enter") submit(event.currentTarget);
          if (event.key !== "Escape") return;
          composing.set(null);
          returnToBoard(focus.get().id ?? shown.get()[status][0]?.id ?? null);
        }}
        className="w-full bg-transparent font-medium outline-none touch:text-lg"
      />
      <div className="mt-1 flex items-center justify-between text-xs text-faint">
        {shownProjectId === null && projects.length > 1 ? (
          <label className="relative flex items-center gap-0.5 rounded hover:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent">
            <span className="sr-only">Project</span>
            <select
              value={projectId}
              onChange={(event) => setChosenId(event.target.value)}
              className="max-w-40 appearance-none truncate bg-transparent pr-4 outline-none"
            >
              {projects.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
            <ChevronDown size={12} className="pointer-events-none absolute right-0" />
          </label>
        ) : (
          <span className="truncate">{projects.find(({ id }) => id === projectId)?.name}</span>
        )}
        <span aria-hidden>↵ create · Esc close</span>
      </div>
    </form>
  );
}
