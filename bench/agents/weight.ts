// What following an agent costs in memory: Codex's app-server, OpenCode's plugin, Claude Code's hooks. Each agent is
// measured at rest after its first turn, as banto starts it and as agents.toml would, one after the other.
import { readFileSync, writeFileSync } from "node:fs";
import { claudeProgram } from "../../test/host/support/claude.ts";
import { ClaudeBoard } from "../../test/support/claude-board.ts";
import { CodexBoard } from "../../test/support/codex-board.ts";
import { OPENCODE } from "../../test/support/opencode.ts";
import { processesWith } from "../../test/support/processes.ts";
import { ScriptedBoard } from "../../test/support/scripted-board.ts";
import type { SessionBoard } from "../../test/support/sessions.ts";
import type { TaskRun } from "../../test/support/task-run.ts";
import { median, type Row } from "../row.ts";

const ROUNDS = 3;
const REPLY = "Here I am, at rest.";

interface Weighed extends AsyncDisposable {
  sessions: SessionBoard;
  run(title: string, replies: string[], fields?: Record<string, unknown>): Promise<TaskRun>;
  /** Where that may take long. */
  hasStarted?(title: string): Promise<unknown>;
}

interface Agent {
  what: string;
  /** As a person would start it in agents.toml. */
  plain: string[];
  start(): Promise<Weighed>;
  /** The process that banto adds, where it adds one: then nothing has to be compared. */
  added?: RegExp;
}

const AGENTS: Agent[] = [
  {
    what: "Codex's app-server for one session",
    plain: ["codex", "--no-daemon", "--", "{prompt}"],
    start: () => CodexBoard.start(),
    added: /app-server --listen/,
  },
  {
    what: "Claude Code's hooks for one session",
    plain: [claudeProgram(), "--", "{prompt}"],
    start: () => ClaudeBoard.start(),
  },
  {
    what: "OpenCode's plugin for one session",
    plain: ["opencode", "--prompt={prompt}"],
    start: () => ScriptedBoard.start(OPENCODE),
  },
];

/** Megabytes that only this process has, and its part of what it shares. */
function megabytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]) / 1_024;
}

/** What the agent's processes take, and of it what is taken by those that this fits. */
async function weigh(board: Weighed, agent: string | undefined, added: RegExp | undefined) {
  const title = `Come to rest ${agent ?? "as ever"} ${Math.random().toString(36).slice(2)}`;
  await using run = await board.run(title, [REPLY], agent === undefined ? {} : { agent });
  await board.hasStarted?.(title);
  await run.sees(/at rest\./);
  await Bun.sleep(SETTLED_MS);
  const processes = processesWith(`BANTO_TASK_ID=${run.id}\0`);
  const sum = (of: typeof processes) => of.reduce((all, { pid }) => all + megabytes(pid), 0);
  const weights = {
    all: sum(processes),
    added: sum(processes.filter(({ command }) => added?.test(command))),
  };
  await board.sessions.act(run.id, "stop");
  await board.sessions.ended(run.id);
  return weights;
}

/** Until what was needed only for the start and the turn has been collected. */
const SETTLED_MS = 3_000;

async function measure({ what, plain, start, added }: Agent): Promise<Row> {
  await using board = await start();
  const file = board.sessions.server.inData("agents.toml");
  writeFileSync(file, `${readFileSync(file, "utf8")}\n[agents.plain]\ncommand = ${JSON.stringify(plain)}\n`);
  const followed: number[] = [];
  const alone: number[] = [];
  const servers: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { all, added: server } = await weigh(board, undefined, added);
    followed.push(all);
    servers.push(server);
    alone.push((await weigh(board, "plain", undefined)).all);
  }
  const value = added === undefined ? median(followed) - median(alone) : median(servers);
  return {
    name: `memory of ${what}`,
    value,
    unit: "MB",
    ratio: median(followed) / median(alone),
    against: `the agent by itself, ${median(alone).toFixed(0)} MB; followed, ${median(followed).toFixed(0)} MB`,
  };
}

export async function measureWeight(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const agent of AGENTS) rows.push(await measure(agent));
  return rows;
}
