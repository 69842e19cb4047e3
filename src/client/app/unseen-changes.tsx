import type { AuditEntry, Project } from "../shared/api/rows.ts";
import { useStore } from "../shared/stores/store.ts";
import { showPage, view } from "../shared/stores/view.ts";
import { Button } from "../shared/ui/button.tsx";
import { Controls } from "../shared/ui/controls.tsx";
import { Ago } from "../shared/ui/time.tsx";
import { visibleText } from "../shared/visible-text.ts";
import { auditText, auditTitle, auditWho } from "../tasks/audit.ts";
import { placeOf } from "../tasks/seen.ts";
import { markSeen, useUnseen } from "../tasks/unseen.ts";

const LONGEST = 300;

/** Who else signed in, and what was changed for all agents or a whole project, until a person has dismissed it. */
export function UnseenChanges({ projects }: { projects: Project[] }) {
  const isHistory = useStore(view, ({ page }) => page === "history");
  const entries = useUnseen((_place, { taskId }) => taskId === null);
  const places = Map.groupBy(entries, placeOf);
  if (places.size === 0) return null;
  return (
    <section aria-label="What others did" role="status" className="border-b border-line bg-card text-sm">
      {[...places].map(([place, [newest, ...others]]) => {
        if (newest === undefined) return null;
        const name = projects.find(({ id }) => id === newest.projectId)?.name;
        return (
          <div key={place} className="flex items-center gap-3 px-5 py-2 narrow:pr-2">
            <div className="min-w-0 flex-1">
              <p>
                <span className="font-medium">{titleOf(newest)}</span>
                {name !== undefined && ` in ${name}`}
                <span className="text-faint">
                  {" "}
                  <Ago at={newest.at} />
                  {others.length > 0 && `, and ${others.length} more`}
                </span>
              </p>
              <p className="line-clamp-3 break-words text-muted">{explain(newest)}</p>
            </div>
            <Controls className="flex gap-2">
              {!isHistory && (
                <Button className="narrow:hidden" onClick={() => showPage("history")}>
                  Show in History
                </Button>
              )}
              <Button look="quiet" onClick={() => markSeen(newest)}>
                Dismiss
              </Button>
            </Controls>
          </div>
        );
      })}
    </section>
  );
}

const titleOf = (entry: AuditEntry) =>
  entry.action === "sign_in"
    ? "Another browser signed in"
    : `${auditTitle(entry)} ${entry.who.by === "file" ? entry.who.name : `by ${auditWho(entry)}`}`;

const explain = (entry: AuditEntry) =>
  entry.action === "sign_in"
    ? `${entry.who.name}, ${auditText(entry)}. If it wasn't you, delete the file "token" in banto's data directory and restart banto. That ends every login.`
    : visibleText(auditText(entry).slice(0, LONGEST));
