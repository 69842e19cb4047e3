import { join } from "node:path";
import { RUN_ID } from "./temp.ts";

export const ROOT = join(import.meta.dir, "../..");

/** In the environment of everything the tests start, so that what is left over can be found. */
export const RUN_MARKER = { name: "BANTO_TEST_RUN", value: RUN_ID };

/** As `bin/banto` starts it. */
export const SHIPPED_SERVER = [process.execPath, join(ROOT, "src/server/main.ts")];

/** The environment of a banto under test: nothing of the developer's own but PATH. */
export function environment(home: string, extra: Record<string, string> = {}): Record<string, string> {
  // As bin/bun sets it; without it bun would keep its cache in the home.
  const { PATH = "", BUN_RUNTIME_TRANSPILER_CACHE_PATH = "0" } = process.env;
  return {
    PATH,
    BUN_RUNTIME_TRANSPILER_CACHE_PATH,
    HOME: home,
    BANTO_PORT: "0",
    BANTO_DATA_DIR: join(home, "data"),
    [RUN_MARKER.name]: RUN_MARKER.value,
    ...extra,
  };
}

/** A wrapper that takes from root what makes permissions count for nothing. */
export const UNPRIVILEGED = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all"] : [];

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. */
export async function run(command: string[], env: Record<string, string>, cwd = ROOT): Promise<Finished> {
  const child = Bun.spawn(command, { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/** Runs `banto` with arguments, for the cases in which it ends by itself. */
export const runServer = (env: Record<string, string>, ...args: string[]) =>
  run([...SHIPPED_SERVER, ...args], env);
