// Lines 1 to 7 of the table in state.ts, and where its lines 8 to 15 see dialogs: what is known, and what it is read as.
import { expect } from "bun:test";
import type { Observation } from "../../../../src/server/agents/reading.ts";
import { asks, file, fileGone, hook, output, over, screen, title, told } from "./news.ts";
import { type Case, SUBMIT } from "./state-cases.ts";

const STOP = hook(5_000, "Stop", { last_assistant_message: "Done." });
const FAILED = hook(5_000, "StopFailure", { error: "rate_limit", last_assistant_message: "Too many" });
const WORKS = [SUBMIT, file(1_000, "busy"), told(1_020, "working")];
const permission = (at: number, message = "approve Bash: touch one") =>
  told(at, "blocked", { kind: "permission", message });

const TWO_ASKS = [...WORKS, asks(5_000), permission(5_020), asks(5_030, "touch two", "b")];
const LEFT = hook(5_000, "Stop", {
  background_tasks: [
    { id: "s1", type: "shell", status: "running", description: "Serve", command: "npm start" },
    { id: "s0", type: "shell", status: "completed", description: "Build", command: "npm run build" },
  ],
});
/** At work, and a shell in the background. */
const besideShell = (at: number, message: string | null = null): Observation => {
  const root = told(1_020, "working", { message, at });
  const shell = told(1_500, "working", { id: "s1", title: "Serve" });
  if (root.type !== "program" || shell.type !== "program") throw new Error("no reports");
  return { type: "program", at, reports: [...root.reports, ...shell.reports] };
};

const ASKS_FOR_INPUT = told(9_000, "blocked", { kind: "question", message: "MCP input: lab" });

export const TOLD_CASES: Record<string, Case[]> = {
  "1 it asks, and tells its state": [
    ["whatever it told before", [...WORKS, asks(5_000)], 5_000, "permission", { release: [] }],
    ["and goes on to", [...WORKS, asks(5_000), permission(5_020)], 99_000, "permission", { release: [] }],
    [
      "until it works again",
      [...WORKS, asks(5_000), permission(5_020), told(9_000, "working")],
      9_500,
      "working",
      { release: ["a"] },
    ],
    [
      "not just for the moment between two dialogs",
      [...WORKS, asks(5_000), permission(5_020), told(9_000, "working")],
      9_400,
      "permission",
      { again: 9_500 },
    ],
    [
      "until its file says so",
      [...WORKS, asks(5_000), file(5_020, "waiting", "permission prompt"), file(9_000, "busy")],
      9_500,
      "working",
      { release: ["a"] },
    ],
    [
      "until it asks a question that no hook tells of",
      [...WORKS, asks(5_000), permission(5_020), ASKS_FOR_INPUT],
      9_500,
      "question",
      { release: ["a"], reason: "The MCP server lab is asking for input. (Answer in its terminal.)" },
    ],
    [
      "not if that is for a subagent, whose dialog it may show later",
      [...WORKS, asks(5_000, "touch one", "a", { agent_id: "s" }), permission(5_020), ASKS_FOR_INPUT],
      9_500,
      "permission",
      { release: [] },
    ],
    ["though its dialog was never told of", [...WORKS, asks(5_000)], 60_000, "permission", { release: [] }],
    [
      "a plan, until its tool has run, which says nothing of it",
      [
        ...WORKS,
        hook(5_000, "PermissionRequest", { tool_name: "ExitPlanMode", tool_input: { plan: "P" } }, "a"),
        hook(9_000, "PostToolUse", { tool_name: "ExitPlanMode", tool_input: {} }),
      ],
      9_000,
      "working",
      { release: ["a"] },
    ],
  ],
  "1 it asks twice at once": [
    ["and is asked the first", TWO_ASKS, 9_000, "permission", { reason: "touch one", release: [] }],
    [
      "until it tells of the second, as the first was answered in its terminal",
      [...TWO_ASKS, permission(9_000, "approve Bash: touch two")],
      9_500,
      "permission",
      { reason: "touch two", release: ["a"] },
    ],
    [
      "not at once",
      [...TWO_ASKS, permission(9_000, "approve Bash: touch two")],
      9_400,
      "permission",
      { reason: "touch one", release: [], again: 9_500 },
    ],
    [
      "but if it has never told of the first, nobody can have answered that",
      [...WORKS, asks(5_000), asks(5_010, "touch two", "b"), permission(5_020, "approve Bash: touch two")],
      9_000,
      "permission",
      { reason: "touch one", release: [] },
    ],
    [
      "nor if what it tells of is neither",
      [...TWO_ASKS, permission(9_000, "approve Write: three")],
      9_900,
      "permission",
      { reason: "touch one", release: [] },
    ],
  ],
  "2 a hook came a moment ago": [
    ["that a prompt was taken", [told(500, "done"), file(500, "idle"), SUBMIT], 5_900, "working"],
    ["and nothing came of it", [told(500, "done"), SUBMIT], 6_000, "finished"],
    [
      "that a tool has run, which was the end of it",
      [...WORKS, told(5_000, "idle"), hook(5_010, "PostToolUse", { tool_name: "Bash" })],
      6_010,
      "idle",
    ],
    ["that the turn is over", [...WORKS, STOP], 9_900, "finished", { again: 10_000 }],
    ["but somebody's own hook made it go on", [...WORKS, STOP], 10_000, "working"],
    [
      "that it was answered, and the dialog is told of only then",
      [...WORKS, asks(5_000), over(5_010, "answered"), permission(5_100)],
      5_200,
      "working",
    ],
    [
      "but the dialog stays",
      [...WORKS, asks(5_000), over(5_010, "answered"), permission(5_100)],
      6_910,
      "permission",
      { asks: null },
    ],
    [
      "that it was called off",
      [...WORKS, asks(5_000), permission(5_020), over(9_000, "withdrawn")],
      9_300,
      "idle",
      { reason: "Interrupted." },
    ],
  ],
  "3 blocked": [
    [
      "by a permission without a hook",
      [...WORKS, permission(5_000)],
      5_500,
      "permission",
      { reason: "Bash: touch one (Answer in its terminal.)", asks: null },
    ],
    [
      "but not while its hook may be on its way",
      [...WORKS, permission(5_000)],
      5_400,
      "working",
      { again: 5_500 },
    ],
    ["at once where no hook has ever come", [permission(5_000)], 5_000, "permission"],
    [
      "by one of which only the file tells",
      [SUBMIT, file(1_000, "busy"), file(5_000, "waiting", "permission prompt"), screen(5_800, "menu")],
      6_000,
      "permission",
      { reason: "Do you want to proceed? (Answer in its terminal.)" },
    ],
    [
      "by a question",
      [...WORKS, told(5_000, "blocked", { kind: "question", message: "answer: Which? (A · B)" })],
      5_500,
      "question",
      { reason: "Which? (A · B) (Answer in its terminal.)" },
    ],
    [
      "by a server's question",
      [...WORKS, told(5_000, "blocked", { kind: "question", message: "MCP input: lab" })],
      5_500,
      "question",
      { reason: "The MCP server lab is asking for input. (Answer in its terminal.)" },
    ],
    [
      "by a dialog, quoted once it is seen",
      [...WORKS, STOP, file(5_020, "waiting", "dialog open"), screen(6_000, "offer")],
      6_000,
      "question",
      { reason: "A dialog is open in its terminal: “Make it your default?” Answer it there." },
    ],
    [
      "by a dialog nobody has seen yet",
      [...WORKS, STOP, screen(5_001, "menu"), file(6_020, "waiting", "dialog open")],
      6_020,
      "question",
      { reason: "A dialog is open in its terminal. Answer it there." },
    ],
    [
      "though it was done by what it told its terminal",
      [...WORKS, STOP, told(5_020, "done"), file(9_000, "waiting", "dialog open")],
      9_000,
      "question",
    ],
    [
      "not by a dialog that is closed",
      [...WORKS, STOP, told(5_020, "done"), file(9_000, "waiting", "dialog open"), file(9_500, "idle")],
      9_500,
      "finished",
    ],
    ["by what a limit offers", [...WORKS, FAILED, file(5_020, "waiting", "dialog open")], 9_000, "limited"],
    [
      "by trust, in better words",
      [permission(800, "trust this folder"), screen(1_500, "trust")],
      1_500,
      "question",
      { reason: expect.stringContaining("trust this repository") },
    ],
    [
      "by a login",
      [...WORKS, told(5_000, "blocked", { kind: "auth", message: "Not logged in" }), file(5_020, "idle")],
      9_000,
      "trouble",
      { reason: expect.stringContaining("/login") },
    ],
    [
      "by a login of which its hook has told already",
      [
        ...WORKS,
        hook(5_000, "StopFailure", { error: "authentication_failed", last_assistant_message: "Invalid" }),
        told(5_020, "blocked", { kind: "auth", message: "Not logged in" }),
      ],
      5_020,
      "trouble",
    ],
    [
      "while it blinks",
      [...WORKS, permission(5_000), ...[6_000, 7_000, 8_000].map(output), screen(8_100, "menu", false)],
      9_000,
      "permission",
    ],
  ],
  "4 working": [
    ["by what it tells its terminal", [told(1_020, "working")], 60_000, "working"],
    ["by its file", [file(1_000, "busy")], 60_000, "working"],
    ["whatever the screen looks like", [...WORKS, screen(5_000, "box")], 60_000, "working"],
    [
      "a command of one's own",
      [...WORKS, STOP, told(5_020, "done"), told(9_000, "working")],
      9_500,
      "working",
    ],
    [
      "not a command that takes no time",
      [...WORKS, STOP, told(5_020, "done"), told(9_000, "working")],
      9_400,
      "finished",
      { again: 9_500 },
    ],
    [
      "not by another program in its terminal",
      [SUBMIT, STOP, told(9_000, "working", { app: "make" })],
      9_600,
      "finished",
    ],
  ],
  "5 at rest behind a dialog": [
    [
      "of which it does not tell, after another of which it did",
      [
        ...[...WORKS, STOP, file(6_000, "waiting", "dialog open"), file(8_000, "idle")],
        ...[screen(10_000, "choice"), screen(11_000, "choice")],
      ],
      11_000,
      "question",
    ],
    [
      "of which it does not tell, after a second",
      [...WORKS, STOP, told(5_020, "done"), screen(7_000, "choice"), screen(8_000, "choice")],
      8_000,
      "question",
    ],
    [
      "of its end",
      [...WORKS, STOP, file(5_020, "shell"), screen(9_000, "choice", false), screen(11_000, "choice")],
      11_000,
      "question",
      { reason: "A dialog is open in its terminal: “Two ways on”. Answer it there." },
    ],
    [
      "not one that was there a moment ago",
      [...WORKS, screen(4_900, "menu"), STOP, told(5_020, "done")],
      9_000,
      "finished",
    ],
    [
      "not a draft that looks like choices",
      [...WORKS, STOP, told(5_020, "done"), screen(9_000, "draft"), screen(11_000, "draft")],
      11_000,
      "finished",
    ],
    [
      "not a command that is being typed",
      [...WORKS, STOP, told(5_020, "done"), screen(9_000, "shell"), screen(11_000, "shell")],
      11_000,
      "finished",
    ],
    [
      "of its start",
      [told(800, "idle"), screen(1_500, "refused")],
      1_500,
      "question",
      { reason: expect.stringContaining("doesn't accept some of its settings") },
    ],
  ],
  "6 work in the background": [
    [
      "by its file",
      [...WORKS, STOP, file(5_020, "shell")],
      6_000,
      "background",
      { reason: "A shell command is still running." },
    ],
    [
      "by what it tells its terminal",
      [...WORKS, STOP, told(5_020, "working", { message: "1 shell still running" })],
      6_000,
      "background",
      { reason: "Still running: 1 shell still running." },
    ],
    [
      "by what its last hook says, before it tells of it",
      [...WORKS, LEFT],
      5_000,
      "background",
      { reason: "Still running: Serve." },
    ],
    [
      "with the words of the hook",
      [...WORKS, LEFT, file(5_020, "shell")],
      9_000,
      "background",
      { reason: "Still running: Serve." },
    ],
    ["until it rests", [...WORKS, LEFT, file(5_020, "shell"), file(9_000, "idle")], 9_500, "finished"],
    [
      "not of shells that it calls finished, but of what the file can't tell",
      [
        ...[SUBMIT, file(1_000, "busy")],
        hook(5_000, "Stop", { background_tasks: [{ id: "a1", type: "agent", description: "Review" }] }),
        file(5_020, "idle"),
      ],
      9_000,
      "background",
      { reason: "Still running: Review." },
    ],
    [
      "by its file, however its terminal is told",
      [...WORKS, besideShell(1_500), STOP, file(5_020, "shell"), besideShell(5_040, "1 shell lives on")],
      9_000,
      "background",
      { reason: "Still running: Serve." },
    ],
    [
      "by what it has told its terminal to be running, where there is no file",
      [SUBMIT, besideShell(1_500), LEFT, besideShell(5_040, "1 shell lives on")],
      9_000,
      "background",
      { reason: "Still running: Serve." },
    ],
    [
      "not as long as something else runs, too",
      [SUBMIT, besideShell(1_500), STOP, besideShell(5_040, "1 shell lives on")],
      10_000,
      "working",
    ],
    [
      "not once it goes on",
      [...WORKS, STOP, file(5_020, "shell"), hook(8_000, "UserPromptSubmit"), file(8_010, "busy")],
      8_020,
      "working",
    ],
  ],
  "7 at rest": [
    [
      "a turn",
      [...WORKS, STOP, told(5_020, "done"), file(5_030, "idle")],
      9_000,
      "finished",
      { since: 5_000 },
    ],
    [
      "a turn, by its file alone",
      [SUBMIT, file(1_000, "busy"), STOP, file(5_020, "idle")],
      9_000,
      "finished",
    ],
    ["a limit", [...WORKS, FAILED, told(5_020, "error", { message: "Too many" })], 9_000, "limited"],
    [
      "an interrupt",
      [...WORKS, told(5_000, "idle"), file(5_010, "idle")],
      5_510,
      "idle",
      { reason: "Interrupted." },
    ],
    ["an interrupt, after a moment", [...WORKS, told(5_000, "idle")], 5_400, "working", { again: 5_500 }],
    [
      "not while its title has just said that it works, and then leaves that to its reports",
      [file(500, "idle"), title(800, "busy"), title(1_200, "none")],
      1_600,
      "working",
      { again: 1_700 },
    ],
    [
      "a turn, though its title has just become busy: its file may say the same for a moment only",
      [SUBMIT, file(1_000, "busy"), STOP, file(5_020, "idle"), title(9_000, "busy")],
      9_400,
      "finished",
      { again: 9_500 },
    ],
    [
      "not while its title says that it works, ahead of its file",
      [SUBMIT, file(1_000, "busy"), STOP, file(5_020, "idle"), title(9_000, "busy")],
      9_500,
      "working",
    ],
    [
      "a dialog that was left, at once",
      [...WORKS, told(4_000, "done"), file(5_000, "waiting", "dialog open"), file(8_000, "idle")],
      8_000,
      "finished",
    ],
    [
      "a permission that was called off, at once",
      [...WORKS, permission(5_020), told(8_000, "idle")],
      8_000,
      "idle",
    ],
    [
      "an interrupt, by its file alone",
      [SUBMIT, file(1_000, "busy"), file(5_000, "idle")],
      5_500,
      "idle",
      { reason: "Interrupted." },
    ],
    [
      "compacted by hand",
      [...WORKS, told(2_000, "done"), hook(5_000, "PreCompact"), told(5_010, "working"), told(8_000, "done")],
      8_500,
      "finished",
    ],
    [
      "compacted by hand, by its file alone",
      [
        ...[SUBMIT, STOP, hook(6_000, "PreCompact"), file(6_010, "busy")],
        ...[hook(8_000, "PostCompact", { trigger: "manual" }), file(8_010, "idle")],
      ],
      9_000,
      "finished",
    ],
    [
      "compacted by itself in the middle of a turn",
      [...WORKS, hook(5_000, "PreCompact"), hook(8_000, "PostCompact", { trigger: "auto" })],
      8_500,
      "working",
    ],
    [
      "cleared",
      [...WORKS, STOP, told(5_020, "done"), hook(8_000, "SessionEnd", { reason: "clear" })],
      9_500,
      "idle",
      { reason: "The conversation was cleared." },
    ],
    [
      "a failure no hook tells of",
      [told(1_000, "working"), told(5_000, "error", { message: "No" })],
      5_500,
      "trouble",
      { reason: "No" },
    ],
    ["a turn no hook tells of", [told(1_000, "working"), told(5_000, "done")], 5_500, "finished"],
    [
      "an interrupt no hook tells of",
      [told(1_000, "working"), told(5_000, "idle")],
      5_500,
      "idle",
      { reason: "Interrupted." },
    ],
    [
      "a turn only its file tells of, once its screen is seen",
      [file(1_000, "busy"), file(5_000, "idle"), screen(5_600, "box")],
      5_700,
      "finished",
    ],
    ["or never", [file(1_000, "busy"), file(5_000, "idle")], 6_900, "finished"],
    [
      "an interrupt only its file and its screen tell of",
      [file(1_000, "busy"), file(5_000, "idle"), screen(5_600, "interrupted")],
      5_700,
      "idle",
      { reason: "Interrupted." },
    ],
    [
      "about to submit its prompt",
      [file(500, "idle"), screen(600, "box")],
      15_000,
      "working",
      { again: 15_500 },
    ],
    ["or never", [file(500, "idle"), screen(600, "box")], 15_500, "idle", { reason: null }],
    [
      "and its title is ahead of its file",
      [file(500, "idle"), title(700, "busy"), screen(800, "box")],
      5_600,
      "working",
    ],
  ],
  "8 to 15 once it tells no more": [
    ["its hooks count", [SUBMIT, file(1_000, "busy"), fileGone(2_000)], 60_000, "working"],
    [
      "a dialog after a turn asks",
      [SUBMIT, STOP, screen(5_600, "offer", false), screen(8_000, "offer", false)],
      8_000,
      "question",
      { reason: "Make it your default?" },
    ],
    [
      "a dialog in a turn asks, though it blinks",
      [
        SUBMIT,
        title(2_000, "rest"),
        screen(2_600, "offer", false),
        ...[3_000, 4_000].map(output),
        screen(5_000, "offer", false),
      ],
      5_000,
      "question",
      { reason: "Make it your default?" },
    ],
    [
      "without its input box nobody is told of an interrupt",
      [SUBMIT, title(2_000, "rest"), screen(4_000, "nothing")],
      9_000,
      "working",
    ],
    [
      "but after a long silence at something that can't be read, it asks",
      [SUBMIT, title(2_000, "rest"), screen(4_000, "nothing"), screen(13_900, "nothing")],
      14_000,
      "question",
      { reason: expect.stringContaining("neither its input box nor anything else that banto recognizes") },
    ],
    ["any sign that moves is work", [{ type: "title", at: 900, title: "◑ Claude Code" }], 9_000, "working"],
  ],
};
