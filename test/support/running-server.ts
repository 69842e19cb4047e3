import { join } from "node:path";
import { readConfig } from "../../src/server/config.ts";
import { createLog } from "../../src/server/log.ts";
import { ROOT } from "./program.ts";

/** One file each, made by bin/test (bin/lib/test/bundle.ts): loading the sources takes three times as long. */
const { BANTO_TEST_BUNDLE: bundle } = process.env;
const SERVER_PROCESS = bundle
  ? join(bundle, "test/support/server-process.js")
  : join(ROOT, "test/support/server-process.ts");
const SERVE = bundle ? join(bundle, "src/server/serve.js") : join(ROOT, "src/server/serve.ts");

/** What runs the server in a process of its own. */
export const SERVER_COMMAND = [process.execPath, SERVER_PROCESS];

export interface RunningServer {
  url: string;
  loginLink: string;
  /** Of a process of its own. */
  pid?: number;
  kill(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number | null>;
  /** From now on it tells its steps, and dies at one: see server-process.ts. */
  arm?(): void;
}

type Print = (text: string) => void;

/** A process of its own. */
export async function spawnServer(
  command: string[],
  env: Record<string, string>,
  print: Print,
): Promise<RunningServer> {
  const child = Bun.spawn(command, { cwd: ROOT, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  let printed = "";
  const keep = (text: string) => {
    printed += text;
    print(text);
  };
  const logged = collect(child.stderr, keep);
  await collect(child.stdout, keep, () => printed.includes("\nlog in: "));
  const url = /^banto ready (\S+)$/m.exec(printed)?.[1];
  const loginLink = /^log in: (\S+)$/m.exec(printed)?.[1];
  if (url === undefined || loginLink === undefined) {
    await logged;
    throw new Error(`the server did not start:\n${printed}`);
  }
  return {
    url,
    loginLink,
    pid: child.pid,
    async kill(signal) {
      child.kill(signal);
      await child.exited;
      return child.exitCode;
    },
    arm: () => child.kill("SIGUSR2"),
  };
}

/** Keeps reading what the server prints; returns at the end, or as soon as `isEnough`. */
function collect(stream: ReadableStream<Uint8Array>, keep: Print, isEnough = () => false): Promise<void> {
  const decoder = new TextDecoder();
  return new Promise((resolve, reject) => {
    const read = async () => {
      for await (const chunk of stream) {
        keep(decoder.decode(chunk, { stream: true }));
        if (isEnough()) resolve();
      }
      resolve();
    };
    read().catch(reject);
  });
}

let isServing = false;

/** In this process, which has the server's environment meanwhile. */
export async function runServerHere(env: Record<string, string>, print: Print): Promise<RunningServer> {
  if (isServing) throw new Error("there can be one server in this process; start others as processes");
  isServing = true;
  const restore = replaceEnvironment(env);
  const end = () => {
    restore();
    isServing = false;
  };
  try {
    const { serve }: typeof import("../../src/server/serve.ts") = await import(SERVE);
    const log = createLog(print);
    const { url, loginUrl, stop } = await serve({ config: readConfig(env), log, keepsSpareHost: false });
    return {
      url,
      loginLink: loginUrl,
      async kill(signal) {
        if (signal === "SIGKILL") throw new Error("only a server with a process of its own can be killed");
        await stop().finally(end);
        return 0;
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}

function replaceEnvironment(env: Record<string, string>): () => void {
  const before = { ...process.env };
  const set = (to: Record<string, string | undefined>) => {
    for (const name of Object.keys(process.env)) if (!(name in to)) delete process.env[name];
    Object.assign(process.env, to);
  };
  set(env);
  return () => set(before);
}
