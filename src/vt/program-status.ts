// OSC 7501, the Program Status Protocol (revision 0.2): a program tells its terminal what it is doing, as
// `state=working:app=codex:msg=…`. Whatever is printed can say so, a file too: all of it is bounded, and text is text.

export const PROGRAM_STATUS = 7501;

export interface ProgramReport {
  /** A path such as `build/tests`, for a part of a program; empty for the program itself. */
  id: string;
  state: "idle" | "working" | "done" | "blocked" | "error";
  /** What it is blocked by. */
  kind: "permission" | "question" | "auth" | null;
  app: string | null;
  /** Of 100. */
  progress: number | null;
  title: string | null;
  message: string | null;
}

/** `clear` removes a report and what is below it; `over`: what was at work or blocked has ended, and a shell prompts. */
export type ProgramChange = ProgramReport | { state: "clear"; id: string } | { state: "over"; id: "" };

const MOST_BYTES = 4_096;
const MOST_TEXT = 2_048;
const STATES = ["idle", "working", "done", "blocked", "error"] as const;
const KINDS = ["permission", "question", "auth"] as const;
const PAIR = /(?<=^|:)([a-z]{1,16})=([^:]*)/g;
const NAME = /^[\w.+-]{1,32}$/;
const ID = /^[\w.+-]{1,32}(\/[\w.+-]{1,32}){0,7}$/;
const MOST_ID = 128;
const PERCENT = /^(\d{1,2}|100)$/;
const CONTROL = /\p{Cc}+/gu;

/** A terminal that knows the protocol answers this with the same. */
export const isStatusQuery = (data: string) => data === "?";

/** Undefined for what is no report, or too long for one. */
export function parseProgramStatus(data: string): ProgramChange | undefined {
  if (data.length > MOST_BYTES) return undefined;
  const said = new Map<string, string>();
  for (const [, key = "", value = ""] of data.matchAll(PAIR)) said.set(key, value);
  const id = said.get("id") ?? "";
  if (id !== "" && (id.length > MOST_ID || !ID.test(id))) return undefined;
  const named = said.get("state");
  if (named === "clear") return { state: "clear", id };
  const state = STATES.find((one) => one === named);
  if (state === undefined) return undefined;
  const kind = KINDS.find((one) => one === said.get("kind"));
  const app = said.get("app") ?? "";
  const progress = said.get("progress") ?? "";
  return {
    id,
    state,
    kind: (state === "blocked" && kind) || null,
    app: NAME.test(app) ? app : null,
    progress: PERCENT.test(progress) ? Number(progress) : null,
    title: textOf(said.get("title")),
    message: textOf(said.get("msg")),
  };
}

function textOf(encoded: string | undefined): string | null {
  if (encoded === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.replace(CONTROL, " ").trim().slice(0, MOST_TEXT).toWellFormed() || null;
  } catch {
    return null; // no base64, or no text
  }
}
