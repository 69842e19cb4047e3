// What Claude Code asks in the middle of a turn. In auto mode it asks for nothing of this.
import type { Reply } from "../../../support/messages-api.ts";
import { choose, leaveDialog } from "../../choose.ts";
import type { Expected, State, Talk } from "../../scenario.ts";
import {
  type ClaudeScenario,
  type ClaudeVariant,
  installLab,
  openClaude,
  tellsItsTerminal,
} from "./variants.ts";

const bash = (command: string): Reply => ({ tool: "Bash", input: { command, description: "Do it" } });

const PROCEED = /Do you want|proceed\?/;
const PLANNED = /Would you like to proceed|Exit plan mode\?/;
const ASKED = (kind: State): State[] => ["working", kind, "working", "finished"];

/** In auto mode nobody is asked. */
const inDefaultMode =
  (expected: (variant: ClaudeVariant) => Expected | undefined) =>
  (variant: ClaudeVariant): Expected | undefined =>
    variant.mode === "default" ? expected(variant) : undefined;

const withHooks = (states: State[]) => inDefaultMode(({ hasHooks }) => (hasHooks ? { states } : undefined));

async function answer(talk: Talk<Reply>, kind: "permission" | "question", body: Record<string, unknown>) {
  await talk.is(kind);
  const { status } = await talk.run.answer(body);
  if (status !== 204) throw new Error(`its answer was refused with ${status}`);
}

/** After it has been seen in the terminal, as people do. */
async function allowedThere(talk: Talk<Reply>) {
  await talk.is("permission");
  await choose(talk.run, PROCEED, /Yes/);
}

export const ASKS: ClaudeScenario[] = [
  {
    name: "Bash asks, and is allowed on the card",
    replies: [bash("touch on-the-card"), "Made."],
    act: async (talk) => {
      await talk.is("permission");
      await talk.run.sees(PROCEED);
      await answer(talk, "permission", { decision: "allow" });
      await talk.is("finished");
    },
    expect: withHooks(ASKED("permission")),
    shown: [/proceed\?/, "permission"],
  },
  {
    name: "Write asks, and is denied on the card",
    replies: [{ tool: "Write", input: { file_path: "/etc/made-by-claude", content: "one\n" } }, "Not then."],
    act: async (talk) => {
      await answer(talk, "permission", { decision: "deny", message: "Not there, please." });
      await talk.is("finished");
    },
    expect: withHooks(ASKED("permission")),
  },
  {
    name: "Bash asks, and is allowed in the terminal",
    replies: [bash("touch in-the-terminal"), "Made."],
    act: async (talk) => {
      await allowedThere(talk);
      await talk.is("finished");
    },
    expect: inDefaultMode(() => ({ states: ASKED("permission"), reason: /touch in-the-terminal|terminal/ })),
    shown: [/proceed\?/, "permission"],
  },
  {
    name: "WebFetch asks",
    replies: [
      { tool: "WebFetch", input: { url: "http://127.0.0.1:1/", prompt: "Read it" } },
      "It is not there.",
    ],
    act: async (talk) => {
      await talk.is("permission");
      await choose(talk.run, /Do you want/, /Yes/);
      await talk.is("finished");
    },
    expect: inDefaultMode(() => ({ states: ASKED("permission") })),
    shown: [/Do you want/, "permission"],
  },
  {
    name: "Bash asks, and is called off with Esc",
    replies: [bash("touch never")],
    act: async (talk) => {
      await talk.is("permission");
      await leaveDialog(talk.run, PROCEED);
      await talk.is("idle");
    },
    expect: inDefaultMode(() => ({ states: ["working", "permission", "idle"], reason: /^Interrupted/ })),
  },
  {
    name: "two ask in a row",
    replies: [bash("touch first"), bash("touch second"), "Both are made."],
    act: async (talk) => {
      const isAsked = (what: string) =>
        talk.run.until(({ activity }) => activity?.kind === "permission", `the request to ${what}`);
      await isAsked("touch first");
      await talk.run.sees(/touch first/);
      await choose(talk.run, /touch first[\s\S]*proceed\?/, /Yes/);
      await talk.run.sees(/touch second[\s\S]*proceed\?/);
      await isAsked("touch second");
      await choose(talk.run, /touch second[\s\S]*proceed\?/, /Yes/);
      await talk.is("finished");
    },
    expect: inDefaultMode(() => ({
      states: ["working", "permission", "working", "permission", "working", "finished"],
    })),
  },
  {
    name: "a subagent asks",
    replies: [
      {
        tool: "Agent",
        input: { description: "Look", prompt: "Do the small part", subagent_type: "general-purpose" },
      },
      "I wait for it.",
      "It is done.",
    ],
    act: async (talk, variant) => {
      talk.board.script("Do the small part", [bash("touch by-a-subagent"), "The part is done."]);
      await talk.is("permission");
      // In the terminal there is no dialog for it.
      await answer(talk, "permission", { decision: "allow" });
      // Older ones don't go on before it is done.
      await talk.run.sees(tellsItsTerminal(variant) ? /It is done\./ : /I wait for it\./);
      await talk.is("finished");
    },
    // Its turn is over while the subagent goes on.
    expect: (variant) =>
      withHooks([
        "working",
        ...(tellsItsTerminal(variant) ? (["background"] as const) : []),
        ...(["permission", "working", "finished"] as const),
      ])(variant),
  },
  {
    name: "a question with choices, answered on the card",
    replies: [question("Which colour?"), "Blue it is."],
    act: async (talk) => {
      await talk.run.sees(/Which colour\?/);
      await answer(talk, "question", { decision: "allow", answers: { "Which colour?": "Blue" } });
      await talk.is("finished");
    },
    expect: ({ hasHooks }) =>
      hasHooks ? { states: ASKED("question"), reason: /Which colour\?/ } : undefined,
  },
  {
    name: "a question with choices, answered in the terminal",
    replies: [question("Which shape?"), "Round it is."],
    act: async (talk) => {
      await talk.is("question");
      await choose(talk.run, /Which shape\?/, /Blue/);
      await talk.is("finished");
    },
    expect: () => ({ states: ASKED("question") }),
    shown: [/Which shape\?/, "question"],
  },
  {
    name: "a plan, denied and then approved on the card",
    replies: [plan("One thing"), plan("Another thing"), "It is made."],
    own: openClaude,
    fields: { agentOptions: { permissionMode: "plan" } },
    act: async (talk) => {
      const { asks: first } = await talk.is("permission");
      await answer(talk, "permission", { decision: "deny", message: "Another one, please." });
      await talk.run.until(({ asks }) => asks !== null && asks.id !== first?.id, "the second plan");
      await answer(talk, "permission", { decision: "allow" });
      await talk.is("finished");
    },
    expect: withHooks(["working", "permission", "working", "permission", "working", "finished"]),
  },
  {
    name: "a plan, approved in the terminal",
    replies: [plan("The only thing"), "It is made."],
    own: openClaude,
    fields: { agentOptions: { permissionMode: "plan" } },
    act: async (talk) => {
      await talk.is("permission");
      await choose(talk.run, PLANNED, /Yes/);
      await talk.is("finished");
    },
    expect: inDefaultMode(() => ({ states: ASKED("permission") })),
    shown: [PLANNED, "permission"],
  },
  {
    name: "a tool of an MCP server asks, and then the server",
    replies: [{ tool: "mcp__lab__ask", input: {} }, "Red it is."],
    own: (variant) => openClaude(variant, { prepare: installLab }),
    act: async (talk, variant) => {
      if (!tellsItsTerminal(variant)) return talk.is("finished");
      await talk.is("permission");
      await choose(talk.run, PROCEED, /Yes/);
      await talk.is("question");
      await leaveDialog(talk.run, /Which colour do you like/);
      return talk.is("finished");
    },
    // Older ones ask for neither.
    expect: inDefaultMode((variant) => ({
      states: tellsItsTerminal(variant)
        ? ["working", "permission", "working", "question", "working", "finished"]
        : ["working", "finished"],
    })),
    shown: [/Which colour do you like/, "question"],
  },
];

function question(text: string): Reply {
  const options = ["Red", "Blue"].map((label) => ({ label, description: `All in ${label}` }));
  const input = { questions: [{ question: text, header: "Which", multiSelect: false, options }] };
  return { tool: "AskUserQuestion", input };
}

function plan(what: string): Reply {
  return { tool: "ExitPlanMode", input: { plan: `# The plan\n\n${what}.` } };
}
