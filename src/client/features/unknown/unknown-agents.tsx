import type { UnknownSession } from "../../shared/api/rows.ts";
import { adoptSession, endSession, useUnknownSessions } from "../../shared/api/unknown-sessions.ts";
import { Button } from "../../shared/ui/button.tsx";
import { MiddleCut } from "../../shared/ui/middle-cut.tsx";
import { Ago } from "../../shared/ui/time.tsx";
import { attempt } from "../../shared/ui/toast.tsx";

/** Agents that are running though the board doesn't know about them. Nobody but a person decides what becomes of them. */
export function UnknownAgents() {
  const { data = [] } = useUnknownSessions();
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="unknown-agents" className="border-b border-line bg-card px-5 py-3 text-sm">
      <h2 id="unknown-agents" className="font-medium text-needs">
        {data.length === 1 ? "An agent is running" : `${data.length} agents are running`} that this board
        doesn't know about
      </h2>
      <p className="mt-0.5 max-w-3xl text-muted">
        This happens when an older backup of the database has been put back. Adopt an agent to give it to its
        task again, or end it: its worktree stays.
      </p>
      <ul className="mt-2 flex flex-col gap-2">
        {data.map((session) => (
          <li key={session.id} className="flex items-center gap-3 narrow:flex-col narrow:items-stretch">
            <Agent session={session} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Agent({ session }: { session: UnknownSession }) {
  const { title, terminalTitle, branch, startedAt, taskId } = session;
  const name = title ?? terminalTitle ?? branch ?? "An agent";
  return (
    <>
      <div className="flex min-w-0 flex-1 items-center gap-2">
        <span className="truncate">{name}</span>
        {branch !== null && <MiddleCut text={branch} className="font-mono text-xs text-muted" />}
        <span className="shrink-0 text-xs text-faint">
          {startedAt === null ? "isn't answering" : <Ago at={startedAt} />}
        </span>
      </div>
      <div className="flex gap-2">
        {taskId !== null && (
          <Button
            look="primary"
            aria-label={`Adopt ${name}`}
            onClick={() => void attempt("Couldn't adopt it", (change) => adoptSession(session, change))}
          >
            Adopt
          </Button>
        )}
        <Button
          aria-label={`End ${name}`}
          onClick={() => void attempt("Couldn't end it", (change) => endSession(session, change))}
        >
          End
        </Button>
      </div>
    </>
  );
}
