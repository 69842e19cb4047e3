// What the plugin tells of OpenCode, as the reader takes it in.

export interface TurnError {
  name: string;
  message: string;
  status: number | null;
}

export interface Report {
  /** The conversation's id; null before there is one. */
  session: string | null;
  version: string | null;
  status: "idle" | "busy" | "retry";
  /** Of the retry: which one, why, and when, in milliseconds since 1970. */
  attempt: number;
  message: string;
  next: number | null;
  since: number;
  promptedAt: number | null;
  /** How its last message ended; null while it hasn't. */
  finish: string | null;
  error: TurnError | null;
  reply: string;
  model: string | null;
  contextTokens: number | null;
  contextLimit: number | null;
  cost: number | null;
  /** Of the agent of its own that works; null before one does. */
  rules: Rule[] | null;
}

/** What is to be done when it wants to do something of this kind to what fits the pattern. */
export interface Rule {
  permission: string;
  pattern: string;
  action: "allow" | "ask" | "deny";
}

type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const number = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : null);

/** Undefined if it can't be understood. */
export function parseBody(body: string | null): Fields | undefined {
  if (body === null) return undefined;
  try {
    return fieldsOf(JSON.parse(body));
  } catch {
    return undefined;
  }
}

export function parseReport(body: string | null): Report | undefined {
  const said = parseBody(body);
  if (said === undefined) return undefined;
  const { status } = said;
  return {
    session: textOf(said.session) || null,
    version: textOf(said.version) || null,
    status: status === "busy" || status === "retry" ? status : "idle",
    attempt: number(said.attempt) ?? 1,
    message: textOf(said.message),
    next: number(said.next),
    since: number(said.since) ?? 0,
    promptedAt: number(said.promptedAt),
    finish: textOf(said.finish) || null,
    error: said.error == null ? null : parseError(said.error),
    reply: textOf(said.reply),
    model: textOf(said.model) || null,
    contextTokens: contextTokens(fieldsOf(said.tokens)),
    contextLimit: number(said.contextLimit),
    cost: number(said.cost),
    rules: Array.isArray(said.rules) ? said.rules.map(fieldsOf).flatMap(toRule) : null,
  };
}

function toRule({ permission, pattern, action }: Fields): Rule[] {
  const isAction = action === "allow" || action === "ask" || action === "deny";
  return isAction ? [{ permission: textOf(permission), pattern: textOf(pattern), action }] : [];
}

function parseError(value: unknown): TurnError {
  const { name, data } = fieldsOf(value);
  const { message, statusCode } = fieldsOf(data);
  return { name: textOf(name), message: textOf(message), status: number(statusCode) };
}

/** All that the last message was given and gave. */
function contextTokens({ total, input, output, reasoning, cache }: Fields): number | null {
  if (number(total) !== null) return number(total);
  if (number(input) === null) return null;
  const { read, write } = fieldsOf(cache);
  return [input, output, reasoning, read, write].reduce<number>((sum, part) => sum + (number(part) ?? 0), 0);
}
