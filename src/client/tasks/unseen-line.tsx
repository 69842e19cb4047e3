import type { Task } from "../shared/api/rows.ts";
import { useStore } from "../shared/stores/store.ts";
import { openTab } from "../shared/stores/tabs.ts";
import { view } from "../shared/stores/view.ts";
import { Ago } from "../shared/ui/time.tsx";
import { visibleText } from "../shared/visible-text.ts";
import { auditText, auditTitle, auditWho } from "./audit.ts";
import { useUnseen } from "./unseen.ts";

interface UnseenLineProps {
  task: Task;
  /** It leaves it to the panel when that is open. */
  isOnCard?: boolean;
  isTabStop?: boolean;
}

/** What was answered or changed here by someone or something else, until it has been seen in the card's History. */
export function UnseenLine({ task, isOnCard = false, isTabStop = true }: UnseenLineProps) {
  const [entry, ...others] = useUnseen((place) => place === task.id);
  const isOpen = useStore(view, ({ taskId }) => taskId === task.id);
  if (entry === undefined || (isOnCard && isOpen)) return null;
  const text = visibleText(auditText(entry));
  const who = auditWho(entry);
  return (
    <button
      type="button"
      data-answered
      tabIndex={isTabStop ? 0 : -1}
      title={`${text}\n\nShow it in the card's History`}
      className="mt-1 block w-full min-w-0 rounded text-left text-xs text-muted hover:text-text touch:min-h-11"
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        openTab(task.id, "history");
      }}
    >
      <span className="block truncate">
        {[auditTitle(entry), who].filter(Boolean).join(" · ")} · <Ago at={entry.at} />
        {others.length > 0 && ` · and ${others.length} more`}
      </span>
      <bdi className="block truncate font-mono text-faint [font-variant-ligatures:none]">
        {text.split("\n", 1)[0]}
      </bdi>
    </button>
  );
}
