import { TASK_STATUSES } from "../../../contract.ts";
import { focusTask, visibleColumn } from "../../features/board/board-state.ts";
import { closeDialog } from "../../shared/stores/dialog.ts";
import { Picker } from "../../shared/ui/picker.tsx";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { getTask, taskActions } from "../../tasks/tasks.ts";

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
