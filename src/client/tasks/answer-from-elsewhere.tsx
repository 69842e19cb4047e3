import type { Task } from "../shared/api/rows.ts";
import { Ago } from "../shared/ui/time.tsx";
import { visibleText } from "../shared/visible-text.ts";
import { auditText, auditTitle, useAnswerFromElsewhere } from "./audit.ts";

/** Says what was answered in this session by someone or something else, so that nothing is allowed unseen. */
export function AnswerFromElsewhere({ task }: { task: Task }) {
  const entry = useAnswerFromElsewhere(task);
  if (entry === undefined) return null;
  const text = visibleText(auditText(entry));
  return (
    <p data-answered title={text} className="mt-1 flex min-w-0 gap-1 text-xs text-faint">
      <span className="shrink-0">{auditTitle(entry)}:</span>
      <bdi className="min-w-0 truncate font-mono [font-variant-ligatures:none]">{text.split("\n", 1)[0]}</bdi>
      <span className="shrink-0">
        by {entry.who.name} <Ago at={entry.at} />
      </span>
    </p>
  );
}
