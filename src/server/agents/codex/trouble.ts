// Why a turn failed, and what to do next, in words.
import { type Fields, fields, text } from "./protocol.ts";

export interface Trouble {
  kind: "limited" | "trouble";
  reason: string;
  until: string | null;
}

const NEXT: Record<string, string> = {
  usageLimitExceeded: "There is no credit left. Add some or change the plan, then send the prompt again.",
  sessionBudgetExceeded: "This session's budget is used up. Raise it, then send the prompt again.",
  unauthorized:
    "Codex is not logged in. Stop the session, run codex login in a shell, and resume it; then send the prompt again.",
  contextWindowExceeded:
    "The conversation is too long for the model. Type /compact in its terminal, or /new for a new one.",
  modelNotFound: "This model isn't available here. Choose another one with /model in its terminal.",
  serverOverloaded: "The model's servers are overloaded. Send the prompt again in a moment.",
  internalServerError: "The model's servers failed. Send the prompt again in a moment.",
  badRequest: "The model refused the request. Send the prompt again, or start over with /new.",
  sandboxError: "Codex's sandbox doesn't work here. Look at its terminal.",
};
const CONNECTION = "The model can't be reached. Check the network, then send the prompt again.";
const CONNECTION_ERRORS = /^(httpConnection|responseStream|responseTooMany)/;

/** `renewed`: when the limits that are used up are renewed, as far as the figures say. */
export function troubleOf(error: Fields, renewed: string | null): Trouble {
  const kind = kindOf(error.codexErrorInfo);
  const said = messageOf(text(error.message));
  const isLimit = kind === "rateLimitExceeded" || (kind === "usageLimitExceeded" && renewed !== null);
  if (isLimit || (kind === "usageLimitExceeded" && /try again (at|in)/.test(said))) {
    return { kind: "limited", reason: said || "A limit has been reached.", until: renewed };
  }
  const next =
    NEXT[kind] ??
    (CONNECTION_ERRORS.test(kind) ? CONNECTION : "Look at its terminal, and send the prompt again.");
  return { kind: "trouble", reason: said === "" ? next : `${next} It says: ${said}`, until: null };
}

/** A word, or an object with one key. */
const kindOf = (info: unknown) => text(info) || (Object.keys(fields(info))[0] ?? "");

/** Some providers' answers come as they were. */
function messageOf(message: string): string {
  let said = message;
  try {
    const { error, message: plain } = fields(JSON.parse(message));
    said = text(fields(error).message) || text(plain) || message;
  } catch {
    // plain words
  }
  return said.split("\n")[0]?.slice(0, 300) ?? "";
}
