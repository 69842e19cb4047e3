import { useDraggable } from "@dnd-kit/core";
import { Ellipsis } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import type { Task } from "../../shared/api/rows.ts";
import { focus, focusTask } from "../../shared/stores/focus.ts";
import { useStore } from "../../shared/stores/store.ts";
import { openTask, taskAddress, view } from "../../shared/stores/view.ts";
import { IconButton } from "../../shared/ui/button.tsx";
import { isComposing } from "../../shared/ui/composing.ts";
import { openDialog } from "../../shared/ui/open-dialog.ts";
import { updateTask } from "../../tasks/changes.ts";
import { dropDraft, getDraft, sendDraft, titleOf } from "../../tasks/drafts.ts";
import { isPlaceholder } from "../../tasks/placeholder.ts";
import { Refused } from "../../tasks/refused.tsx";
import { UnseenLine } from "../../tasks/unseen-line.tsx";
import { lifted, renaming } from "./board-state.ts";
import { CardFoot, CardSession, edgeOf } from "./card-session.tsx";

interface CardProps {
  task: Task;
  projectName: string;
  isTabStop: boolean;
}

export const Card = memo(function Card({ task, projectName, isTabStop }: CardProps) {
  const element = useRef<HTMLElement>(null);
  const isPending = isPlaceholder(task);
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: task.id, disabled: isPending });
  const isRenaming = useStore(renaming, (id) => id === task.id);
  const isLifted = useStore(lifted, (card) => card?.id === task.id);
  const isOpen = useStore(view, ({ taskId }) => taskId === task.id);
  const isWanted = useStore(focus, ({ id, wanted }) => wanted && id === task.id);

  // A card that changes columns is mounted again, and takes the focus with it.
  useEffect(() => {
    if (focus.get().id === task.id && document.activeElement === document.body) focusTask(task.id);
  }, [task.id]);

  useEffect(() => {
    if (!isWanted) return;
    element.current?.focus({ preventScroll: true });
    focus.set({ id: task.id, wanted: false });
  }, [isWanted, task.id]);

  return (
    <article
      ref={(node) => {
        element.current = node;
        setNodeRef(node);
      }}
      {...listeners}
      data-card={task.id}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={task.title}
      aria-describedby={`state-${task.id} board-help`}
      onFocus={(event) => {
        if (event.target === event.currentTarget) focus.set({ id: task.id, wanted: false });
      }}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.defaultPrevented) return; // the link opens in a new tab
        event.preventDefault();
        if (isPending) return;
        focus.set({ id: task.id, wanted: false });
        openTask(task.id);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target === event.currentTarget && lifted.get() === null) {
          if (isPending) return; // the keyboard command waits for its id
          event.preventDefault();
          openTask(task.id);
        }
      }}
      className={`group @container relative block touch-manipulation rounded-ui border bg-card px-3 py-2.5 transition-[background,border-color,box-shadow] duration-100 select-none hover:bg-card-hover ${
        isLifted
          ? "border-accent shadow-float"
          : isOpen
            ? "border-accent/60"
            : "border-line hover:border-line-strong"
      } ${edgeOf(task)} ${isDragging ? "opacity-40" : ""} ${isPending ? "opacity-60" : ""}`}
    >
      {isRenaming ? (
        <TitleField task={task} />
      ) : (
        <a
          href={taskAddress(task.id)}
          tabIndex={-1}
          draggable={false}
          title={task.title}
          className="mr-7 line-clamp-2 font-medium break-words outline-none touch:mr-0"
        >
          {task.title}
        </a>
      )}
      <CardFoot task={task} projectName={projectName} />
      <CardSession task={task} isTabStop={isTabStop} />
      <UnseenLine task={task} isOnCard isTabStop={isTabStop} />
      <Refused task={task} isOnCard />
      {!isPending && (
        <IconButton
          label={`Actions for ${task.title}`}
          hint="."
          tabIndex={-1}
          className="absolute top-1.5 right-1.5 bg-card-hover opacity-0 group-hover:opacity-100 focus-visible:opacity-100 touch:hidden"
          onClick={(event) => {
            event.stopPropagation();
            focus.set({ id: task.id, wanted: false });
            openDialog({ kind: "task-menu", taskId: task.id });
          }}
        >
          <Ellipsis size={16} />
        </IconButton>
      )}
    </article>
  );
});

/** The copy of a card that follows the pointer. */
export function CardGhost({ task, projectName }: { task: Task; projectName: string }) {
  return (
    <div
      data-ghost
      className={`relative rounded-ui border border-accent bg-card px-3 py-2.5 shadow-float select-none ${edgeOf(task)}`}
    >
      <p className="line-clamp-2 font-medium break-words">{task.title}</p>
      <CardFoot task={task} projectName={projectName} />
    </div>
  );
}

function TitleField({ task }: { task: Task }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = titleOf(task.id);

  function finish(save: boolean) {
    const title = field.current?.value.replace(/\s+/g, " ").trim() ?? "";
    if (save && title !== "" && title !== task.title) {
      sendDraft(draft, title, (onTried) => updateTask(task.id, { title }, onTried));
    } else dropDraft(draft);
    renaming.set(null);
  }

  return (
    <textarea
      ref={field}
      aria-label="Title"
      defaultValue={getDraft(draft)?.text ?? task.title}
      // biome-ignore lint/a11y/noAutofocus: it appears because the person asked to type here
      autoFocus
      rows={1}
      maxLength={500}
      onFocus={(event) => event.target.select()}
      onBlur={() => renaming.get() === task.id && finish(true)}
      onClick={(event) => event.preventDefault()}
      onPointerDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === "Enter" || event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          finish(event.key === "Enter");
          focusTask(task.id);
        }
      }}
      className="field-sizing-content block w-full resize-none rounded bg-transparent font-medium outline-none"
    />
  );
}
