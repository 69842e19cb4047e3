import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configContent } from "../../../src/server/agents/opencode/config.ts";
import { createOpenCode } from "../../../src/server/agents/opencode/launch.ts";
import { plugin } from "../../../src/server/agents/opencode/plugin.ts";
import { createOpenCodeReader } from "../../../src/server/agents/opencode/reader.ts";
import type { Answer, Delivery, Observation } from "../../../src/server/agents/reading.ts";
import { until } from "../../host/support/host.ts";

const START = 1_000_000;
const SCREEN = { cols: 80, rows: 24, cursor: { x: 0, y: 0 }, alternate: true, bracketedPaste: true };
const BOX = `  ┃\n  ┃  Build · model\n  ╹${"▀".repeat(40)}`;
const LIST = `${" ".repeat(20)}Commands${" ".repeat(30)}esc\n\n${" ".repeat(20)}Search`;

const screen = (text: string, at = START): Observation => ({
  ...{ type: "screen", quiet: true, at },
  screen: { ...SCREEN, text, title: "OpenCode", cwd: "/" },
});

let serial = 0;
const signal = (name: string, said: object, ask?: string): Observation => {
  serial += 1;
  const body = JSON.stringify(said);
  return {
    ...{ type: "signal", at: START },
    signal: { name, at: START, serial, body, ...(ask !== undefined && { ask }) },
  };
};

const state = (fields: object) =>
  signal("state", { session: "ses_1", status: "idle", since: START, promptedAt: START, ...fields });
const permission = (fields: object, ask = "ask") =>
  signal("permission", { id: "per_1", permission: "bash", patterns: [], always: [], ...fields }, ask);

function after(...observations: Observation[]) {
  const reader = createOpenCodeReader({ prompted: true, note: null, at: START });
  for (const observation of observations) reader.observe(observation);
  return reader;
}
const read = (...observations: Observation[]) => after(...observations).read(START + 1_000);

const CASES: [name: string, said: object, expected: object][] = [
  ["a turn that runs is work", { status: "busy" }, { kind: "working" }],
  ["a message that ended is the end of the turn", { finish: "stop" }, { kind: "finished" }],
  ["a message without an end was interrupted", {}, { kind: "idle", reason: "Interrupted." }],
  [
    "a turn that ended with a tool's call was interrupted",
    { finish: "tool-calls" },
    { kind: "idle", reason: "Interrupted." },
  ],
  [
    "Esc interrupts",
    { error: { name: "MessageAbortedError", data: { message: "Aborted" } } },
    { kind: "idle", reason: "Interrupted." },
  ],
  [
    "a limit is told with the time of the next attempt",
    { status: "retry", attempt: 1, message: "Too Many Requests", next: START + 5_000 },
    { kind: "limited", until: new Date(START + 5_000).toISOString() },
  ],
  [
    "the first attempt to reach a model anew is nothing to call anybody for",
    { status: "retry", attempt: 1, message: "Unable to connect", next: START },
    { kind: "working" },
  ],
  [
    "a model that can't be reached for long is trouble",
    { status: "retry", attempt: 2, message: "Unable to connect", next: START },
    { kind: "trouble" },
  ],
  [
    "a key that isn't accepted is trouble",
    { error: { name: "APIError", data: { message: "No key", statusCode: 401 } } },
    { kind: "trouble" },
  ],
];
test.each(CASES)("%s", (_, said, expected) => {
  expect(read(screen(BOX), state(said))).toMatchObject(expected);
});

test("before it was prompted it is at work until its first prompt is taken, and idle where there is none", () => {
  const resumed = createOpenCodeReader({ prompted: false, note: null, at: START });
  for (const one of [state({ promptedAt: null }), screen(BOX)]) resumed.observe(one);
  expect(resumed.read(START)).toMatchObject({ kind: "idle", reason: null, intake: "open" });
  expect(read(state({ promptedAt: null }), screen(BOX))).toMatchObject({ kind: "working" });
});

test("if its plugin is never heard, it is judged by its screen, and the card says so", () => {
  const starting = after(screen(""));
  expect(starting.read(START + 59_000)).toMatchObject({ less: null, again: START + 60_000 });
  expect(starting.read(START + 60_000).less).toContain("plugin");
  // It had loaded its plugins before it drew that, also for a banto that was started since.
  const reader = after(screen(BOX));
  expect(reader.read(START + 14_000)).toMatchObject({ less: null, again: START + 15_000 });
  expect(reader.read(START + 15_000).less).toContain("plugin");
});

test("behind a list it is not finished, once that has stood for a while, nor without its box for long", () => {
  const reader = after(state({ finish: "stop" }), screen(LIST));
  expect(reader.read(START + 1_900)).toMatchObject({ kind: "finished", again: START + 2_000 });
  expect(reader.read(START + 2_000)).toMatchObject({
    kind: "question",
    reason: "A dialog is open in its terminal: “Commands”. Answer it there.",
  });
  reader.observe(screen("Something else", START + 3_000));
  expect(reader.read(START + 12_900).kind).toBe("finished");
  expect(reader.read(START + 13_000)).toMatchObject({
    kind: "question",
    reason: expect.stringContaining("neither its input box"),
  });
  reader.observe(screen(BOX, START + 14_000));
  expect(reader.read(START + 14_000).kind).toBe("finished");
});

test("no prompt is taken while a list is open, or before its input box is there", () => {
  const held = (text: string) => read(state({ finish: "stop" }), screen(text)).intake;
  expect(held(BOX)).toBe("open");
  expect(held(LIST)).toMatchObject({ held: expect.stringContaining("dialog is open") });
  expect(held(`     press            esc   \n     to leave\n${BOX}`)).toBe("open");
  expect(held("")).toMatchObject({ held: expect.stringContaining("not ready") });
});

test("a request lasts until it is over, however that comes about", () => {
  const reader = after(state({ status: "busy" }), permission({ metadata: { command: "ls" } }));
  expect(reader.read(START)).toMatchObject({ kind: "permission", asks: { id: "ask", detail: "ls" } });
  reader.observe({ type: "over", ask: "ask", how: "withdrawn", at: START });
  expect(reader.read(START)).toMatchObject({ kind: "working", asks: null });
});

test("a change is shown as its diff, with everything else that is allowed along with it", () => {
  const metadata = { filepath: "a.txt", diff: "-one\n+two", also: true };
  const { asks } = read(permission({ permission: "edit", always: ["*"], metadata }));
  expect(asks).toMatchObject({ summary: "Edit a.txt", always: "edit(*), for the rest of this session" });
  expect(asks?.detail).toBe('-one\n+two\n\n# filepath: "a.txt"\n# also: true');
});

test("what is too long to be passed on can only be answered in its terminal", () => {
  const told = permission({});
  if (told.type === "signal") told.signal.body = null;
  const reader = after(told);
  expect(reader.read(START).asks).toMatchObject({ canAnswer: false });
  expect(() => reader.answer({ ask: "ask", decision: "allow" })).toThrow(/terminal/);
});

const sent = (delivery: Delivery) => delivery.via === "signal" && JSON.parse(delivery.body);
const answered = (answer: Omit<Answer, "ask">, asked: Observation) =>
  sent(after(asked).answer({ ask: "ask", ...answer }));

test("allow, always and deny are told in OpenCode's words", () => {
  const asked = permission({ always: ["ls *"], metadata: { command: "ls" } });
  const path = "/permission/per_1/reply";
  expect(answered({ decision: "allow" }, asked)).toEqual({ path, body: { reply: "once" } });
  expect(answered({ decision: "always" }, asked)).toEqual({ path, body: { reply: "always" } });
  expect(answered({ decision: "deny", message: " No " }, asked)).toEqual({
    path,
    body: { reply: "reject", message: "No" },
  });
  expect(answered({ decision: "deny" }, asked).body.message).not.toBe("");
  expect(() => answered({ decision: "always" }, permission({}))).toThrow(/no “always”/);
});

test("several answers to a question come apart again, and words of one's own stay whole", () => {
  const options = ["A", "A, B", "C"].map((label) => ({ label }));
  const questions = [
    { question: "Which?", multiple: true, options },
    { question: "Why?", options: [] },
  ];
  const asked = signal("question", { id: "que_1", questions }, "ask");
  const answers = { "Which?": "A, B, C, or D, later", "Why?": "Because, well" };
  expect(answered({ decision: "allow", answers }, asked).body.answers).toEqual([
    ["A", "B, C, or D, later"],
    ["Because, well"],
  ]);
  expect(() => answered({ decision: "allow", answers: { "Which?": "A" } }, asked)).toThrow(/Why/);
  expect(answered({ decision: "deny" }, asked).body.answers).toHaveLength(2);
});

test("its plugin tells the reply, in whatever order OpenCode tells of it", async () => {
  const told: { reply: string }[] = [];
  await using host = Bun.serve({
    port: 0,
    fetch: async (request) => {
      told.push((await request.json()) as { reply: string });
      return new Response();
    },
  });
  const nothing = { get: async () => ({ data: {} }), post: async () => ({}) };
  const { event } = await plugin(
    { client: { _client: nothing }, directory: "/" },
    { url: host.url.origin, secret: "" },
    { paths: [], changes: [], commands: [] },
  );
  const tell = (type: string, properties: object) => event({ event: { type, properties } });
  const message = (id: string, role: string, more: object = {}) =>
    tell("message.updated", { info: { id, role, sessionID: "ses_1", time: { created: START }, ...more } });
  const part = (id: string, messageID: string, text: string) =>
    tell("message.part.updated", { part: { id, messageID, type: "text", text } });
  const status = (type: string) => tell("session.status", { sessionID: "ses_1", status: { type } });
  await message("msg_1", "user");
  await part("prt_1", "msg_1", "Do it");
  await part("prt_2", "msg_2", "First.");
  await message("msg_2", "assistant", { finish: "stop" });
  await status("idle");
  await part("prt_3", "msg_2", "Last.");
  await until(() => told.at(-1)?.reply === "First.\n\nLast.", "the reply");
});

test("its plugin is added to what the person has configured in the environment", () => {
  const own = JSON.stringify({ plugin: ["mine"], permission: { bash: "deny" }, theme: "x" });
  expect(JSON.parse(configContent(own, "/run/a b/banto.js", {}) ?? "")).toEqual({
    ...{ plugin: ["mine", "file:///run/a%20b/banto.js"], permission: { bash: "deny" }, theme: "x" },
  });
  expect(configContent("{ // mine", "/p.js", {})).toBeUndefined();
  const asking = JSON.parse(configContent(undefined, "/p.js", { permissionMode: "default" }) ?? "");
  expect(asking.permission).toEqual({ edit: "ask", bash: "ask" });
});

test("that somebody is logged in is known by its file of logins, and that nobody is can't be", async () => {
  const home = mkdtempSync(join(tmpdir(), "opencode-"));
  const data = join(home, ".local", "share", "opencode");
  mkdirSync(data, { recursive: true });
  const status = () => createOpenCode({ HOME: home, PATH: process.env.PATH }).status?.("/bin/true");
  expect(await status()).toMatchObject({ loggedIn: null, notice: null });
  writeFileSync(join(data, "auth.json"), "{}");
  expect((await status())?.loggedIn).toBeNull();
  writeFileSync(join(data, "auth.json"), '{"anthropic":{"type":"api","key":"x"}}');
  expect((await status())?.loggedIn).toBe(true);
  rmSync(home, { recursive: true });
});

test("a prompt that looks like an option is none", () => {
  const home = mkdtempSync(join(tmpdir(), "opencode-"));
  const agent = createOpenCode({ HOME: home });
  const run = { prompt: "--help", agentSessionId: "", resume: false, signalFolder: join(home, "s") };
  const { argv } = agent.command({ ...run, options: { permissionMode: "plan" } });
  expect(argv).toEqual(["opencode", "--prompt=--help", "--agent", "plan"]);
  const lost = agent.command({ ...run, agentSessionId: "ses_1", resume: true, cwd: home });
  expect(lost.argv[1]).toStartWith("--prompt=--help\n");
  expect(lost.note).toContain("no record");
  rmSync(home, { recursive: true });
});
