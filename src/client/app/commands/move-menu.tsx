import { TASK_STATUSES } from "../../../contract.ts";
import { visibleColumn } from "../../features/board/board-state.ts";
import { focusTask } from "../../shared/stores/focus.ts";
import { closeDialog } from "../../shared/ui/open-dialog.ts";
import { Picker } from "../../shared/ui/picker.tsx";
import { updateTask } from "../../tasks/changes.ts";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { getTask } from "../../tasks/tasks.ts";

export function MoveMenu({ taskId }: { taskId: string }) {
  const current = getTask(taskId)?.status;
  const choices = TASK_STATUSES.map((status) => ({
    id: status,
    label: COLUMN_NAMES[status],
    isCurrent: status === current,
    run() {
      if (status !== current) updateTask(taskId, { status });
      visibleColumn.set(status);
      focusTask(taskId);
    },
  }));
  return <Picker label="Move to" placeholder="Move to…" choices={choices} onClose={closeDialog} />;
}
