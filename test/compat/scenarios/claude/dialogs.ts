// Dialogs that Claude Code's person opens, or that auto mode brings.
import { claudeSettings } from "../../../host/support/claude.ts";
import type { Reply } from "../../../support/messages-api.ts";
import { choose, leaveDialog } from "../../choose.ts";
import { type ClaudeScenario, on, openClaude, tellsItsTerminal } from "./variants.ts";

const OPENED: [command: string, shown: RegExp][] = [
  ["/model", /Select model/],
  ["/config", /Search settings|Configure|Auto-compact/],
  ["/permissions", /Permissions:|Add a new rule|Recently denied/],
  ["/rewind", /Restore the code|Rewind/],
];

const opened = ([command, shown]: (typeof OPENED)[number]): ClaudeScenario => ({
  name: `${command}, opened and left`,
  act: async (talk) => {
    const before = talk.run.task.activity?.kind;
    await talk.say(command, []);
    await talk.is("question");
    await leaveDialog(talk.run, shown);
    await talk.is(before ?? "finished");
  },
  expect: () => ({ states: ["question", "finished"], reason: /dialog/ }),
  shown: [shown, "question"],
});

const fetchIt = (check?: "flagged"): Reply => ({
  ...{ tool: "Bash", input: { command: "curl http://127.0.0.1:1/", description: "Fetch it" } },
  ...(check && { check }),
});

export const DIALOGS: ClaudeScenario[] = [
  ...OPENED.map(opened),
  {
    name: "auto mode: a call is blocked",
    replies: [fetchIt("flagged"), "Then not."],
    act: (talk) => talk.is("finished"),
    expect: ({ mode }) => (mode === "auto" ? { states: ["working", "finished"] } : undefined),
  },
  {
    name: "auto mode: after the third block it asks",
    replies: [fetchIt("flagged"), fetchIt("flagged"), fetchIt("flagged"), fetchIt("flagged"), "Then not."],
    own: openClaude,
    act: async (talk) => {
      await talk.is("permission");
      await leaveDialog(talk.run, /Do you want|proceed\?/);
      await talk.is("idle");
    },
    expect: ({ mode }) => (mode === "auto" ? { states: ["working", "permission", "idle"] } : undefined),
  },
  {
    name: "auto mode can't check actions, and then asks for each",
    replies: [fetchIt(), "Fetched."],
    own: openClaude,
    act: async (talk) => {
      await talk.is("question");
      await talk.run.until(({ activity }) => activity?.reason?.includes("can't check") === true, "its words");
      await talk.run.answerDialog(/Enter to stay in auto mode/, "\r");
      await talk.is("permission");
      await choose(talk.run, /No[\s\S]*Yes|Yes[\s\S]*No/, /Yes/);
      await talk.is("finished");
    },
    expect: ({ mode }) =>
      mode === "auto"
        ? {
            states: ["working", "question", "working", "permission", "working", "finished"],
            reason: /Auto mode can't check actions/,
          }
        : undefined,
    shown: [/Enter to stay in auto mode/, "question"],
  },
  {
    name: "an offer after the first turn",
    replies: ["Here you are."],
    own: on({
      isNew: true,
      prepare: ({ server }) => claudeSettings(server.home, { permissions: { defaultMode: "default" } }),
    }),
    act: async (talk) => {
      await talk.run.until(
        ({ activity }) => activity?.reason?.includes("Make auto mode") === true,
        "its words",
      );
      await leaveDialog(talk.run, /Make auto mode your default/);
      await talk.is("finished");
    },
    expect: (variant) =>
      variant.mode === "default" && tellsItsTerminal(variant)
        ? {
            // Without hooks its first turn is over when that is open.
            states: ["working", ...(variant.hasHooks ? (["finished"] as const) : []), "question", "finished"],
            reason: /Make auto mode your default/,
          }
        : undefined,
    shown: [/Make auto mode/, "question"],
  },
];
