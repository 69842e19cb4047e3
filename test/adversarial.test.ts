// What strangers, agents and people can make long is looked at once, however it was made: half a megabyte of the worst
// for each place that searches or strips a text.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { splitAtOptions } from "../src/client/features/asks/detail.tsx";
import { title } from "../src/client/features/asks/title.ts";
import { toColumns } from "../src/client/features/board/order.ts";
import { brief } from "../src/client/features/prompt/last-reply.tsx";
import { quoteForShell } from "../src/client/shared/api/shell-quote.ts";
import { findChoices } from "../src/client/shared/ui/find-choices.ts";
import { filesOf } from "../src/client/shared/ui/transferred-files.ts";
import { visibleText } from "../src/client/shared/visible-text.ts";
import { asOneLine, countLines } from "../src/client/terminal/input/paste-text.ts";
import { difference } from "../src/client/terminal/input/typed-text.ts";
import { claimedHost } from "../src/client/terminal/links-and-find/claimed-host.ts";
import { findMatches } from "../src/client/terminal/links-and-find/find.ts";
import { findAddresses } from "../src/client/terminal/links-and-find/links.ts";
import { createNewLines } from "../src/client/terminal/read-aloud/new-lines.ts";
import { withoutText } from "../src/host/mirror/skim.ts";
import { answerBody } from "../src/server/agents/claude/answers.ts";
import { type OpenAsk, toAsk } from "../src/server/agents/claude/ask.ts";
import { type OpenAsk as CodexAsk, toAsk as codexAsk, withId } from "../src/server/agents/codex/ask.ts";
import { toAsk as geminiAsk } from "../src/server/agents/gemini/ask.ts";
import { findDialog, hasBox, headingOf } from "../src/server/agents/gemini/screen.ts";
import { toAsk as openCodeAsk } from "../src/server/agents/opencode/ask.ts";
import { resetTime } from "../src/server/agents/reset-time.ts";
import { findPrompt } from "../src/server/agents/screen-prompts/prompt.ts";
import { browserName } from "../src/server/auth/browser-name.ts";
import { createOrigins } from "../src/server/auth/origins.ts";
import { safeFileName } from "../src/server/files/file-name.ts";
import { branchName } from "../src/server/git/repository/branch-name.ts";
import { gitFailure } from "../src/server/git/run/failure.ts";
import type { InertGit } from "../src/server/git/run/inert-git.ts";
import { closedFolders } from "../src/server/git/snapshots/changed-files.ts";
import { namesIn, objectsByKind } from "../src/server/git/snapshots/unreachable-commits.ts";
import { sourceOf } from "../src/server/http/source.ts";
import { pasteTaken } from "../src/server/sessions/viewers/paste-taken.ts";
import { keystrokes } from "../src/server/sessions/viewers/typing.ts";
import { requireLine } from "../src/server/text.ts";
import { preparePaste } from "../src/vt/paste.ts";
import { Scanner } from "../src/vt/scan.ts";
import { parseCsi, parseOsc } from "../src/vt/sequence.ts";
import { StickyState } from "../src/vt/sticky.ts";
import { task } from "./client/support/task.ts";
import { open } from "./client/terminal/support/emulator.ts";
import { expectLinear, repeated, run } from "./support/linear.ts";

setDefaultTimeout(60_000);

type Make = (length: number) => string;
type Case = [name: string, make: Make, work: (text: string) => unknown];

const bytes = (text: string) => Buffer.from(text);

const BLANKS = run("a", " ", "b");
const LINES = repeated("\n");
const ESCAPES = repeated("\x1b[");

const each = (name: string, work: (text: string) => unknown, ...makes: Make[]): Case[] =>
  makes.map((make) => [`${name}: ${JSON.stringify(make(24))}`, make, work]);

function check(cases: Case[]) {
  test.each(cases)("%s", (_name, make, work) => expectLinear(make, work));
}

describe("what is pasted", () => {
  /** Halves of the end of a paste around a whole one: taking one out makes the next. */
  const nested: Make = (length) => "\x1b[2".repeat(length / 6) + "01~".repeat(length / 6);
  check([
    ...each("by the API", (text) => keystrokes(text, true), nested, ESCAPES, LINES, repeated("\u009b201~")),
    ...each("typed by the API", (text) => keystrokes(text, false), nested, LINES, repeated("\r")),
    ...each(
      "and looked for on the screen",
      (text) => {
        const screen = { text, offset: 0 };
        const gone = { screen: () => Promise.reject(new Error("gone")) };
        pasteTaken(gone as never, text, screen as never).catch(() => {});
      },
      BLANKS,
      LINES,
      run("", "a", "b"),
      repeated("│"),
    ),
    ...each("in the page", (text) => preparePaste(text, true), nested, LINES, repeated("\u009b")),
    ...each("as one line", asOneLine, BLANKS, run("a", " \\", "b"), LINES, repeated(" \n")),
    ...each("counted", countLines, BLANKS, LINES, run("a", "\n", "b")),
    ...each("typed in a field", (text) => difference("", text), repeated("é"), repeated("\u200b")),
    ...each("a file's path", quoteForShell, repeated("'"), repeated("a")),
    ...each(
      "files of a drop",
      (text) => {
        const files = text.split("\n").map((name) => ({ name }));
        return filesOf({ files, getData: () => text } as unknown as DataTransfer);
      },
      (length) => Array.from({ length: length / 8 }, (_, at) => `${at}`).join("\n"),
    ),
  ]);
});

describe("what an agent asks and says", () => {
  const ask = (tool: string, input: object) =>
    ({ id: "a", cwd: "/work", tool, input, suggestions: [] }) as unknown as OpenAsk;
  const words = (text: string) => title(toAsk(ask("Bash", { command: text, description: text })));
  const questions = (length: number) =>
    Array.from({ length: length / 100 }, (_, at) => ({ question: `${at}?` }));
  const ofCodex = (method: string, params: object, changes: object[] = []) =>
    codexAsk({ id: "a", method, params, changes, at: 0, by: null, request: 1 } as unknown as CodexAsk);
  const codexCommand = (command: string) => {
    const params = { turnId: "t", itemId: "i", command };
    const open = {
      method: "item/commandExecution/requestApproval",
      params,
      changes: [],
      at: 0,
      by: null,
      request: 1,
    };
    withId(open as unknown as CodexAsk);
  };
  const ofOpenCode = (said: object, kind: "permission" | "question" = "permission") =>
    title(openCodeAsk({ id: "a", at: 0, kind, said: said as Record<string, unknown> }));
  /** As a frame around it at the end of the screen, however wide that would be. */
  const ofGemini = (rows: string[]) => {
    const framed = ["╭──╮", ...rows, "● 1. Allow once", "  2. Allow for this session", "╰──╯"];
    const dialog = findDialog({ text: framed.join("\n") });
    if (dialog === undefined) throw new Error("there is no dialog");
    headingOf(dialog);
    geminiAsk("a", dialog);
    hasBox({ text: framed.join("\n") });
  };
  const SHELL: Make[] = [run("/bin/sh -c '", "x", ""), run("", "/", "sh -c ''x"), repeated("/sh -c 'x' ")];
  check([
    ...each("a command of Codex's", codexCommand, BLANKS, LINES, ...SHELL),
    ...each(
      "an edit of Codex's",
      (diff) => ofCodex("item/fileChange/requestApproval", {}, [{ path: diff, kind: { type: "add" }, diff }]),
      LINES,
      run("x", "\n", ""),
    ),
    ...each(
      "questions of Codex's",
      (text) => ofCodex("item/tool/requestUserInput", { questions: questions(text.length) }),
      repeated("x"),
    ),
    ...each(
      "a command of OpenCode's",
      (text) =>
        ofOpenCode({
          permission: "bash",
          patterns: [text],
          always: [text],
          metadata: { command: text, description: text },
        }),
      BLANKS,
      LINES,
    ),
    ...each(
      "patterns of OpenCode's",
      (text) =>
        ofOpenCode({ permission: "read", patterns: text.split(" "), always: text.split(" "), metadata: {} }),
      repeated("x "),
    ),
    ...each(
      "questions of OpenCode's",
      (text) => ofOpenCode({ questions: questions(text.length) }, "question"),
      repeated("x"),
    ),
    ...each(
      "a dialog of Gemini's",
      (text) => ofGemini(["? Shell  x", ...text.split("\n")]),
      BLANKS,
      LINES,
      run("│", " ", "x"),
      run("", "│", ""),
      run("● 1.", " ", "x"),
      repeated("1. x\n"),
      repeated("─"),
      repeated("●"),
    ),
    ...each(
      "options of a command",
      splitAtOptions,
      repeated("-"),
      repeated(" -a"),
      repeated("--x "),
      run("-", "x", ""),
      BLANKS,
    ),
    ...each("a last reply", brief, LINES, BLANKS, repeated("\n \n"), repeated("\n x"), run("\n", " ", "x")),
    ...each("a command", words, BLANKS, LINES, repeated("x "), repeated("\u0301")),
    ...each(
      "a file",
      (text) => toAsk(ask("Write", { file_path: text, content: text })),
      LINES,
      repeated("/"),
    ),
    ...each("a tool", (text) => toAsk(ask(text, { a: text })), run("mcp__", "_", "x"), repeated("x")),
    ...each(
      "an answer to many questions",
      (text) => {
        const asked = ask("AskUserQuestion", { questions: questions(text.length) });
        const answers = Object.fromEntries(questions(text.length).map(({ question }) => [question, "yes"]));
        try {
          answerBody(asked, { ask: "a", decision: "allow", answers });
        } catch {
          // too many to be shown
        }
      },
      repeated("x"),
    ),
    ...each(
      "when a limit ends",
      (text) => resetTime(text, 0),
      run("resets", " ", "x"),
      repeated("resets "),
      run("resets Jan", "a", "x"),
    ),
    ...each(
      "what is shown of it",
      visibleText,
      repeated("\u202e"),
      repeated("👩\u200d"),
      repeated("#\ufe0f"),
    ),
  ]);

  test("a question that is too long to be shown is not answered here, nor is a rule that is", () => {
    const many = ask("AskUserQuestion", { questions: questions(500_000) });
    expect(toAsk(many)).toMatchObject({ questions: null, canAnswer: false });
    expect(() => answerBody(many, { ask: "a", decision: "allow" })).toThrow("in its terminal");
    const rules = [{ toolName: "Bash", ruleContent: "x".repeat(500_000) }];
    const suggestions = [{ type: "addRules", behavior: "allow", rules }];
    const always = { ...ask("Bash", { command: "ls" }), suggestions } as OpenAsk;
    expect(toAsk(always)).toMatchObject({ always: null, canAnswer: true });
    expect(() => answerBody(always, { ask: "a", decision: "always" })).toThrow("there is no “always”");
  });
});

describe("what a program prints", () => {
  const COLS = 500;
  /** One line that was wrapped over the whole of the tallest screen, with a cursor at its end. */
  const onScreen = (text: string) => {
    const flat = text.slice(0, COLS * 299).replaceAll("\n", " ");
    const rows = Array.from({ length: Math.ceil(flat.length / COLS) }, (_, row) =>
      flat.slice(row * COLS, (row + 1) * COLS).padEnd(COLS, "x"),
    );
    const cursor = { x: 2, y: rows.length };
    findPrompt({ text: [...rows, "? "].join("\n"), cols: COLS, cursor, alternate: false, title: "" }, true);
  };
  const scan = (size: number) => (text: string) => {
    const sticky = new StickyState(() => {});
    const scanner = new Scanner({
      pass() {},
      sequence(kind, sequence) {
        if (kind === "csi") parseCsi(sequence);
        const osc = kind === "osc" ? parseOsc(sequence) : undefined;
        if (osc !== undefined) sticky.osc(osc);
        return "pass";
      },
      ask() {},
      bell() {},
      linesKept: () => 1_000,
    });
    const all = bytes(text);
    for (let at = 0; at < all.length; at += size) scanner.feed(all.subarray(at, at + size));
  };
  const unended = [
    run("\x1b[", "1;", ""),
    run("\x1b[", " ", ""),
    run("\x1b", " ", ""),
    run("\x1b]0;", "x", ""),
    run("\x1bP", "x", ""),
  ];
  check([
    ...each("a screen", onScreen, repeated("[y/n"), repeated("continue "), repeated("password "), BLANKS),
    ...each("in small pieces", scan(16), ...unended),
    ...each("in one piece", scan(1_000_000), ...unended, ESCAPES, repeated("\x1b]0;x"), repeated("\x07")),
    ...each("colours", scan(4_096), repeated("\x1b]4;1;#fff\x07"), run("\x1b]4", ";1;red", "\x07")),
    ...each(
      "skimmed",
      (text) => withoutText(bytes(text), true),
      ESCAPES,
      repeated("\x1b[1"),
      unended[0] as Make,
    ),
    ...each("addresses", findAddresses, repeated("http://"), run("http://a/", ")", ""), repeated("mailto:")),
    ...each(
      "a link's text",
      (text) => claimedHost(text, "https://a.example/"),
      run("a", ".", "a"),
      repeated("a."),
      repeated("a.example "),
      BLANKS,
    ),
    ...each(
      "read aloud",
      (text) => createNewLines().take(text.split("\n"), { cursorRow: 0, isEcho: false, isResting: true }),
      LINES,
      BLANKS,
      repeated("1"),
    ),
    ...each("a browser's name", browserName, repeated("Edg"), repeated("Mac OS ")),
  ]);

  test("a line as long as the history, with what is searched for everywhere in it", () => {
    const terminal = (length: number) => {
      const { emulator, write } = open(4, 4);
      write("ab".repeat(length / 16));
      return emulator;
    };
    expect(findMatches(terminal(64_000), "a")).toHaveLength(2_000);
    expectLinear(terminal, (emulator) => findMatches(emulator, "a"));
  });
});

describe("what is searched for", () => {
  /** The longest that a search field takes, and the worst: almost everywhere. */
  const NEEDLE = `${"a".repeat(199)}b`;
  const found = (text: string) =>
    findChoices([{ id: "1", label: text, detail: text, group: text, words: text }], NEEDLE, []);
  const typed = (text: string) =>
    findChoices([{ id: "1", label: "a task", detail: "in a project" }], text, []);
  const onBoard = (text: string) =>
    toColumns([task("1", { description: text })], { projects: [], projectId: null, search: NEEDLE });
  check([
    ...each("in choices", found, repeated("a"), BLANKS, repeated("\u0301")),
    ...each("and pasted there", typed, repeated("a"), repeated("a "), BLANKS),
    ...each("on the board", onBoard, repeated("a"), BLANKS, repeated("İ")),
  ]);

  test("a text that occurs everywhere in another, however long", () => {
    expectLinear(repeated("a"), (text) =>
      findChoices([{ id: "1", label: `b${text}` }], text.slice(0, text.length / 2), []),
    );
  });
});

describe("what git says", () => {
  const inert = (text: string) => ({ must: async () => text }) as unknown as InertGit;
  check([
    ...each(
      "a failure",
      (stderr) => gitFailure("look", { stderr, stdout: "", code: 1 }),
      repeated("Unable to create '"),
      run("Unable to create '", ".lock'", ""),
      LINES,
    ),
    ...each("closed folders", closedFolders, repeated("could not open directory '"), repeated("'")),
    ...each("names of objects", namesIn, repeated("0123456789abcdef"), repeated(`${"a".repeat(40)} `)),
    ...each("kinds of objects", (text) => objectsByKind(inert(text), ["x"]), repeated(`a missing\n`)),
  ]);
});

describe("what comes with a request", () => {
  const headers = (text: string) => new Request("http://x/", { headers: { "x-forwarded-for": text } });
  const loopback = { requestIP: () => ({ address: "127.0.0.1" }) };
  check([
    ...each("for whom", (text) => sourceOf(headers(text), loopback), repeated("1."), repeated("[,")),
    ...each(
      "the host",
      (text) => createOrigins({ host: "127.0.0.1", publicOrigins: [] }).isHost(text),
      repeated("127.0.0.1:"),
      repeated("["),
    ),
    ...each("a file's name", safeFileName, run("a", "-", "b"), run("a", ".", "b"), repeated("../")),
    ...each("a title", (text) => branchName("abcdefgh", text), run("a", "-", "b"), repeated("e\u0301")),
    ...each(
      "a line",
      (text) => {
        try {
          return requireLine("title", text);
        } catch {
          return undefined;
        }
      },
      BLANKS,
      LINES,
    ),
  ]);
});
