// The app-server's requests for approval and its questions, in a form that people can answer without the terminal.
import { type Ask, type AskQuestion, LIMITS } from "../../../contract.ts";
import { sha256 } from "../../auth/token.ts";
import { clip, oneLine } from "../ask-text.ts";
import { type Fields, fields, list, type RequestId, text } from "./protocol.ts";

const COMMAND = "item/commandExecution/requestApproval";
const EDIT = "item/fileChange/requestApproval";
const QUESTION = "item/tool/requestUserInput";

const ELICITATION = "mcpServer/elicitation/request";

/** Asked of the program that listens, and not of a person. */
const OF_THE_CLIENT = [
  ...["item/tool/call", "account/chatgptAuthTokens/refresh", "attestation/generate", "currentTime/read"],
];

export interface OpenAsk {
  id: string;
  request: RequestId;
  method: string;
  params: Fields;
  at: number;
  /** For edits: the files and what becomes of them. */
  changes: Fields[];
  /** The subagent that asks, by its name; null for the conversation itself. */
  by: string | null;
}

/**
 * Its id is the same when it is asked again after a break, where it is about an item, and another one where it shows
 * anything else: items may have the id of an earlier one, and an answer is to what the person has seen.
 */
export function withId(open: Omit<OpenAsk, "id">): OpenAsk {
  const { turnId, itemId, approvalId } = open.params;
  const shown = sha256(JSON.stringify(toAsk({ ...open, id: "" }))).slice(0, 16);
  const parts = [turnId, itemId ?? `request ${open.request}`, approvalId, shown];
  return { ...open, id: parts.map(text).filter(Boolean).join("/") };
}

/** Whose conversation it is about; versions before had another name for it. */
export const threadOf = ({ threadId, conversationId }: Fields) => text(threadId) || text(conversationId);

export const isQuestion = ({ method }: Pick<OpenAsk, "method">) => method === QUESTION;
export const canBeAnswered = (method: string) => [COMMAND, EDIT, QUESTION].includes(method);
export const isForPeople = (method: string) => !OF_THE_CLIENT.includes(method);

/** What only its terminal can answer: a form of an MCP server's, or something that this banto doesn't know yet. */
export function elsewhere({ method, params, by }: OpenAsk): {
  kind: "permission" | "question";
  words: string;
} {
  const { serverName, message, reason, _meta } = params;
  const said = oneLine(text(message) || text(reason));
  const isApproval = /approval/i.test(method) || text(fields(_meta).codex_approval_kind) !== "";
  const kind = isApproval ? "permission" : "question";
  const who = by === null ? "" : `${by}: `;
  if (method === ELICITATION && !isApproval)
    return {
      kind,
      words: `${who}The MCP server ${text(serverName)} asks: “${said}” Answer in its terminal.`,
    };
  if (said !== "") return { kind, words: `${who}${said} (Answer in its terminal.)` };
  const what = isApproval ? "It's asking for a permission." : "It has a question.";
  return { kind, words: `${who}${what} Answer in its terminal.` };
}

export function toAsk(open: OpenAsk): Ask {
  const { tool, summary, detail, always, questions = null } = describe(open);
  const isWhole = [detail, JSON.stringify(questions)].every(({ length }) => length <= LIMITS.askDetail);
  return {
    id: open.id,
    tool,
    summary: oneLine(open.by === null ? summary : `${open.by}: ${summary}`),
    detail: clip(detail, LIMITS.askDetail),
    always,
    questions: isWhole ? questions : null,
    // What people can't see in full can't be allowed from here.
    canAnswer: isWhole && isClear(open),
  };
}

/** Without the diff nobody knows what they would allow. What must not be shown is not typed here either. */
function isClear({ method, params, changes }: OpenAsk): boolean {
  if (method === EDIT) return changes.length > 0;
  return method !== QUESTION || list(params.questions).every(({ isSecret }) => isSecret !== true);
}

type Described = Pick<Ask, "tool" | "summary" | "detail" | "always"> & { questions?: AskQuestion[] };

function describe(open: OpenAsk): Described {
  if (open.method === QUESTION) return question(open);
  return open.method === EDIT ? edit(open) : command(open);
}

/** What a shell is given to run, without the shell, where that is beyond doubt. */
export function unwrapped(line: string): string {
  const [, quoted] = /^\S*\/(?:ba|z|da)?sh -l?c '([^']*)'$/s.exec(line) ?? [];
  const [, double] = /^\S*\/(?:ba|z|da)?sh -l?c "([^"\\$`]*)"$/s.exec(line) ?? [];
  return quoted ?? double ?? line;
}

const SHOWN = ["command", "cwd", "reason", "networkApprovalContext"];
/** Says nothing of what would be allowed. */
const ABOUT = [
  ...["kind", "threadId", "turnId", "itemId", "approvalId", "startedAtMs", "environmentId"],
  ...["commandActions", "availableDecisions"],
  ...["proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments"],
];

function command({ params }: OpenAsk): Described {
  const { reason, cwd, kind, networkApprovalContext: network } = params;
  const line = text(params.command);
  const host = text(fields(network).host);
  const summary = host === "" ? unwrapped(line) : `Reach ${host}`;
  const others = Object.entries(params).filter(
    ([key, value]) => value != null && ![...SHOWN, ...ABOUT].includes(key),
  );
  const notes = [
    ...(text(reason) === "" ? [] : [text(reason)]),
    ...(text(cwd) === "" ? [] : [`in ${text(cwd)}`]),
    ...(network == null ? [] : [`network: ${JSON.stringify(network)}`]),
    ...(kind === undefined || kind === "command" ? [] : [`kind: ${JSON.stringify(kind)}`]),
    ...others.map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
  ];
  const detail = [unwrapped(line), notes.map((note) => `# ${note}`).join("\n")].filter(Boolean);
  const isPlain = host === "" && (kind === undefined || kind === "command");
  return {
    tool: host === "" ? "Command" : "Network",
    summary: summary || text(reason),
    detail: detail.join("\n\n"),
    always: isPlain ? "this command, for the rest of this session" : null,
  };
}

const VERBS: Record<string, string> = { add: "Write", delete: "Delete" };

function edit({ params, changes }: OpenAsk): Described {
  const { reason, grantRoot } = params;
  const parts = changes.map(({ path, kind }) => `${VERBS[text(fields(kind).type)] ?? "Edit"} ${text(path)}`);
  const notes = [
    ...(text(reason) === "" ? [] : [`# ${text(reason)}`]),
    ...(text(grantRoot) === "" ? [] : [`# for everything below ${text(grantRoot)}`]),
  ];
  return {
    tool: "Edit",
    summary: parts.join(", ") || text(reason) || "Edit files",
    detail: [...changes.map(diffOf), notes.join("\n")].filter(Boolean).join("\n\n"),
    always: "edits of these files, for the rest of this session",
  };
}

function diffOf({ path, kind, diff }: Fields): string {
  const { type, move_path } = fields(kind);
  const name = text(path);
  const to = text(move_path) || name;
  // A file that is new or goes away comes as its text.
  const marked = (mark: string) =>
    text(diff)
      .replace(/\n$/, "")
      .split("\n")
      .map((row) => mark + row)
      .join("\n");
  if (type === "add") return `+++ ${name}\n${marked("+")}`;
  if (type === "delete") return `--- ${name}\n${marked("-")}`;
  return `--- ${name}\n+++ ${to}\n${text(diff).replace(/\n$/, "")}`;
}

function question({ params }: OpenAsk): Described {
  const questions = list(params.questions).map((asked) => ({
    question: text(asked.question),
    header: text(asked.header) || null,
    multiple: false,
    options: list(asked.options).map(({ label, description }) => ({
      label: text(label),
      description: text(description) || null,
    })),
  }));
  const detail = questions.map(({ question, options }) =>
    [
      question,
      ...options.map(({ label, description }) => `- ${label}${description ? `: ${description}` : ""}`),
    ].join("\n"),
  );
  return {
    tool: "Question",
    summary: questions.map(({ question }) => question).join(" "),
    detail: detail.join("\n\n"),
    always: null,
    questions,
  };
}
