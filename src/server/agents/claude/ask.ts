// Claude Code's permission requests and questions, in a form that people can answer without its terminal.
import { type Ask, type AskQuestion, LIMITS } from "../../../contract.ts";
import { clip, oneLine, questionDetail, SUMMARY_LENGTH } from "../ask-text.ts";
import { grantsOf } from "./grants.ts";
import type { Hook, Suggestion } from "./hooks.ts";

export interface OpenAsk extends Hook {
  id: string;
  /** Its dialog has been seen on the screen, or the title has come to rest, which means the same. */
  isShown: boolean;
  /** It was this one of which Claude told its terminal that it asks. */
  wasNamed: boolean;
  /** When Claude hung up. */
  withdrawnAt?: number;
}

export const isQuestion = ({ tool }: Pick<Hook, "tool">) => tool === "AskUserQuestion";

/**
 * Whether this is what Claude tells its terminal that it asks, as in `approve Bash: make` or `answer: Which? (A · B)`. It
 * shortens what is long.
 */
export function isNamed({ tool, input }: Pick<Hook, "tool" | "input">, words: string | null): boolean {
  const begin = isQuestion({ tool }) ? "answer: " : `approve ${tool}: `;
  if (words?.startsWith(begin) !== true) return false;
  const about = words.slice(begin.length).replace(/…$/, "");
  if (isQuestion({ tool })) return questionsOf(input).some(({ question }) => about.startsWith(question));
  return Object.values(input).some((value) => str(value).replace(/\s+/g, " ").includes(about));
}

export function toAsk(open: OpenAsk): Ask {
  const questions = isQuestion(open) ? questionsOf(open.input) : null;
  const summary = questions === null ? summaryOf(open) : questions.map(({ question }) => question).join(" ");
  const detail = questions === null ? detailOf(open) : questionDetail(questions);
  const isWhole = [detail, JSON.stringify(questions)].every(({ length }) => length <= LIMITS.askDetail);
  return {
    id: open.id,
    tool: oneLine(open.tool),
    summary: oneLine(summary),
    detail: clip(detail, LIMITS.askDetail),
    always: questions === null ? alwaysOf(open.suggestions) : null,
    questions: isWhole ? questions : null,
    // What people can't see in full can't be allowed from here.
    canAnswer: isWhole && open.tool.length <= SUMMARY_LENGTH,
  };
}

const str = (value: unknown) => (typeof value === "string" ? value : "");

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
    case "Bash":
      return str(input.command) + notes(input, ["command"]);
    case "Write":
      return `+++ ${path}\n${marked("+", str(input.content))}${notes(input, ["file_path", "content"])}`;
    case "Edit": {
      const shown = ["file_path", "old_string", "new_string", "replace_all"];
      return diff(path, [input]) + notes(input, shown);
    }
    case "MultiEdit": {
      const edits = Array.isArray(input.edits) ? (input.edits as Change[]) : [];
      return diff(path, edits) + notes(input, ["file_path", "edits"]);
    }
    case "ExitPlanMode":
      return str(input.plan) + notes(input, ["plan"]);
    default:
      return JSON.stringify(input, null, 2);
  }
}

/** The tool's other parameters: allowing the request allows those too. */
function notes({ description, ...input }: Record<string, unknown>, shown: string[]): string {
  const others = Object.entries(input).filter(([key]) => !shown.includes(key));
  const lines = others.map(([key, value]) => `# ${key}: ${JSON.stringify(value)}`);
  if (str(description) !== "") lines.unshift(`# ${str(description)}`);
  return lines.length === 0 ? "" : `\n\n${lines.join("\n")}`;
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

/** What Claude's choices other than Yes would allow. */
function alwaysOf(suggestions: Suggestion[]): string | null {
  const grants = grantsOf(suggestions);
  return grants.length === 0
    ? null
    : `${grants.map(({ words }) => words).join(", ")}, for the rest of this session`;
}
