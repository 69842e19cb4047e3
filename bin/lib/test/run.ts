// Runs one check or one test file in a process of its own.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SYSTEM_PATH } from "../programs.ts";
import { checkCommand, ROOT } from "./items.ts";

/** Generous: no test is about how long something takes. */
const TIMEOUT = "--timeout=60000";

export interface Result {
  name: string;
  passed: number;
  failed: number;
  output: string;
  tookMs: number;
  /** Of the process and everything it waited for. */
  cpuMs: number;
}

export interface RunOptions {
  isDeep: boolean;
  /** The first of the ports it may use. */
  port: number;
  /** What the item finds in its environment besides. */
  extra: Record<string, string>;
}

type Finished = Pick<Result, "output" | "tookMs" | "cpuMs"> & { code: number };

export async function runItem(name: string, options: RunOptions): Promise<Result> {
  const check = checkCommand(name);
  if (check === undefined) return runTestFile(name, options);
  const { code, ...finished } = await runBun(check, options);
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, ...finished };
}

/** Counts by the report; a file that breaks off counts as one failure more. */
async function runTestFile(name: string, options: RunOptions): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "banto-report-"));
  const report = join(folder, "junit.xml");
  const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
  const { code, ...finished } = await runBun(["test", TIMEOUT, ...reporter, `./${name}`], options);
  const { passed, failed } = readCounts(report);
  rmSync(folder, { recursive: true, force: true });
  return { name, passed, failed: failed + (code !== 0 && failed === 0 ? 1 : 0), ...finished };
}

function readCounts(report: string) {
  try {
    const head = /<testsuites [^>]*>/.exec(readFileSync(report, "utf8"))?.[0] ?? "";
    const number = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
    const failed = number("failures");
    return { passed: number("tests") - failed - number("skipped"), failed };
  } catch {
    return { passed: 0, failed: 0 };
  }
}

async function runBun(args: string[], options: RunOptions): Promise<Finished> {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: ROOT,
    env: environment(options),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const parts: string[] = [];
  const keep = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) parts.push(decoder.decode(chunk, { stream: true }));
  };
  const [, , code] = await Promise.all([keep(child.stdout), keep(child.stderr), child.exited]);
  const cpu = child.resourceUsage()?.cpuTime.total ?? 0n;
  return {
    code,
    output: parts.join(""),
    tookMs: performance.now() - startedAt,
    cpuMs: Number(cpu) / 1_000,
  };
}

function environment({ isDeep, port, extra }: RunOptions): Record<string, string | undefined> {
  return {
    ...process.env,
    PATH: SYSTEM_PATH,
    BUN_INSTALL_CACHE_DIR: join(ROOT, ".tools/bun-cache"),
    XDG_CACHE_HOME: join(ROOT, ".tools/cache"),
    BANTO_TEST_PORTS: String(port),
    ...(isDeep && { BANTO_TEST_DEPTH: "deep" }),
    ...extra,
  };
}
