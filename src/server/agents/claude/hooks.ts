// What Claude Code's hooks report, as far as banto needs it.
import type { Signal } from "../../hosts/connection.ts";

export interface Suggestion {
  type: string;
  mode?: string;
  directories?: string[];
  rules?: { toolName: string; ruleContent?: string }[];
  behavior?: string;
  destination?: string;
}

export interface Hook {
  event: string;
  at: number;
  /** Tells which of two came later, even if the clock was set in between. */
  serial: number;
  /** The conversation's id; `/clear` starts another one. */
  sessionId: string | null;
  /** The subagent it is about; null for the conversation itself. */
  agentId: string | null;
  cwd: string;
  tool: string;
  input: Record<string, unknown>;
  suggestions: Suggestion[];
  /** What the agent said at the end of a turn, or its words for what went wrong. */
  message: string;
  /** Why a turn failed, as a word: `rate_limit`, `authentication_failed`, … */
  error: string;
  /** Why a conversation ended. */
  reason: string;
  /** What it was told to do. */
  prompt: string;
  /** Who wanted it compacted: `manual` or `auto`. */
  trigger: string;
  /** What goes on though the turn is over. */
  tasks: BackgroundTask[];
}

export interface BackgroundTask {
  id: string;
  /** `shell`, or another kind of agent's work. */
  type: string;
  name: string;
}

const text = (value: unknown) => (typeof value === "string" ? value : "");

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** Undefined if it can't be parsed. Then the other signs have to do. */
export function parseHook({ name, at, serial, body }: Signal): Hook | undefined {
  const said = parseObject(body);
  if (said === undefined) return undefined;
  const suggestions = Array.isArray(said.permission_suggestions) ? said.permission_suggestions : [];
  return {
    event: name,
    at,
    serial,
    sessionId: text(said.session_id) || null,
    agentId: text(said.agent_id) || null,
    cwd: text(said.cwd),
    tool: text(said.tool_name),
    input: record(said.tool_input),
    suggestions: suggestions.map(record).filter((one): one is Suggestion & Record<string, unknown> => {
      return typeof one.type === "string";
    }),
    message: text(said.last_assistant_message),
    error: text(said.error),
    reason: text(said.reason),
    prompt: text(said.prompt),
    trigger: text(said.trigger),
    tasks: tasksIn(said.background_tasks),
  };
}

const tasksIn = (value: unknown): BackgroundTask[] =>
  (Array.isArray(value) ? value.map(record) : [])
    .filter(({ status }) => status === undefined || status === "running")
    .map(({ id, type, description, command }) => ({
      id: text(id),
      type: text(type),
      name: text(description) || text(command) || text(id),
    }));

export function parseObject(body: string | null): Record<string, unknown> | undefined {
  if (body === null) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? record(value) : undefined;
  } catch {
    return undefined;
  }
}
