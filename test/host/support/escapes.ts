// What a program can do so that it is not found when its session is stopped.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findProcesses, readProcess } from "../../../src/host/processes/processes.ts";
import { type TestHost, until } from "./host.ts";

export const STOP_LIMIT_MS = 10_000;

/** Each leaves its process id in a file called pid and then sleeps for a very long time. */
export const ESCAPES: Record<string, string> = {
  "an ordinary child": "sh -c 'echo $$ > pid; exec sleep 5000' & wait",
  "a child in the background of a finished script": "(sh -c 'echo $$ > pid; exec sleep 5000' &) ; sleep 5000",
  "one that ignores hang-ups (nohup)": "nohup sh -c 'echo $$ > pid; exec sleep 5000' >/dev/null 2>&1 & wait",
  "one in a session of its own (setsid)": "setsid sh -c 'echo $$ > pid; exec sleep 5000' & sleep 5000",
  "a daemon that forked twice":
    "setsid sh -c '(setsid sh -c \"echo \\$\\$ > pid; exec sleep 5000\" &)' ; sleep 5000",
  "one that ignores SIGTERM, SIGHUP and SIGINT":
    "setsid sh -c 'trap \"\" TERM HUP INT; echo $$ > pid; while :; do sleep 1; done' & sleep 5000",
  "one that throws its environment away when it is asked to end":
    "setsid sh -c 'trap \"exec env -i sleep 5000\" TERM; echo $$ > pid; while :; do sleep 0.05; done' & sleep 5000",
  "a stopped one": "setsid sh -c 'echo $$ > pid; kill -STOP $$; sleep 5000' & sleep 5000",
  "one whose parent cleared the environment, inside the terminal's session":
    "env -i PATH=$PATH sh -c 'echo $$ > pid; exec sleep 5000' & wait",
  "one without environment in a session of its own":
    "env -i setsid sh -c 'echo $$ > pid; exec sleep 5000' & sleep 5000",
  "the same under another name": `env -i setsid bash -c 'echo $$ > pid; exec -a "[kworker/0:1]" sleep 5000' & sleep 5000`,
  "a daemon without environment whose parents have gone":
    "env -i setsid sh -c '(setsid sh -c \"echo \\$\\$ > pid; exec sleep 5000\" &)' ; sleep 5000",
  "one that without environment starts itself anew when it is asked to end":
    "echo 'echo $$ > pid2; exec sleep 5000' > again; env -i setsid sh -c 'trap \"(sh again &) ; exit\" TERM; echo $$ > pid; while :; do sleep 0.05; done' & sleep 5000",
};

export async function pidFrom(host: TestHost): Promise<number> {
  const path = join(host.dir, "pid");
  await until(() => existsSync(path) && readFileSync(path, "utf8").includes("\n"), "the process to start");
  return Number(readFileSync(path, "utf8"));
}

/** Stops a session whose program tries to get away, and says how long that took and what is left of it. */
export async function stopEscaped(host: TestHost) {
  const escaped = await pidFrom(host);
  if (!isAlive(escaped)) throw new Error("it ended by itself");
  const client = await host.connect();
  const began = performance.now();
  await client.stop();
  const tookMs = performance.now() - began;
  const names = readdirSync(host.dir).filter((name) => name.startsWith("pid"));
  return {
    tookMs,
    pids: names.map((name) => Number(readFileSync(join(host.dir, name), "utf8"))).filter(isAlive),
    known: findProcesses(host.sessionId, { leader: host.pid }).own,
    children: processes().filter((found) => found.parent === host.hostPid && found.state !== "Z"),
  };
}

export const isAlive = (pid: number) => !["Z", undefined].includes(readProcess(pid)?.state);

const processes = () =>
  readdirSync("/proc")
    .map(Number)
    .filter(Boolean)
    .map(readProcess)
    .filter((found) => found !== undefined);
