// What a hook costs Claude Code: by itself, and within a turn of many tool calls, in which calls with hooks over
// HTTP, with hooks that are small shell commands and with none take turns, so that all see the same machine.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeHome, claudeProgram } from "../../test/host/support/claude.ts";
import { startHost } from "../../test/host/support/host.ts";
import { messagesApi } from "../../test/support/messages-api.ts";
import { tempDir } from "../../test/support/temp.ts";
import { median, type Row, timings } from "../row.ts";

const ROUNDS = 40;
const EVENTS = ["PreToolUse", "PostToolUse"];
const KINDS = ["none", "http", "shell"] as const;
type Kind = (typeof KINDS)[number];

/** Each kind of hook for a file of its own. */
function settings(): string {
  const http = (event: string) => ({
    type: "http",
    url: `http://127.0.0.1:@PORT@/tell/${event}`,
    headers: { authorization: "Bearer @SECRET@" },
    if: "Read(http.txt)",
  });
  const shell = { type: "command", command: "cat >/dev/null", if: "Read(shell.txt)" };
  const hooks = Object.fromEntries(EVENTS.map((event) => [event, [{ hooks: [http(event), shell] }]]));
  return JSON.stringify({ hooks });
}

/** Milliseconds from one request of the model's to the next, with a tool call of each kind in between. */
async function withinATurn(): Promise<Record<Kind, number>> {
  using dir = tempDir("hooks");
  const times: Record<Kind, number[]> = { none: [], http: [], shell: [] };
  const over = Promise.withResolvers<void>();
  let call = -1;
  let last = 0;
  const kindOf = (number: number) => KINDS[number % KINDS.length] ?? "none";
  const api = messagesApi(() => {
    const now = performance.now();
    if (call >= KINDS.length) times[kindOf(call)].push(now - last); // after a round that warms up
    last = now;
    call += 1;
    if (call < (ROUNDS + 1) * KINDS.length) {
      return { tool: "Read", input: { file_path: join(dir.path, `${kindOf(call)}.txt`) } };
    }
    over.resolve();
    return "Read.";
  });
  for (const kind of KINDS) writeFileSync(join(dir.path, `${kind}.txt`), "one line\n");
  const signals = { file: join(dir.path, "settings", "settings.json"), template: settings() };
  const argv = [claudeProgram(), "--settings", signals.file, "--", "Read it again and again"];
  const env = claudeHome(join(dir.path, "home"), dir.path, api.port ?? 0);
  let heard = 0;
  try {
    await using host = await startHost(argv, { cwd: dir.path, env, cols: 120, rows: 40, signals });
    const client = await host.connect({
      event: ({ type }) => {
        if (type === "signal") heard += 1;
      },
    });
    client.subscribe();
    await over.promise;
    const { latest } = await client.signals();
    if (latest.length !== EVENTS.length || heard < ROUNDS) throw new Error(`only ${heard} hooks were heard`);
  } finally {
    api.stop(true);
  }
  return { none: median(times.none), http: median(times.http), shell: median(times.shell) };
}

/** One by one, as small as each can be. */
async function alone(): Promise<{ http: number; shell: number; bun: number }> {
  using dir = tempDir("signals");
  const file = join(dir.path, "reach");
  const signals = { file, template: '{"port":@PORT@,"secret":"@SECRET@"}' };
  await using _host = await startHost(["sleep", "1000"], { signals });
  const { port, secret } = await Bun.file(file).json();
  const body = JSON.stringify({ hook_event_name: "PreToolUse", tool_input: { command: "x".repeat(500) } });
  const headers = { authorization: `Bearer ${secret}`, connection: "close" };
  const post = () =>
    fetch(`http://127.0.0.1:${port}/tell/PreToolUse`, { method: "POST", headers, body }).then((r) =>
      r.text(),
    );
  const run = (argv: string[]) => async () => {
    await Bun.spawn(argv, { stdin: Buffer.from(body), stdout: "ignore" }).exited;
  };
  return {
    http: median(await timings(200, post)),
    shell: median(await timings(100, run(["sh", "-c", "cat >/dev/null"]))),
    bun: median(await timings(15, run([process.execPath, "-e", "await Bun.stdin.text()"]))),
  };
}

export async function measureHooks(): Promise<Row[]> {
  const single = await alone();
  const { none, http, shell } = await withinATurn();
  const perHook = (time: number) => (time - none) / EVENTS.length;
  return [
    {
      name: "a hook's own cost: one signal to the host",
      value: single.http,
      unit: "ms",
      ratio: single.http / single.shell,
      against: `a shell that reads its input, ${single.shell.toFixed(1)} ms; a bun that does, ${single.bun.toFixed(1)} ms`,
      target: "≤ 15 ms",
    },
    {
      name: "what a hook adds to a tool call of Claude Code",
      value: perHook(http),
      unit: "ms",
      ratio: perHook(http) / perHook(shell),
      against: `a shell that reads its input, ${perHook(shell).toFixed(1)} ms; a tool call without hooks, ${none.toFixed(1)} ms`,
    },
  ];
}
