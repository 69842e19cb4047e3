// The file in which Gemini CLI writes down a conversation, line by line as it goes.
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

export interface Transcript {
  session: string | null;
  promptedAt: number | null;
  /** What was written last of the turn; null before anything was. */
  end: { type: "reply" | "error" | "cancelled"; text: string; at: number } | null;
  model: string | null;
  /** What the last message was given and gave. */
  contextTokens: number | null;
  /** After a tool was refused, all that was said is written once more, as if it were new. */
  repeats: boolean;
}

export const noTranscript: Transcript = {
  ...{ session: null, promptedAt: null, end: null, model: null, contextTokens: null, repeats: false },
};

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
const textOf = (content: unknown): string => {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => textOf(fieldsOf(part).text)).join("") : "";
};

/** What it tells itself at the beginning, also of a repetition. */
const CONTEXT = "<session_context>";

export function withLine(known: Transcript, line: string): Transcript {
  const said = parse(line);
  if (typeof said.sessionId === "string") return { ...known, session: said.sessionId };
  if (said.$set !== undefined)
    return "messages" in fieldsOf(said.$set) ? { ...known, repeats: false } : known;
  const text = textOf(said.content);
  if (said.type === "user" && text.startsWith(CONTEXT)) return { ...known, repeats: true };
  if (known.repeats) return known;
  const at = Date.parse(String(said.timestamp));
  if (!Number.isFinite(at)) return known;
  switch (said.type) {
    case "user":
      // Without text it is what a tool returned.
      return text === "" ? known : { ...known, promptedAt: at, end: null };
    case "gemini":
      // Without words it only calls tools, and goes on with what they return.
      return {
        ...known,
        end: text === "" || hasCalls(said) ? null : { type: "reply", text, at },
        ...figures(said),
      };
    case "error":
      return { ...known, end: { type: "error", text, at } };
    case "info":
      if (!text.startsWith("Request cancelled")) return known;
      return { ...known, end: { type: "cancelled", text: "", at } };
    default:
      return known;
  }
}

const hasCalls = ({ toolCalls }: Fields) => Array.isArray(toolCalls) && toolCalls.length > 0;

function figures({ model, tokens }: Fields): Partial<Transcript> {
  const { total } = fieldsOf(tokens);
  return {
    ...(typeof model === "string" && { model }),
    ...(typeof total === "number" && total > 0 && { contextTokens: total }),
  };
}

function parse(line: string): Fields {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return {};
  }
}

/** The folder of what was said in this directory; undefined before anything was. */
export function chatsFolder(home: string, cwd: string): string | undefined {
  const root = join(home, "tmp");
  const folder = namesIn(root).find((name) => read(join(root, name, ".project_root")).trim() === cwd);
  return folder && join(root, folder, "chats");
}

/** Every conversation, the one that was written to last first. */
export function chatsIn(folder: string): { path: string; size: number }[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name))
    .flatMap((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found === undefined ? [] : [{ path, size: found.size, at: found.mtimeMs }];
    })
    .toSorted((a, b) => b.at - a.at);
}

/** By its id, the beginning of which is in the name; undefined before there is one. */
export function ownChat(folder: string, id: string): string | undefined {
  const name = namesIn(folder).find((one) => one.endsWith(`-${id.slice(0, 8)}.jsonl`));
  return name && join(folder, name);
}

/** Whether there is a conversation to continue: one in which the person has said something. */
export function hasChat(home: string, cwd: string, id: string): boolean {
  const folder = chatsFolder(home, cwd);
  if (folder === undefined) return false;
  const files = namesIn(folder).filter((name) => name.endsWith(`-${id.slice(0, 8)}.jsonl`));
  return files.some((name) => {
    const lines = read(join(folder, name)).split("\n");
    const { session, promptedAt } = lines.reduce(withLine, noTranscript);
    return session === id && promptedAt !== null;
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Everything from this byte on. */
export function readFrom(path: string, start: number): Buffer {
  const file = openSync(path, "r");
  try {
    const size = Math.max(0, (statSync(path, { throwIfNoEntry: false })?.size ?? 0) - start);
    const bytes = Buffer.alloc(size);
    return bytes.subarray(0, readSync(file, bytes, 0, size, start));
  } finally {
    closeSync(file);
  }
}
