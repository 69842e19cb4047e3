// Asks a program something that it prints and ends, such as its version.
import { statSync } from "node:fs";

type Environment = Record<string, string | undefined>;

const ANSWER_MS = 10_000;
const LAST_WORDS_MS = 100;

/** Asks again if the file has changed, the last answer is too old, or there was none. */
export function remembered<T>(ask: (path: string) => Promise<T>, goodFor = Number.POSITIVE_INFINITY) {
  let last: { stamp: string; at: number; answer: Promise<T | null> } | undefined;
  return (path: string): Promise<T | null> => {
    const stamp = stampOf(path);
    if (last?.stamp !== stamp || Date.now() - last.at >= goodFor) {
      const answer = ask(path).catch(() => {
        if (last?.answer === answer) last = undefined;
        return null;
      });
      last = { stamp, at: Date.now(), answer };
    }
    return last.answer;
  };
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return `${path}/${found?.ino}/${found?.mtimeMs}`;
}

export const printedBy = async (argv: string[], env: Environment): Promise<string> =>
  (await askProgram(argv, env)).printed;

/**
 * What a program prints, and its exit code. Waits only for the program itself: what it leaves running may hold the pipe
 * open for ever.
 */
export async function askProgram(
  argv: string[],
  env: Environment,
): Promise<{ printed: string; code: number }> {
  const child = Bun.spawn(argv, {
    env,
    cwd: "/",
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: ANSWER_MS,
    killSignal: "SIGKILL",
  });
  const reader = child.stdout.getReader();
  const chunks: Uint8Array[] = [];
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  };
  const printed = read();
  const code = await child.exited;
  await Promise.race([printed, Bun.sleep(LAST_WORDS_MS)]);
  await reader.cancel();
  if (child.signalCode !== null) throw new Error(`${argv.join(" ")} took too long`);
  return { printed: Buffer.concat(chunks).toString(), code };
}
