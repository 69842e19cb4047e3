import { ChevronDown } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { LIMITS, type TaskStatus } from "../../../contract.ts";
import type { Project } from "../../shared/api/rows.ts";
import { focus } from "../../shared/stores/focus.ts";
import { useStore } from "../../shared/stores/store.ts";
import { view } from "../../shared/stores/view.ts";
import { Button } from "../../shared/ui/button.tsx";
import { isComposing } from "../../shared/ui/composing.ts";
import { MOD_NAME } from "../../shared/ui/kbd.tsx";
import { createTask } from "../../tasks/changes.ts";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { whenCreated } from "../../tasks/creations.ts";
import { perform } from "../../tasks/perform.ts";
import { composing, newTitle, returnToBoard, shown } from "./board-state.ts";

/** Remembered while the page is open, so that several tasks for one project need only one choice. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: asking for a field that is open already means to type in it
  useLayoutEffect(() => field.current?.focus(), [opening]);

  /** Makes the new card the current one, for when the person stops typing here. */
  function submit(isStarted: boolean) {
    const title = text.trim();
    if (title === "" || projectId === undefined) return;
    lastProjectId = projectId;
    const key = createTask(projectId, title, status);
    focus.set({ id: key, wanted: false });
    newTitle.set("");
    if (isStarted) void whenCreated(key).then((task) => task && perform(task, "start"));
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
        placeholder="What needs to be done?"
        value={text}
        maxLength={LIMITS.title}
        enterKeyHint="done"
        autoComplete="off"
        onChange={(event) => newTitle.set(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === "Enter") submit(event.ctrlKey || event.metaKey);
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
        <span aria-hidden className="touch:hidden">
          ↵ create · {MOD_NAME} ↵ and start · Esc close
        </span>
        {/* A phone's keyboard has neither Ctrl nor Esc. */}
        <div className="hidden gap-1 touch:flex">
          <Button look="quiet" onMouseDown={stay} onClick={() => submit(true)}>
            Create and start
          </Button>
          <Button onMouseDown={stay} onClick={() => submit(false)}>
            Create
          </Button>
        </div>
      </div>
    </form>
  );
}

/** The line keeps the keyboard. */
const stay = (event: React.MouseEvent) => event.preventDefault();
