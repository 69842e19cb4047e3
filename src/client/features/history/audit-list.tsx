import type { AuditEntry } from "../../shared/api/rows.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Ago } from "../../shared/ui/time.tsx";
import { visibleText } from "../../shared/visible-text.ts";
import { auditText, auditTitle, auditWho } from "../../tasks/audit.ts";

interface AuditListProps {
  entries: AuditEntry[];
  /** What an entry is about, where that doesn't go without saying. */
  about(entry: AuditEntry): string | undefined;
  onMore?: (() => void) | undefined;
}

export function AuditList({ entries, about, onMore }: AuditListProps) {
  return (
    <>
      <ul className="divide-y divide-line rounded-ui border border-line bg-card">
        {entries.map((entry) => (
          <li key={entry.id} className="px-3 py-2">
            <Entry entry={entry} about={about(entry)} />
          </li>
        ))}
      </ul>
      {onMore && (
        <Button look="quiet" className="mt-1" onClick={onMore}>
          Show earlier ones
        </Button>
      )}
    </>
  );
}

function Entry({ entry, about }: { entry: AuditEntry; about: string | undefined }) {
  const text = auditText(entry);
  const who = auditWho(entry);
  return (
    <>
      <p className="flex gap-1.5 text-sm">
        <span className="shrink-0">{auditTitle(entry)}</span>
        {about !== undefined && <span className="min-w-0 truncate text-faint">{about}</span>}
        <span className="ml-auto shrink-0 text-faint">
          {who !== null && (
            <>
              {who} <span aria-hidden>·</span>{" "}
            </>
          )}
          <Ago at={entry.at} />
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
