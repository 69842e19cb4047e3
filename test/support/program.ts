import { join } from "node:path";

export const ROOT = join(import.meta.dir, "../..");

/** In the environment of everything the tests start, so that what is left over can be found. */
export const RUN_MARKER = { name: "BANTO_TEST_RUN", value: String(process.pid) };

const SERVER = [process.execPath, join(ROOT, "src/server/main.ts")];

/** The environment of a banto under test: nothing of the developer's own but PATH. */
export function environment(home: string, extra: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    BANTO_PORT: "0",
    BANTO_DATA_DIR: join(home, "data"),
    [RUN_MARKER.name]: RUN_MARKER.value,
    ...extra,
  };
}

export function startServer(env: Record<string, string>) {
  return Bun.spawn(SERVER, { cwd: ROOT, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}

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
export const runServer = (env: Record<string, string>, ...args: string[]) => run([...SERVER, ...args], env);
