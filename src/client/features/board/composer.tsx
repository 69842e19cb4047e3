import { ChevronDown } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { LIMITS, type TaskStatus } from "../../../contract.ts";
import type { Project } from "../../shared/api/rows.ts";
import { focus } from "../../shared/stores/focus.ts";
import { useStore } from "../../shared/stores/store.ts";
import { view } from "../../shared/stores/view.ts";
import { isComposing } from "../../shared/ui/composing.ts";
import { createTask } from "../../tasks/changes.ts";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { composing, newTitle, returnToBoard, shown } from "./board-state.ts";

/** Remembered while the page is open: several tasks for one project need one choice. */
let lastProjectId: string | undefined;

/** One line: type, Enter, and the next one. */
export function Composer({ status, projects }: { status: TaskStatus; projects: Project[] }) {
  const shownProjectId = useStore(view, ({ projectId }) => projectId);
  const fallback = projects.find(({ id }) => id === lastProjectId) ?? projects[0];
  const [chosenId, setChosenId] = useState(fallback?.id);
  const text = useStore(newTitle);
  const opening = useStore(composing);
  const field = useRef<HTMLInputElement>(null);
  const projectId = shownProjectId ?? chosenId;

  // biome-ignore lint/correctness/useExhaustiveDependencies: asking for an open field means typing in it
  useLayoutEffect(() => field.current?.focus(), [opening]);

  function submit() {
    const title = text.trim();
    if (title === "" || projectId === undefined) return;
    lastProjectId = projectId;
    createTask(projectId, title, status);
    newTitle.set("");
  }

  function close() {
    newTitle.set("");
    composing.set(null);
  }

  return (
    <form
      className="enter mx-3 mb-2 rounded-ui border border-accent/60 bg-card px-3 py-2"
      onSubmit={(event) => event.preventDefault()}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget) && text.trim() === "") close();
      }}
    >
      <input
        ref={field}
        aria-label={`New task in ${COLUMN_NAMES[status]}`}
        placeholder="What should be done?"
        value={text}
        maxLength={LIMITS.title}
        enterKeyHint="done"
        autoComplete="off"
        onChange={(event) => newTitle.set(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === "Enter") submit();
          if (event.key !== "Escape") return;
          close();
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
              onChange={(event) => {
                lastProjectId = event.target.value;
                setChosenId(lastProjectId);
              }}
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
