// What Claude Code asks to be allowed, or wants to know, put so that a person can answer without its terminal.
import { type Ask, type AskQuestion, LIMITS } from "../../../contract.ts";
import type { Hook, Suggestion } from "./hooks.ts";

export interface OpenAsk extends Hook {
  id: string;
  /** Its dialog has been seen, on the screen or by the title, which is at rest then. */
  isShown: boolean;
  /** When Claude hung up. */
  withdrawnAt?: number;
}

export const isQuestion = ({ tool }: Hook) => tool === "AskUserQuestion";

export function toAsk(open: OpenAsk): Ask {
  const questions = isQuestion(open) ? questionsOf(open.input) : null;
  const summary = questions === null ? summaryOf(open) : questions.map(({ question }) => question).join(" ");
  return {
    id: open.id,
    tool: open.tool,
    summary: oneLine(summary),
    detail: clip(questions === null ? detailOf(open) : questionDetail(questions), LIMITS.askDetail),
    always: questions === null ? alwaysOf(open.suggestions) : null,
    questions,
    canAnswer: true,
  };
}

const SUMMARY = 200;

const str = (value: unknown) => (typeof value === "string" ? value : "");

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > SUMMARY ? `${line.slice(0, SUMMARY - 1)}…` : line;
}

/** Cut where it must be, and said so. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed();
  const note = `\n… and ${(text.length - limit).toLocaleString("en")} characters more; its terminal has all of it.`;
  return text.slice(0, limit - note.length).toWellFormed() + note;
}

function relative(path: string, cwd: string): string {
  return cwd !== "" && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

function summaryOf({ tool, input, cwd }: OpenAsk): string {
  const path = relative(str(input.file_path) || str(input.notebook_path), cwd);
  switch (tool) {
    case "Bash":
      return str(input.command);
    case "Write":
      return `Write ${path}`;
    case "Edit":
    case "MultiEdit":
    case "NotebookEdit":
      return `Edit ${path}`;
    case "Read":
      return `Read ${path}`;
    case "WebFetch":
      return `Fetch ${str(input.url)}`;
    case "WebSearch":
      return `Search the web for ${str(input.query)}`;
    case "ExitPlanMode":
      return "Start carrying out the plan";
    default:
      return `${tool.replace(/^mcp__(.+?)__/, "$1: ")} ${JSON.stringify(input)}`;
  }
}

const marked = (mark: string, text: string) =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((row) => mark + row)
    .join("\n");

interface Change {
  old_string?: unknown;
  new_string?: unknown;
  replace_all?: unknown;
}

function diff(path: string, changes: Change[]): string {
  const hunks = changes.map(({ old_string, new_string, replace_all }) => {
    const [before, after] = [str(old_string), str(new_string)];
    const head = replace_all === true ? "@@ every occurrence @@\n" : "@@ @@\n";
    return head + [before && marked("-", before), after && marked("+", after)].filter(Boolean).join("\n");
  });
  return [`--- ${path}`, `+++ ${path}`, ...hunks].join("\n");
}

function detailOf({ tool, input, cwd }: OpenAsk): string {
  const path = relative(str(input.file_path), cwd);
  switch (tool) {
    case "Bash": {
      const description = str(input.description);
      return str(input.command) + (description === "" ? "" : `\n\n# ${description}`);
    }
    case "Write":
      return `+++ ${path}\n${marked("+", str(input.content))}`;
    case "Edit":
      return diff(path, [input]);
    case "MultiEdit":
      return diff(path, Array.isArray(input.edits) ? (input.edits as Change[]) : []);
    case "ExitPlanMode":
      return str(input.plan);
    default:
      return JSON.stringify(input, null, 2);
  }
}

function questionsOf(input: Record<string, unknown>): AskQuestion[] {
  const asked = Array.isArray(input.questions) ? (input.questions as Record<string, unknown>[]) : [];
  return asked.map(({ question, header, multiSelect, options }) => ({
    question: str(question),
    header: str(header) || null,
    multiple: multiSelect === true,
    options: (Array.isArray(options) ? (options as Record<string, unknown>[]) : []).map((option) => ({
      label: str(option.label),
      description: str(option.description) || null,
    })),
  }));
}

const questionDetail = (questions: AskQuestion[]) =>
  questions
    .map(({ question, options }) =>
      [
        question,
        ...options.map(({ label, description }) => `- ${label}${description ? `: ${description}` : ""}`),
      ].join("\n"),
    )
    .join("\n\n");

/** What the choices that Claude offers besides Yes would allow. */
function alwaysOf(suggestions: Suggestion[]): string | null {
  const words = suggestions.flatMap(wordsFor);
  return words.length === 0 ? null : `${words.join(", ")}, for the rest of this session`;
}

function wordsFor({ type, mode, directories = [], rules = [], behavior }: Suggestion): string[] {
  if (type === "setMode" && mode === "acceptEdits") return ["all edits of files"];
  if (type === "setMode") return [`the mode ${mode}`];
  if (type === "addDirectories") return directories.map((path) => `access to ${path}`);
  if (type === "addRules" && behavior === "allow")
    return rules.map(({ toolName, ruleContent }) => (ruleContent ? `${toolName}(${ruleContent})` : toolName));
  return [];
}
