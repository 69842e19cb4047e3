import type { AuditEntry, Task } from "../../shared/api/rows.ts";
import { Ago } from "../../shared/ui/time.tsx";
import { visibleText } from "../../shared/visible-text.ts";
import { auditText, auditTitle, useTaskAudit } from "../../tasks/audit.ts";

/** Every answer to this task's agents, and every change of what they may do or run. */
export function TaskAudit({ task }: { task: Task }) {
  const { data: entries = [] } = useTaskAudit(task);
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="audit" className="mt-5">
      <h3 id="audit" className="text-sm font-medium">
        Answers and changes
      </h3>
      <p className="mt-0.5 mb-2 text-xs text-muted">
        Every answer, exactly as the question was shown, and every change to what agents may do or run.
        Nothing here can be changed or removed.
      </p>
      <ul className="divide-y divide-line rounded-ui border border-line bg-card">
        {entries.map((entry) => (
          <li key={entry.id} className="px-3 py-2">
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const text = auditText(entry);
  return (
    <>
      <p className="flex gap-1.5 text-sm">
        <span>{auditTitle(entry)}</span>
        {entry.taskId === null && <span className="text-faint">for the whole project</span>}
        <span className="ml-auto shrink-0 text-faint">
          {entry.who.name} <span aria-hidden>·</span> <Ago at={entry.at} />
        </span>
      </p>
      {text !== "" && (
        <pre className="mt-1 max-h-40 overflow-auto font-mono text-xs wrap-anywhere whitespace-pre-wrap text-muted [direction:ltr] [font-variant-ligatures:none] [unicode-bidi:isolate-override]">
          {visibleText(text)}
        </pre>
      )}
    </>
  );
}
