import { Maximize2, Minimize2, Pin, PinOff, Trash2, X } from "lucide-react";
import { LIMITS } from "../../../contract.ts";
import { useProjects } from "../../shared/api/projects.ts";
import type { Task } from "../../shared/api/rows.ts";
import { useStore } from "../../shared/stores/store.ts";
import { toggleFullScreen, view } from "../../shared/stores/view.ts";
import { IconButton } from "../../shared/ui/button.tsx";
import { AgentMark } from "../../tasks/agent/agent-mark.tsx";
import { updateTask } from "../../tasks/changes.ts";
import { titleOf } from "../../tasks/drafts.ts";
import { DraftField } from "./draft-field.tsx";

interface PanelHeadProps {
  task: Task;
  /** Puts the title at the bottom, within reach of a thumb. */
  isLow?: boolean;
  onDelete(task: Task): void;
  onClose(): void;
}

/** The task's title, and the buttons that every task has. */
export function PanelHead({ task, isLow = false, onDelete, onClose }: PanelHeadProps) {
  const { data: projects = [] } = useProjects();
  const isFullScreen = useStore(view, (current) => current.isFullScreen);
  const project = projects.find(({ id }) => id === task.projectId);
  const Heading = isFullScreen ? "h1" : "h2";

  return (
    <>
      <Heading className="sr-only">{task.title}</Heading>
      <header className="flex h-11 shrink-0 items-center gap-1 pr-2 pl-5 narrow:h-14">
        <span className="flex min-w-0 items-center gap-2 text-sm text-muted">
          <span className="truncate">{project?.name}</span>
          <AgentMark task={task} />
        </span>
        <div className="ml-auto flex">
          <IconButton
            label={task.pinned ? "Unpin" : "Pin"}
            hint="P"
            aria-pressed={task.pinned}
            onClick={() => updateTask(task.id, { pinned: !task.pinned })}
          >
            {task.pinned ? <PinOff size={16} /> : <Pin size={16} />}
          </IconButton>
          <IconButton label="Delete" hint="⌫" onClick={() => onDelete(task)}>
            <Trash2 size={16} />
          </IconButton>
          <IconButton
            label={isFullScreen ? "Beside the board" : "Full screen"}
            hint="F"
            className="narrow:hidden"
            onClick={toggleFullScreen}
          >
            {isFullScreen ? <Minimize2 size={16} /> : <Maximize2 size={16} />}
          </IconButton>
          <IconButton label="Close" hint="Esc" onClick={onClose}>
            <X size={16} />
          </IconButton>
        </div>
      </header>
      <div className={`shrink-0 px-5 ${isLow ? "mt-auto pb-2" : ""}`}>
        <DraftField
          id="task-title"
          draft={titleOf(task.id)}
          label="Title"
          value={task.title}
          maxLength={LIMITS.title}
          isOneLine
          onSave={(title, onTried) => updateTask(task.id, { title }, onTried)}
          className="max-h-24 text-xl font-semibold"
        />
      </div>
    </>
  );
}
