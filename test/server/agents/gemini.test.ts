import { afterAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createGeminiChannel } from "../../../src/server/agents/gemini/channel.ts";
import { createGemini } from "../../../src/server/agents/gemini/launch.ts";
import { createGeminiReader } from "../../../src/server/agents/gemini/reader.ts";
import {
  hasChat,
  noTranscript,
  type Transcript,
  withLine,
} from "../../../src/server/agents/gemini/transcript.ts";
import { trustOf } from "../../../src/server/agents/gemini/trust.ts";
import type { Observation } from "../../../src/server/agents/reading.ts";
import type { Screen } from "../../../src/server/hosts/connection.ts";
import { until } from "../../host/support/host.ts";
import { tempDir } from "../../support/temp.ts";

const START = 1_000_000;
const WIDTH = 60;

const framed = (rows: string[]) => [
  `╭${"─".repeat(WIDTH)}╮`,
  ...rows.map((row) => `│ ${row.padEnd(WIDTH - 2)} │`),
  `╰${"─".repeat(WIDTH)}╯`,
];
const inner = (rows: string[]) => [
  `╭${"─".repeat(WIDTH - 4)}╮`,
  ...rows.map((row) => `│ ${row.padEnd(WIDTH - 6)} │`),
  `╰${"─".repeat(WIDTH - 4)}╯`,
];
const said = "✦ What was said before";
const show = (rows: string[]) => [said, "", ...rows, "", ""].join("\n");

const BOX = show([
  "▄".repeat(WIDTH),
  " >   Type your message or @path/to/file",
  "▀".repeat(WIDTH),
  " ~/work",
]);
const command = (rows: string[]) =>
  show(
    framed([
      "? Shell  echo one > made",
      ...inner(rows),
      "Allow execution of [Shell]?",
      "",
      "● 1. Allow once",
      "  2. Allow for this session",
      "  3. No, suggest changes (esc)",
    ]),
  );
const COMMAND = command(["echo one > made", "true"]);
const EDIT = show(
  framed([
    "? WriteFile  Writing to new.txt",
    ...inner(["1 one", "● 1. Allow once"]),
    "Apply this change?",
    "",
    "● 1. Allow once",
    "  2. Allow for this session",
    "  3. Modify with external editor",
    "  4. No, suggest changes (esc)",
  ]),
);
const QUESTION = show(
  framed([
    "Answer Questions",
    "",
    "Which colour?",
    "",
    "● 1.  Red",
    "      All in red",
    "  2.  Blue",
    "  3.  Enter a custom value",
    "",
    "Enter to select · ↑/↓ to navigate · Esc to cancel",
  ]),
);
const TRUST = show(
  framed(["", "Do you trust the files in this folder?", "", "● 1. Trust folder (work)", ""]),
);
const limit = (...rows: string[]) =>
  show(framed(["Usage limit reached for all Pro models.", ...rows, "", "● 1. Keep trying", "  2. Stop"]));
const LIMIT = limit();
const MODEL = show(framed(["", "Select Model", "", "● 1. Auto", "  2. Manual", "", "(Press Esc to close)"]));
/** What was said is framed like the input box. */
const BOXLESS = ["▄".repeat(WIDTH), " > /stats", "▀".repeat(WIDTH), ...Array(8).fill("drawn")].join("\n");

const screenOf = (text: string): Screen => ({
  ...{ text, cols: 80, rows: 40, cursor: { x: 0, y: 0 } },
  ...{ alternate: false, bracketedPaste: true, title: "", cwd: "/" },
});
const screen = (text: string, at = START): Observation => ({
  ...{ type: "screen", quiet: true, at },
  screen: screenOf(text),
});
const title = (text: string, at = START): Observation => ({ type: "title", title: text, at });
const note = (fields: Partial<Transcript>, at = START): Observation => ({
  ...{ type: "note", source: "transcript", at },
  body: { ...noTranscript, session: "id", promptedAt: START, ...fields },
});

const RESTS = title("◇  Ready (work)");
const WORKS = title("✦  Working… (work)");
const ASKS = title("✋  Action Required (work)");

function after(...observations: Observation[]) {
  const reader = createGeminiReader({ prompted: true, note: null, at: START });
  for (const observation of observations) reader.observe(observation);
  return reader;
}
const LATER = START + 10_000;
const read = (...observations: Observation[]) => after(...observations).read(LATER);
const ended = (type: "reply" | "error" | "cancelled", text = "") => note({ end: { type, text, at: START } });

const CASES: [name: string, observations: Observation[], expected: object][] = [
  ["it works while its title says so", [screen(BOX), WORKS, ended("reply")], { kind: "working" }],
  ["a reply ends a turn", [screen(BOX), RESTS, ended("reply", "Yes")], { kind: "finished" }],
  [
    "what was cancelled was interrupted",
    [screen(BOX), RESTS, ended("cancelled")],
    { kind: "idle", reason: "Interrupted." },
  ],
  [
    "a quota is a limit",
    [screen(BOX), RESTS, ended("error", "exhausted your daily quota")],
    { kind: "limited" },
  ],
  [
    "a key that isn't accepted is trouble",
    [screen(BOX), RESTS, ended("error", '{"message":"API key not valid"}')],
    { kind: "trouble", reason: expect.stringContaining("/auth") },
  ],
  ["a turn without an end is over when it rests", [screen(BOX), RESTS, note({})], { kind: "idle" }],
  ["its first prompt is yet to be sent", [screen(BOX), RESTS], { kind: "working" }],
  [
    "it asks for trust though its title rests",
    [RESTS, screen(TRUST)],
    { kind: "question", reason: expect.stringContaining("trust this folder") },
  ],
  [
    "a limit's dialog is open though its title works",
    [WORKS, screen(LIMIT)],
    { kind: "limited", until: null },
  ],
  [
    "a limit's dialog says until when",
    [WORKS, screen(limit("Access resets at 12:20 AM."))],
    { kind: "limited", until: expect.stringMatching(/T\d\d:[25]0:00/) },
  ],
  [
    "a limit says how long it lasts",
    [screen(BOX), RESTS, ended("error", "Quota exceeded. Your quota will reset after 1h2m3s.")],
    { kind: "limited", until: new Date(START + 3_723_000).toISOString() },
  ],
  [
    "it says which attempt to reach its model this is",
    [screen(BOX.replace(said, " ⠏ Trying to reach gemini-3-pro (Attempt 2/10) (esc to cancel, 5s)")), WORKS],
    { kind: "working", reason: "Retrying: Trying to reach gemini-3-pro (Attempt 2/10)" },
  ],
  [
    "a list that somebody has opened is in the way",
    [screen(BOX), RESTS, ended("reply", "Yes"), screen(MODEL)],
    { kind: "question", reason: "A dialog is open in its terminal: “Select Model”. Answer it there." },
  ],
  [
    "without its input box it is not at rest for ever",
    [screen(BOX), RESTS, ended("reply", "Yes"), screen(BOXLESS)],
    { kind: "question", reason: expect.stringContaining("neither its input box") },
  ],
  [
    "what it asks and doesn't show is asked in its terminal",
    [ASKS, screen("")],
    { kind: "permission", asks: null, reason: expect.stringContaining("its terminal") },
  ],
];
test.each(CASES)("%s", (_, observations, expected) => {
  expect(read(...observations)).toMatchObject(expected);
});

test("a command is read off the screen as a whole, and what else is said of it", () => {
  expect(read(ASKS, screen(COMMAND)).asks).toMatchObject({
    ...{ tool: "Shell", summary: "echo one > made true", canAnswer: true },
    detail: "echo one > made\ntrue\n\n# Allow execution of [Shell]?",
    always: "“Allow for this session”: any command of the same programs",
  });
  expect(read(ASKS, screen(EDIT)).asks?.always).toBe("“Allow for this session”: any edit of any file");
  const other = COMMAND.replace("? Shell ", "? lab__look ");
  expect(read(ASKS, screen(other)).asks?.always).toBe("“Allow for this session”, as Gemini CLI means it");
});

test("what is left out, or has scrolled away, can't be allowed from here", () => {
  const cut = command(["... first 10 lines hidden (Ctrl+O to show) ...", "true"]);
  expect(read(ASKS, screen(cut)).asks?.canAnswer).toBe(false);
  const scrolled = COMMAND.split("\n").slice(5).join("\n");
  expect(read(ASKS, screen(scrolled)).asks?.canAnswer).toBe(false);
});

test("text that looks like a dialog is none as long as something is below it", () => {
  const shown = `${COMMAND.trimEnd()}\n✦ And so on`;
  expect(read(ASKS, screen(shown)).asks).toBeNull();
});

test("a dialog stays the same request while its mark moves, and the next one is another", () => {
  const reader = after(ASKS, screen(COMMAND));
  const id = reader.read(LATER).asks?.id;
  reader.observe(screen(COMMAND.replace("● 1.", "  1.").replace("  2.", "● 2.")));
  expect(reader.read(LATER).asks?.id).toBe(id as string);
  reader.observe(screen(EDIT));
  expect(reader.read(LATER).asks).toMatchObject({ summary: "Writing to new.txt" });
  expect(reader.read(LATER).asks?.id).not.toBe(id as string);
});

test("once answered it isn't asked, unless the answer has changed nothing", () => {
  const reader = after(ASKS, screen(COMMAND));
  const { asks } = reader.read(START);
  reader.observe({ type: "over", ask: asks?.id ?? "", how: "answered", at: START });
  reader.observe(screen(COMMAND, START + 100));
  expect(reader.read(START + 100)).toMatchObject({ kind: "working", asks: null });
  reader.observe(screen(COMMAND, START + 7_000));
  expect(reader.read(START + 7_000)).toMatchObject({ kind: "permission" });
});

function steps(shown: string, answer: object) {
  const reader = after(ASKS, screen(shown));
  const ask = reader.read(LATER).asks?.id ?? "";
  const delivery = reader.answer({ ask, decision: "allow", ...answer });
  return delivery.via === "keys" ? delivery.steps : [];
}
const keys = (shown: string, answer: object) => steps(shown, answer).map((step) => step.keys);

test("answers are the digits on the screen, and Esc", () => {
  expect(keys(COMMAND, { decision: "allow" })).toEqual(["1"]);
  expect(keys(COMMAND, { decision: "always" })).toEqual(["2"]);
  expect(keys(EDIT, { decision: "deny" })).toEqual(["\x1b"]);
  expect(keys(QUESTION, { answers: { "Which colour?": "Blue" } })).toEqual(["2"]);
  expect(keys(QUESTION, { answers: { "Which colour?": "Gr\x1bey\x1b[31m" } })).toEqual([
    ...["3", "\x1b[200~Grey[31m\x1b[201~", "\r"],
  ]);
  expect(() => keys(QUESTION, { answers: { "Which colour?": "Grey\rand more" } })).toThrow("one line");
});

test("its layers are missed once they should have been there", () => {
  const less = (at: number, ...observations: Observation[]) =>
    after(screen(BOX), ...observations).read(START + at).less;
  expect(less(59_000)).toBeNull();
  expect(less(60_000)).toContain("dynamicWindowTitle");
  expect(less(60_000, RESTS)).toContain("no conversation");
  expect(less(60_000, RESTS, ended("reply"))).toBeNull();
});

test("a draft in several lines stands in its box", () => {
  const draft = BOX.replace("  Type your message or @path/to/file", "First\n   second");
  expect(read(RESTS, screen(draft), note({})).intake).toBe("open");
});

test("no key is typed unless the screen shows what it is for", () => {
  const [allow] = steps(COMMAND, { decision: "allow" });
  expect(allow?.when(screenOf(COMMAND))).toBe(true);
  for (const other of [EDIT, BOX, command(["rm -r ."])]) expect(allow?.when(screenOf(other))).toBe(false);
  const [, words] = steps(COMMAND, { decision: "deny", message: "Rather not" });
  expect(words?.when(screenOf(COMMAND))).toBe(false);
  expect(words?.when(screenOf(BOX.replace("  Type your message", "what I type")))).toBe(false);
  expect(words?.when(screenOf(BOX))).toBe(true);
});

test("prompts are held until its box is there, and while it asks", () => {
  expect(read(RESTS, screen(""), note({})).intake).toMatchObject({ held: expect.any(String) });
  expect(read(RESTS, screen(BOX), note({})).intake).toBe("open");
  expect(read(ASKS, screen(COMMAND)).intake).toMatchObject({ held: expect.stringContaining("asking") });
});

test("while it reads what it resumes, it is at work and takes no prompt", () => {
  const head = " ▝▜▄     Gemini CLI v0.61.0\n";
  const fresh = head + BOX.replace(said, "");
  const reader = after(RESTS, ended("reply"), screen(fresh));
  expect(reader.read(LATER)).toMatchObject({ kind: "working", intake: { held: expect.any(String) } });
  reader.observe(screen(head + BOX));
  expect(reader.read(LATER)).toMatchObject({ kind: "finished", intake: "open" });
});

const dir = tempDir("gemini");
afterAll(() => dir[Symbol.dispose]());
const home = join(dir.path, ".gemini");
const ID = "0a1b2c3d-0000-4000-8000-000000000000";
const lineOf = (fields: object) =>
  `${JSON.stringify({ timestamp: new Date(START).toISOString(), ...fields })}\n`;

test("its transcript is followed as it is written, and belongs to the directory", async () => {
  const told: Transcript[] = [];
  const open = createGeminiChannel(home);
  const session = { sessionId: "s", agentSessionId: ID, cwd: "/work", options: {}, signalFolder: "", pid: 1 };
  const channel = open(session, ({ body }) => told.push(body as Transcript));
  const folder = join(home, "tmp", "work");
  mkdirSync(join(folder, "chats"), { recursive: true });
  writeFileSync(join(folder, ".project_root"), "/work");
  const file = join(folder, "chats", `session-2026-${ID.slice(0, 8)}.jsonl`);
  writeFileSync(file, `${JSON.stringify({ sessionId: ID, kind: "main" })}\n`);
  appendFileSync(file, lineOf({ $set: { messages: [{ type: "user", content: "<session_context>" }] } }));
  expect(hasChat(home, "/work", ID)).toBe(false);
  appendFileSync(file, lineOf({ type: "user", content: [{ text: "Do it" }] }));
  const line = lineOf({ type: "gemini", content: "Done", tokens: { total: 7 }, model: "gemini-x" });
  appendFileSync(file, line.slice(0, 20));
  await until(() => told.at(-1)?.promptedAt === START, "the prompt");
  appendFileSync(file, line.slice(20));
  await until(() => told.at(-1)?.end !== null, "the reply");
  expect(told.at(-1)).toEqual({
    ...{ session: ID, promptedAt: START, model: "gemini-x", contextTokens: 7, repeats: false },
    end: { type: "reply", text: "Done", at: START },
  });
  channel.close();
  expect(hasChat(home, "/work", ID)).toBe(true);
  expect(hasChat(home, "/elsewhere", ID)).toBe(false);
});

test("of several conversations in a worktree the session's own is followed, and what it goes on to by itself", async () => {
  const cwd = join(dir.path, "shared");
  const folder = join(home, "tmp", "shared", "chats");
  for (const path of [cwd, folder]) mkdirSync(path, { recursive: true });
  writeFileSync(join(home, "tmp", "shared", ".project_root"), cwd);
  let now = START;
  const write = (id: string, content: string) => {
    const file = join(folder, `session-2026-${id.slice(0, 8)}.jsonl`);
    now += 1_000;
    const prompt = lineOf({ type: "user", content, timestamp: new Date(now).toISOString() });
    appendFileSync(file, `${JSON.stringify({ sessionId: id })}\n${prompt}`);
  };
  const [other, next] = [randomUUID(), randomUUID()];
  write(other, "Of yesterday");
  write(ID, "Do it");
  const told: Transcript[] = [];
  await using program = Bun.spawn(["sleep", "60"]);
  const { pid } = program;
  const session = { sessionId: "s", agentSessionId: ID, cwd, options: {}, signalFolder: "", pid };
  const channel = createGeminiChannel(home)(session, ({ body }) => told.push(body as Transcript));
  expect(told.at(-1)?.session).toBe(ID);
  const script = join(dir.path, "gemini.js");
  writeFileSync(script, 'console.log("up"); setInterval(() => {}, 1_000);');
  await using stranger = Bun.spawn([process.execPath, script], { cwd, stdout: "pipe" });
  await stranger.stdout.getReader().read();
  write(other, "Somebody else's");
  write(ID, "And this");
  await until(() => told.length === 2, "the second prompt");
  expect(told.map((one) => one.session)).toEqual([ID, ID]);
  stranger.kill();
  await stranger.exited;
  write(next, "After /clear");
  await until(() => told.at(-1)?.session === next, "the next conversation");
  channel.close();
});

test("what is written once more is nothing new", () => {
  const user = (text: string) => lineOf({ type: "user", content: [{ text }] });
  const reply = lineOf({ type: "gemini", content: "Done" });
  const repeated = [user("<session_context>…"), user("Do it"), reply, lineOf({ $set: { messages: [] } })];
  const cancelled = lineOf({ type: "info", content: "Request cancelled." });
  const read = (lines: string[]) => lines.reduce(withLine, noTranscript);
  expect(read([user("Do it"), reply, user("And this"), cancelled, ...repeated]).end?.type).toBe("cancelled");
  expect(read([cancelled, ...repeated, user("Once more"), reply]).end?.type).toBe("reply");
});

test("a worktree is trusted as its repository is, unless something was decided for itself", () => {
  const worktree = join(dir.path, "worktree");
  mkdirSync(worktree);
  writeFileSync(join(worktree, ".git"), "gitdir: /code/app/.git/worktrees/one\n");
  const decided = (decisions: object) => {
    writeFileSync(join(home, "trustedFolders.json"), JSON.stringify(decisions));
    return trustOf(home, worktree);
  };
  expect(decided({})).toBeUndefined();
  expect(decided({ "/code/app": "TRUST_FOLDER" })).toBe(true);
  expect(decided({ "/code": "TRUST_FOLDER" })).toBe(true);
  expect(decided({ "/code/other": "TRUST_PARENT" })).toBe(true);
  expect(decided({ "/code/ap": "TRUST_FOLDER" })).toBeUndefined();
  expect(decided({ "/code": "TRUST_FOLDER", "/code/app": "DO_NOT_TRUST" })).toBe(false);
  expect(decided({ "/code/app": "TRUST_FOLDER", [worktree]: "DO_NOT_TRUST" })).toBeUndefined();
  rmSync(join(home, "trustedFolders.json"));
});

test("whether somebody is signed in is known by its files and the environment, or not at all", async () => {
  const folder = join(dir.path, "signed-in");
  mkdirSync(join(folder, ".gemini"), { recursive: true });
  const program = join(dir.path, "versioned");
  writeFileSync(program, "#!/bin/sh\necho 0.61.0\n", { mode: 0o755 });
  const status = (env: object, selectedType?: string) => {
    const settings = selectedType === undefined ? {} : { security: { auth: { selectedType } } };
    writeFileSync(join(folder, ".gemini", "settings.json"), JSON.stringify(settings));
    return createGemini({ HOME: folder, PATH: process.env.PATH, ...env }).status?.(program);
  };
  expect(await status({})).toMatchObject({
    version: "0.61.0",
    loggedIn: false,
    notice: expect.stringContaining("not signed in"),
  });
  expect((await status({ GEMINI_API_KEY: "x" }))?.loggedIn).toBeNull();
  expect((await status({ GEMINI_API_KEY: "x" }, "gemini-api-key"))?.loggedIn).toBe(true);
  expect((await status({}, "gemini-api-key"))?.loggedIn).toBeNull();
  expect((await status({}, "oauth-personal"))?.loggedIn).toBeNull();
  writeFileSync(join(folder, ".gemini", "oauth_creds.json"), "{}");
  expect(await status({}, "oauth-personal")).toMatchObject({ loggedIn: true, notice: null });
});

test("its prompt is no option", () => {
  const agent = createGemini({ HOME: dir.path });
  const run = { prompt: "--help", agentSessionId: ID, resume: false };
  const begun = agent.command({ ...run, options: { permissionMode: "acceptEdits" } });
  expect(begun.argv).toEqual(["gemini", "--approval-mode", "auto_edit"]);
  expect(begun.wrapper?.slice(-2)).toEqual([ID, "--help"]);
  // It ends with 42 for any mistake in its arguments.
  const gemini = join(dir.path, "gemini");
  writeFileSync(gemini, '#!/bin/sh\necho "$1"\nexit 42\n', { mode: 0o755 });
  const printed = (wrapper: string[] = []) => Bun.spawnSync([...wrapper, gemini]);
  const refused = printed(agent.command({ ...run, agentSessionId: randomUUID() }).wrapper);
  expect([refused.exitCode, refused.stdout.toString()]).toEqual([42, "--session-id\n"]);
  expect(printed(begun.wrapper).stdout.toString()).toBe("--session-id\n--resume\n");
  const resumed = agent.command({ ...run, resume: true, cwd: "/work" });
  expect(resumed.argv).toEqual(["gemini", "--resume", ID]);
  const lost = agent.command({ ...run, resume: true, cwd: "/elsewhere" });
  expect(lost.agentSessionId).not.toBe(ID);
  expect(lost.note).toContain("no record");
});
