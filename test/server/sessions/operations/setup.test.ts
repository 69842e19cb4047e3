// The setup command, run for real in the terminal in which the agent follows.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findProcesses, readProcess } from "../../../../src/host/processes/processes.ts";
import { withSetup } from "../../../../src/server/sessions/operations/setup.ts";
import { startHost, until } from "../../../host/support/host.ts";
import { type Watcher, watch } from "../../../host/support/watcher.ts";

// Programs start slowly on a busy machine.
setDefaultTimeout(60_000);

/** Says that it runs, where, as which process, and with which arguments. */
const AGENT = ["sh", "-c", 'touch agent-ran; echo "agent $$ in $PWD"; printf "<%s>" "$@"', "sh"];

const setUp = (command: string, argv: string[]) => withSetup(command, "needs-setup", argv);
const finished = (watcher: Watcher) => watcher.when(({ exits }) => exits.length === 1, "the end");
/** dash loses a signal that comes while it starts a program. */
const isWaitedFor = (leader: number, program: string) =>
  findProcesses("", { leader }).own.some(
    ({ pid, parent }) =>
      readFileSync(`/proc/${pid}/comm`, "utf8").trim() === program && readProcess(parent)?.state === "S",
  );
const agentRan = (dir: string) => existsSync(join(dir, "agent-ran"));

test("it runs first, then the agent takes over its process, with its arguments as they were", async () => {
  const odd = ["-x", 'it\'s "odd"', "$HOME `id`", "two\nlines", "", "*"];
  await using host = await startHost(setUp("echo one; echo two >&2; cd /", [...AGENT, ...odd]));
  const viewer = await watch(host);
  await finished(viewer);
  expect(viewer.exits).toEqual([{ code: 0, signal: null }]);
  const text = viewer.text().replaceAll("\r\n", "\n");
  expect(text).toMatch(/one\ntwo\nagent \d+ in/);
  expect(text).toContain(`agent ${host.pid} in ${host.dir}\n`);
  expect(text).toContain(odd.map((argument) => `<${argument}>`).join(""));
});

test.each([
  ["a command that fails", "echo trying; exit 3", 3],
  ["a program that is not there", "no-such-installer --now", 127],
  ["a syntax error", "if then", 2],
  ["a command that looks like an option", "-x", 127],
  ["a command killed by a signal", "kill -9 $$", 137],
])("%s ends the session with its code and a word about it", async (_, command, code) => {
  await using host = await startHost(setUp(command, AGENT));
  const viewer = await watch(host);
  await finished(viewer);
  expect(viewer.exits).toEqual([{ code, signal: null }]);
  expect(viewer.text()).toContain(`the setup command failed with exit code ${code}`);
  expect(viewer.text()).toContain("then resume or retry");
  expect(agentRan(host.dir)).toBe(false);
});

test.each([
  ["^C", "\x03", "was interrupted", 130],
  ["^\\", "\x1c", "failed with exit code 131", 131],
])("%s ends it, and the agent is not started", async (_, key, says, code) => {
  await using host = await startHost(setUp("echo installing; sleep 5000; echo went on | tr a-z A-Z", AGENT));
  const viewer = await watch(host);
  await viewer.sees("installing\r\n");
  await until(() => isWaitedFor(host.pid, "sleep"), "sleep");
  viewer.client.send(key);
  await finished(viewer);
  expect(viewer.exits).toEqual([{ code, signal: null }]);
  expect(viewer.text()).toContain(`the setup command ${says}`);
  expect(viewer.text()).not.toContain("WENT ON");
  expect(agentRan(host.dir)).toBe(false);
});

test("^C works in the agent that follows as it always does", async () => {
  // Not a shell: one that gets it between its output and its next command may miss it.
  const agent = [process.execPath, "-e", 'console.log("ready"); setInterval(() => {}, 1e6)'];
  await using host = await startHost(setUp("true", agent));
  const viewer = await watch(host);
  await viewer.sees("ready\r\n");
  viewer.client.send("\x03");
  await finished(viewer);
  expect(viewer.exits).toEqual([{ code: null, signal: "SIGINT" }]);
});

test("what it asks can be answered in the terminal", async () => {
  await using host = await startHost(setUp("printf 'Token: '; read token; echo got $token", AGENT));
  const viewer = await watch(host);
  await viewer.sees("Token: ");
  viewer.client.send("s3cret\r");
  await finished(viewer);
  expect(viewer.text()).toContain("got s3cret");
  expect(agentRan(host.dir)).toBe(true);
});

test("a command of several lines runs as the script it is", async () => {
  const script = "set -e\nfor i in 1 2 3; do\n  echo line $i\ndone\ncat <<END\nhere\nEND";
  await using host = await startHost(setUp(script, AGENT));
  const viewer = await watch(host);
  await finished(viewer);
  expect(viewer.text()).toMatch(/line 1\r\nline 2\r\nline 3\r\nhere\r\nagent/);
});
