// What a host would tell of Claude Code, by the millisecond.
import type { Program, Screen } from "../../../../src/host/protocol/messages.ts";
import { type Facts, noFacts, observe } from "../../../../src/server/agents/claude/facts.ts";
import { STATE_FILE } from "../../../../src/server/agents/claude/state-file.ts";
import type { Observation, ReaderStart } from "../../../../src/server/agents/reading.ts";

export const START: ReaderStart = { prompted: true, note: null, at: 0 };

const RULE = "─".repeat(80);

const drawn = (text: string, cursorRow: number): Screen => ({
  ...{ text, cols: 80, rows: 24, cursor: { x: 2, y: cursorRow }, alternate: false },
  ...{ bracketedPaste: true, title: "", cwd: "/work" },
});

const MENU = ` Bash command\n\n   touch one\n\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel`;
/** Said in a conversation, and just what stands on Claude's first screens. */
const WORDS = "● Let's get started.\n\n  Choose the text style that looks best. Select login method.\n";

const refusal = (...files: string[]) =>
  [
    ...[RULE, " Settings Warning", ""],
    ...files.flatMap((file) => [` ${file}`, '  └ hooks.New: Unknown hook event "New" was ignored.', ""]),
    ...[" ❯ 1. Continue", "   2. Fix with Claude", "", " Enter to confirm · Esc to cancel"],
  ].join("\n");

export const SCREENS = {
  box: drawn(`● Something\n\n${RULE}\n❯ \n${RULE}\n  ← for agents`, 3),
  interrupted: drawn(
    `❯ Do it\n\n● Said\n  ⎿  Interrupted · What should Claude do instead?\n\n${RULE}\n❯ \n${RULE}`,
    6,
  ),
  busy: drawn(`❯ Do it\n\n✽ Ebbing… (11s · ↓ 1 tokens)\n\n${RULE}\n❯ \n${RULE}`, 5),
  menu: drawn(MENU, 5),
  boxBelowWords: drawn(`${WORDS}\n${RULE}\n❯ \n${RULE}`, 5),
  menuBelowWords: drawn(`${WORDS}\n${RULE}\n${MENU}`, 10),
  trust: drawn(
    `${RULE}\n Accessing workspace:\n\n /work\n\n Quick safety check: Is this a project you created or one you trust?\n\n ❯ 1. Yes, I trust this folder\n   2. No, exit`,
    7,
  ),
  login: drawn(
    " Select login method:\n\n ❯ 1. Claude account with subscription\n   2. Anthropic Console account",
    2,
  ),
  setUp: drawn(
    " Let's get started.\n\n Choose the text style that looks best with your terminal\n\n   1. Auto\n ❯ 2. Dark mode ✔",
    5,
  ),
  offer: drawn(`● Said.\n\n${RULE}\n  Make it your default?\n\n  More on this.\n\n  ❯ Yes\n    No`, 7),
  choice: drawn(
    `● Said.\n\n${RULE}\n  Two ways on\n\n  shell · Do it\n\n  ❯ 1. The one\n    2. The other`,
    7,
  ),
  /** In the box, as somebody types it. */
  draft: drawn(`● Said.\n\n${RULE}\n❯ 1. First\n  2. Then\n${RULE}\n  ? for shortcuts`, 4),
  shell: drawn(`● Said.\n\n${RULE}\n! make\n${RULE}\n  ! for shell mode`, 3),
  /** What it might be told next, in grey. */
  suggestion: drawn(`● Said.\n\n${RULE}\n❯ run the tests\n${RULE}\n  ? for shortcuts`, 3),
  /** The choices stand where the prompt box does. */
  question: drawn(
    `● Said.\n\n${RULE}\n☐ Colour\n\nWhich colour?\n\n${RULE}\n❯ 1. Red\n${RULE}\n  2. Chat about this\n\nEnter to select`,
    8,
  ),
  panel: drawn(`● Said.\n\n${"▔".repeat(80)}\n  Settings\n\n  Status  Config`, 5),
  transcript: drawn("● Said.\n\n  Showing detailed transcript · ctrl+o to toggle", 2),
  refused: drawn(`${RULE}\n Settings Warning\n\n ❯ 1. Continue\n   2. Exit and fix manually`, 3),
  refusedOurs: drawn(refusal("/data/run/abc.signals/settings.json"), 5),
  refusedBoth: drawn(refusal("/data/run/abc.signals/settings.json", "~/.claude/settings.json"), 8),
  nothing: drawn("", 0),
};

export const hook = (at: number, name: string, body: object = {}, ask?: string): Observation => ({
  type: "signal",
  at,
  signal: {
    name,
    at,
    serial: at, // rises with time, as long as the clock goes on
    body: JSON.stringify({ session_id: "s", hook_event_name: name, cwd: "/work", ...body }),
    ...(ask !== undefined && { ask }),
  },
});

/** As the host numbers them, whatever its clock says. */
export const numbered = (...hooks: Observation[]): Observation[] =>
  hooks.map((one, i) => (one.type === "signal" ? { ...one, signal: { ...one.signal, serial: i } } : one));

export const asks = (at: number, command = "touch one", ask = "a", more: object = {}) =>
  hook(at, "PermissionRequest", { tool_name: "Bash", tool_input: { command }, ...more }, ask);

export const title = (at: number, is: "busy" | "rest" | "none"): Observation => ({
  type: "title",
  at,
  title: { busy: "⠂ Claude Code", rest: "✳ Claude Code", none: "make" }[is],
});

/** What it tells its terminal; a part of it, if one is named. */
export const told = (at: number, state: Program["state"], more: Partial<Program> = {}): Observation => ({
  type: "program",
  at,
  reports: [
    {
      ...{ id: "", state, kind: null, app: "claude-code", progress: null },
      title: null,
      message: null,
      at,
      serial: at,
      ...more,
    },
  ],
});

/** What its file says. */
export const file = (at: number, status: string, waitingFor?: string): Observation => ({
  ...{ type: "note" as const, at, source: STATE_FILE },
  body: { pid: 7, sessionId: "s", status, statusUpdatedAt: at, ...(waitingFor && { waitingFor }) },
});

export const fileGone = (at: number): Observation => ({ type: "note", at, source: STATE_FILE, body: null });

export const screen = (at: number, is: keyof typeof SCREENS, quiet = true): Observation => ({
  type: "screen",
  at,
  quiet,
  screen: SCREENS[is],
});

export const output = (at: number): Observation => ({ type: "output", at });

export const over = (at: number, how: "answered" | "withdrawn", ask = "a"): Observation => ({
  ...{ type: "over" as const, at, ask, how },
});

export const known = (news: Observation[], start: ReaderStart = START): Facts =>
  news.reduce(observe, noFacts(start));
