// OpenCode's permission requests and questions, in a form that people can answer without its terminal.
import { type Ask, type AskQuestion, LIMITS } from "../../../contract.ts";
import { clip, oneLine, questionDetail, SUMMARY_LENGTH } from "../ask-text.ts";
import { fieldsOf, textOf } from "./report.ts";

export interface OpenAsk {
  id: string;
  at: number;
  kind: "permission" | "question";
  /** What OpenCode says of it; undefined if that was too long to be passed on. */
  said: Record<string, unknown> | undefined;
}

const TOO_LONG = "It's asking for something too long to be shown here. Answer in its terminal.";

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const texts = (value: unknown) => list(value).map(textOf).filter(Boolean);

export function toAsk({ id, kind, said }: OpenAsk): Ask {
  if (said === undefined) {
    const nothing = { tool: "", summary: TOO_LONG, detail: TOO_LONG, always: null, questions: null };
    return { id, ...nothing, canAnswer: false };
  }
  const questions = kind === "question" ? questionsOf(said) : null;
  const detail = questions === null ? detailOf(said) : questionDetail(questions);
  const isWhole = [detail, JSON.stringify(questions)].every(({ length }) => length <= LIMITS.askDetail);
  const tool = questions === null ? textOf(said.permission) : "question";
  const summary = questions === null ? summaryOf(said) : questions.map(({ question }) => question).join(" ");
  return {
    id,
    tool: oneLine(tool),
    summary: oneLine(said.isSubagent === true ? `A subagent: ${summary}` : summary),
    detail: clip(detail, LIMITS.askDetail),
    always: questions === null ? alwaysOf(said) : null,
    questions: isWhole ? questions : null,
    // What people can't see in full can't be allowed from here.
    canAnswer: isWhole && tool.length <= SUMMARY_LENGTH,
  };
}

function summaryOf({ permission, patterns, metadata }: Record<string, unknown>): string {
  const { command, filepath, url } = fieldsOf(metadata);
  const about = texts(patterns).join(", ");
  switch (permission) {
    case "bash":
      return textOf(command) || about;
    case "edit":
      return `Edit ${textOf(filepath) || about}`;
    case "read":
      return `Read ${textOf(filepath) || about}`;
    case "webfetch":
      return `Fetch ${textOf(url) || about}`;
    case "external_directory":
      return `Leave the project for ${textOf(filepath) || about}`;
    case "doom_loop":
      return `Go on though it repeats itself: ${about}`;
    default:
      return `${textOf(permission)} ${about}`;
  }
}

/** What of the metadata only repeats the diff. */
const REPEATED = ["command", "diff", "files"];

/** With everything that allowing it allows. */
function detailOf({ permission, patterns, metadata }: Record<string, unknown>): string {
  const said = fieldsOf(metadata);
  const main = permission === "bash" ? textOf(said.command) : textOf(said.diff);
  if (main === "") return JSON.stringify({ permission, patterns, ...said }, null, 2);
  const others = Object.entries(said).filter(([key]) => !REPEATED.includes(key));
  const notes = others.map(([key, value]) => `# ${key}: ${JSON.stringify(value)}`);
  return [main, ...(notes.length > 0 ? [notes.join("\n")] : [])].join("\n\n");
}

function alwaysOf({ permission, always }: Record<string, unknown>): string | null {
  const patterns = texts(always);
  // What takes longer to say nobody reads.
  if (patterns.length === 0 || patterns.join("").length > 2_000) return null;
  const words = patterns.map((pattern) => `${textOf(permission)}(${pattern})`);
  return `${words.join(", ")}, for the rest of this session`;
}

function questionsOf({ questions }: Record<string, unknown>): AskQuestion[] {
  return list(questions)
    .map(fieldsOf)
    .map(({ question, header, multiple, options }) => ({
      question: textOf(question),
      header: textOf(header) || null,
      multiple: multiple === true,
      options: list(options)
        .map(fieldsOf)
        .map(({ label, description }) => ({
          label: textOf(label),
          description: textOf(description) || null,
        })),
    }));
}
