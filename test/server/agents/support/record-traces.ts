// Records what is told of real runs of the newest Claude Code, for traces.test.ts to replay. Run by hand when Claude
// Code changes: bin/bun test/server/agents/support/record-traces.ts [name…]
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PINNED } from "../../../../bin/lib/agent-programs.ts";
import type { ActivityKind } from "../../../../src/contract.ts";
import { followStateFile } from "../../../../src/server/agents/claude/state-file.ts";
import type { Observation } from "../../../../src/server/agents/reading.ts";
import { createRunDir } from "../../../../src/server/hosts/run-dir.ts";
import { createSessionWatch } from "../../../../src/server/sessions/observe/session-watch.ts";
import { ClaudeBoard, type ClaudeRun, ESC } from "../../../support/claude-board.ts";
import type { Reply } from "../../../support/messages-api.ts";
import type { Trace } from "./replay.ts";

const bash = (command: string): Reply => ({ tool: "Bash", input: { command, description: "Do it" } });
const longest = "until [ -e go ]; do sleep 0.05; done; touch gone";

const VERSION = PINNED.claude.at(-1) as string;
const FOLDER = join(import.meta.dir, "..", "traces", VERSION);
/** What comes after the last word must not change it. */
const AFTERWARDS_MS = 3_000;

/** What is said to each, and what is done to it. */
const RUNS: Record<string, [Reply[], (run: ClaudeRun) => Promise<unknown>]> = {
  "a plain answer": [["This is it."], (run) => run.is("finished")],
  "several tools": [
    [
      { say: "First.", tools: [{ tool: "Read", input: { file_path: "README.md" } }] },
      bash("ls"),
      bash("pwd"),
      "Used.",
    ],
    (run) => run.is("finished"),
  ],
  "allowed from the board": [
    [bash("touch one"), "Made."],
    async (run) => {
      await run.is("permission");
      await run.answer({ decision: "allow" });
      await run.is("finished");
    },
  ],
  "allowed in the terminal": [
    [bash(longest), "Gone."],
    async (run) => {
      await run.is("permission");
      await run.answerDialog(/1\. Yes/, "\r");
      await run.is("working");
      writeFileSync(join(run.task.worktreePath ?? "", "go"), "");
      await run.is("finished");
    },
  ],
  "called off while it asks": [
    [bash("touch never")],
    async (run) => {
      await run.is("permission");
      await run.answerDialog(/1\. Yes/, ESC);
      await run.is("idle");
    },
  ],
  "interrupted, then prompted again": [
    [{ begin: "I am thinking\n\nand thinking" }, "Something else."],
    async (run) => {
      await run.sees(/I am thinking/);
      await run.keys(ESC);
      await run.is("idle");
      await Bun.sleep(AFTERWARDS_MS);
      await run.prompt("Something else");
      await run.is("finished");
    },
  ],
  "a rate limit": [
    [{ status: 429, error: "rate_limit_error", message: "Too many." }],
    (run) => run.is("limited"),
  ],
  "a dialog that somebody opens": [
    ["Said."],
    async (run) => {
      await run.is("finished");
      await Bun.sleep(AFTERWARDS_MS);
      await run.prompt("/model");
      await run.sees(/Select model/);
      await Bun.sleep(AFTERWARDS_MS);
      await run.answerDialog(/Select model/, ESC);
      await run.is("finished");
    },
  ],
  "compacted by hand": [
    ["Said.", "A summary."],
    async (run) => {
      await run.is("finished");
      await Bun.sleep(AFTERWARDS_MS);
      await run.prompt("/compact");
      await run.sees(/Conversation compacted/);
    },
  ],
  "a shell in the background": [
    [{ tool: "Bash", input: { command: "sleep 5", description: "Wait", run_in_background: true } }, "Begun."],
    async (run) => {
      await run.is("background");
      await run.sees(/completed/);
      await run.is("finished");
    },
  ],
  cleared: [
    ["Said."],
    async (run) => {
      await run.is("finished");
      await Bun.sleep(AFTERWARDS_MS);
      await run.prompt("/clear");
      await run.is("idle");
    },
  ],
};

await using board = await ClaudeBoard.start();
mkdirSync(FOLDER, { recursive: true });
const wanted = process.argv.slice(2);
for (const [name, [replies, act]] of Object.entries(RUNS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const heard: Observation[] = [];
  const nothing = () => {};
  const watch = createSessionWatch({
    runDir: createRunDir(join(board.server.dataDir, "run")),
    connected: async () => {},
    observed: (_, observation) => heard.push(observation),
    ...{
      caughtUp: nothing,
      glimpse: nothing,
      bell: nothing,
      troubled: nothing,
      ended: nothing,
      failed: nothing,
    },
  });
  await using run = await board.run(`Record ${name}`, replies);
  const { sessionId } = await run.until(({ sessionStatus }) => sessionStatus === "running", "running");
  const session = { taskId: run.id, sessionId: sessionId ?? "" };
  await watch.open(session);
  const [agent] = board.sessions.agentsOf(run.id);
  const file = followStateFile(
    join(board.server.home, ".claude"),
    { pid: agent?.pid ?? 0, agentSessionId: run.task.agentSessionId ?? "" },
    (note) => heard.push({ type: "note", ...note, at: Date.now() }),
  );
  await act(run);
  await Bun.sleep(AFTERWARDS_MS);
  watch.dispose();
  file.close();
  const kinds = run.rows.flatMap(({ activity }) => activity?.kind ?? []);
  const history = kinds.filter((kind, i): kind is ActivityKind => kind !== kinds[i - 1]);
  writeFileSync(
    join(FOLDER, `${name.replace(/\W+/g, "-")}.json`),
    JSON.stringify(traceOf(name, history, heard)),
  );
}

function traceOf(name: string, history: ActivityKind[], heard: Observation[]): Trace {
  const begun = Math.min(...heard.map(({ at }) => at));
  const screens: string[] = [];
  const indexOf = (text: string) => {
    if (!screens.includes(text)) screens.push(text);
    return screens.indexOf(text);
  };
  const news = heard
    .filter((one) => one.type !== "signal" || one.signal.name !== "status")
    .map((one) => {
      const at = one.at - begun;
      if (one.type === "signal") return { ...one, at, signal: { ...one.signal, at } };
      if (one.type === "note") return { ...one, at, body: stateSince(one.body, begun) };
      if (one.type === "program") {
        return { ...one, at, reports: one.reports.map((report) => ({ ...report, at: report.at - begun })) };
      }
      if (one.type !== "screen") return { ...one, at };
      return {
        type: one.type,
        at,
        quiet: one.quiet,
        cursor: one.screen.cursor,
        screen: indexOf(one.screen.text),
      };
    });
  return { name, history, screens, news } as Trace;
}

/** What of the file counts. */
function stateSince(body: unknown, begun: number) {
  if (body === null) return null;
  const { status, waitingFor, statusUpdatedAt, sessionId } = body as Record<string, unknown>;
  return { status, waitingFor, sessionId, statusUpdatedAt: Number(statusUpdatedAt) - begun };
}
