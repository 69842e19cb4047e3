// From asking for a session to the first byte of its agent, against making the worktree and starting
// the program by hand.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeHome, claudeProgram, scriptedApi } from "../../test/host/support/claude.ts";
import { gitIn } from "../../test/support/repository.ts";
import { SessionBoard } from "../../test/support/sessions.ts";
import { tempDir } from "../../test/support/temp.ts";
import { TestViewer } from "../../test/support/viewer.ts";
import { median, type Row } from "../row.ts";

const ROUNDS = 15;
/** What was written a moment ago is looked at more closely than a repository that somebody works in (file-memory.ts). */
const OLD_MS = 2_500;
const SCRIPT = "echo first; exec sleep 1000";

async function addFiles(path: string, count: number) {
  for (let i = 0; i < count; i += 1) {
    const folder = join(path, `folder-${i % 50}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${i}`), `${"words and more words ".repeat(50)}${i}\n`);
  }
  await gitIn(path, "add", ".");
  await gitIn(path, "commit", "--quiet", "--message", `${count} files`);
}

interface Program {
  argv: string[];
  env: Record<string, string>;
  /** What the task says, and which agent reads it. */
  fields: Record<string, unknown>;
}

async function byHand(path: string, place: string, name: string, program: Program): Promise<number> {
  const started = performance.now();
  await gitIn(path, "worktree", "add", "--quiet", "-b", name, place);
  const first = Promise.withResolvers<void>();
  const child = Bun.spawn(program.argv, {
    cwd: place,
    env: { ...process.env, TERM: "xterm-256color", ...program.env },
    terminal: { cols: 120, rows: 40, data: () => first.resolve() },
  });
  await first.promise;
  const time = performance.now() - started;
  child.kill("SIGKILL");
  await child.exited;
  child.terminal?.close();
  return time;
}

async function byBanto(board: SessionBoard, program: Program): Promise<number> {
  const { id } = await board.addTask(SCRIPT, program.fields);
  const started = performance.now();
  const answer = await board.act(id, "start");
  if (answer.status !== 202) throw new Error(`start: ${answer.status} ${JSON.stringify(answer.body)}`);
  using viewer = TestViewer.open(board.server, id);
  await viewer.when(() => viewer.bytes().length > 0, "the first byte");
  const time = performance.now() - started;
  await board.settled(id);
  await board.act(id, "complete");
  return time;
}

async function measure(name: string, files: number, program: Program): Promise<Row> {
  await using board = await SessionBoard.start(program.env);
  const { repository } = board.board;
  await addFiles(repository.path, files);
  if (program.fields.agent === "claude") claudeHome(board.server.home, repository.path, 0);
  const atHome = { ...program, env: { ...program.env, HOME: board.server.home } };
  await Bun.sleep(OLD_MS);
  const hand: number[] = [];
  const banto: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const place = `by-hand-${round}`;
    hand.push(await byHand(repository.path, repository.beside(place), place, atHome));
    banto.push(await byBanto(board, program));
  }
  return {
    name: `start to first byte, ${name}, ${files.toLocaleString("en")} files`,
    value: median(banto),
    unit: "ms",
    ratio: median(banto) / median(hand),
    against: `git worktree add and the program by hand, ${median(hand).toFixed(0)} ms`,
    target: "≤ 1.5 ×",
  };
}

export async function measureStart(): Promise<Row[]> {
  using home = tempDir("claude");
  const api = scriptedApi("Hello.");
  const env = claudeHome(home.path, home.path, api.port ?? 0);
  const { HOME: _, ...settings } = env;
  const shell: Program = { argv: ["sh", "-c", SCRIPT], env: {}, fields: {} };
  const claude: Program = {
    argv: [claudeProgram(), "--", "Say something"],
    env: { ...settings, CLAUDE_CODE_EXECUTABLE: claudeProgram() },
    fields: { agent: "claude", title: "Say something", description: null },
  };
  try {
    return [
      await measure("sh", 20, shell),
      await measure("sh", 5_000, shell),
      await measure("Claude Code", 20, claude),
    ];
  } finally {
    api.stop(true);
  }
}
