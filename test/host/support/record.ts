// Recordings of real programs: somebody at a keyboard, who waits for what they know will appear.
import { baseEnvironment } from "./host.ts";
import type { Recording } from "./score.ts";

interface Step {
  /** Typed once this is in the output since the last step. */
  after: string | RegExp;
  type: string;
}

export interface Performance {
  name: string;
  argv: string[];
  cwd: string;
  cols: number;
  rows: number;
  env?: Record<string, string>;
  steps: Step[];
  /** The program is ended when this appears after the last step; without it, it ends by itself. */
  until?: string | RegExp;
}

const PATIENCE_MS = 20_000;

export async function record({
  name,
  argv,
  cwd,
  cols,
  rows,
  env = {},
  steps,
  until,
}: Performance): Promise<Recording> {
  const parts: Uint8Array[] = [];
  let fresh = "";
  let look = () => {};
  const child = Bun.spawn(argv, {
    cwd,
    env: { ...baseEnvironment(cwd), ...env },
    terminal: {
      cols,
      rows,
      data(_terminal, chunk) {
        parts.push(chunk.slice());
        fresh += Buffer.from(chunk).toString("utf8");
        look();
      },
    },
  });
  const appears = (wanted: string | RegExp) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        reject(new Error(`${name} never showed ${String(wanted)}, but ${JSON.stringify(fresh.slice(-400))}`));
      }, PATIENCE_MS);
      look = () => {
        if (typeof wanted === "string" ? !fresh.includes(wanted) : !wanted.test(fresh)) return;
        clearTimeout(timer);
        fresh = "";
        look = () => {};
        resolve();
      };
      look();
    });
  for (const step of steps) {
    await appears(step.after);
    child.terminal?.write(step.type);
  }
  if (until !== undefined) {
    await appears(until);
    child.kill("SIGKILL");
  }
  await child.exited;
  child.terminal?.close();
  return { name, cols, rows, bytes: Buffer.concat(parts) };
}
