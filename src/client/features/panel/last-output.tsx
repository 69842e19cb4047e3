import type { ReactNode } from "react";
import type { Task } from "../../shared/api/rows.ts";
import { failureOf } from "../../tasks/display-status.ts";

export function Hint({ children }: { children: ReactNode }) {
  return <p className="m-auto max-w-sm p-8 text-center text-sm text-muted">{children}</p>;
}

/** The last output of a session whose terminal is gone. */
export function LastOutput({ task }: { task: Task }) {
  const output = failureOf(task)?.output ?? "";
  if (output === "") return <Hint>The last session left no terminal output.</Hint>;
  return (
    <section aria-label="Last output" className="px-5 py-4">
      <h3 className="text-xs text-faint">Last output</h3>
      <pre className="mt-1 font-mono text-xs break-words whitespace-pre-wrap">{output}</pre>
    </section>
  );
}
