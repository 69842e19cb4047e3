import { getTasks } from "../shared/api/lists.ts";
import type { AuditEntry } from "../shared/api/rows.ts";
import { openTab } from "../shared/stores/tabs.ts";
import { showToast } from "../shared/ui/toast.tsx";
import { auditText, auditTitle } from "../tasks/audit.ts";

/** What agents may do or run was changed by no browser: whoever is at the page hears of it. */
export function tellOfChange(entry: AuditEntry) {
  const { action, who, taskId } = entry;
  if (who.by === "browser" || action === "answer" || action === "answer_too_late") return;
  const task = getTasks().find(({ id }) => id === taskId);
  showToast({
    title: `${auditTitle(entry)} ${who.by === "file" ? who.name : `by ${who.name}`}`,
    detail: [task?.title, auditText(entry).slice(0, 300)].filter(Boolean).join(": "),
    stays: true,
    ...(task && { action: { label: "Show", run: () => openTab(task.id, "history") } }),
  });
}
