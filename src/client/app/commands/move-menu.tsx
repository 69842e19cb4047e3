import { TASK_STATUSES } from "../../../contract.ts";
import { focusTask, visibleColumn } from "../../features/board/board-state.ts";
import { COLUMN_NAMES } from "../../features/board/columns.ts";
import { Picker } from "../../shared/ui/picker.tsx";
import { getTask, taskActions } from "../../tasks/tasks.ts";
import { closeDialog } from "./dialogs.ts";

export function MoveMenu({ taskId }: { taskId: string }) {
  const { update } = taskActions;
  const current = getTask(taskId)?.status;
  const choices = TASK_STATUSES.map((status) => ({
    id: status,
    label: COLUMN_NAMES[status],
    isCurrent: status === current,
    run() {
      if (status !== current) update(taskId, { status });
      visibleColumn.set(status);
      focusTask(taskId);
    },
  }));
  return <Picker label="Move to" placeholder="Move to…" choices={choices} onClose={closeDialog} />;
}
