// What Codex's app-server says, as far as banto needs it. It comes from another program, so nothing is taken for granted.

export type Fields = Record<string, unknown>;

export type RequestId = string | number;

/** A notification, or with an id a request that waits for an answer. */
export interface ServerMessage {
  method: string;
  params: Fields;
  id?: RequestId;
}

export const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : []);

export const text = (value: unknown) => (typeof value === "string" ? value : "");

export const number = (value: unknown) =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

/** Seconds since 1970 as an instant. */
export function instant(seconds: unknown): string | null {
  const at = (number(seconds) ?? Number.NaN) * 1_000;
  return Math.abs(at) < 8.64e15 ? new Date(at).toISOString() : null;
}

export function parseMessage(body: unknown): ServerMessage | undefined {
  const { method, params, id } = fields(body);
  if (typeof method !== "string") return undefined;
  const isRequest = typeof id === "string" || typeof id === "number";
  return { method, params: fields(params), ...(isRequest && { id }) };
}

/** Pieces of what is written out as a whole afterwards, and what is not about the conversation. */
const UNHEARD = /[dD]elta$|^(mcpServer|hook|fuzzyFileSearch|remoteControl|fs|app|skills)\/|readState/;

/** Whether a message is about what Codex is doing. A request always may be: somebody waits for its answer. */
export const isHeard = ({ method, id }: ServerMessage) => id !== undefined || !UNHEARD.test(method);

/** A conversation of the person's own: not a subagent's, nor the one in which Codex thinks of a title. */
export const isConversation = (thread: Fields) =>
  thread.ephemeral !== true && thread.parentThreadId == null && text(thread.id) !== "";

/** By what path it was made, as in `/root/tests`: Codex shows no other name. */
export const subagentName = (path: unknown) => text(path).split("/").at(-1) || "A subagent";

/** Which of the channel's notes are the app-server's own words, and which say how the channel fares. */
export const SAID = "app-server";
export const CHANNEL = "channel";

/** What the channel finds out by itself. */
export type ChannelNote =
  | { type: "connected"; version: string | null }
  | { type: "lost" }
  /** There is no app-server beside this session. */
  | { type: "none" }
  | { type: "thread"; thread: Fields; model: string | null; settings?: Fields }
  /** One that works for the thread, from before we came. */
  | { type: "subagent"; thread: Fields }
  /** The newest turn of the thread, as it stands. */
  | { type: "turn"; turn: Fields }
  /** All commands of the thread that go on without its turn. */
  | { type: "commands"; commands: Fields[] }
  | { type: "limits"; rateLimits: Fields };
