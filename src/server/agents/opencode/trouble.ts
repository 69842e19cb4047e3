// Why a turn failed or doesn't get on, and what to do next, in words.
import type { Report, TurnError } from "./report.ts";

export interface Trouble {
  kind: "limited" | "trouble" | "working";
  reason: string;
  until: string | null;
}

const LIMIT =
  /rate.?limit|too many requests|quota|usage.?limit|limit (reached|exceeded)|credits?\b|overloaded/i;
const said = (message: string) => message.split("\n")[0]?.slice(0, 300) ?? "";
const words = (next: string, message: string) =>
  said(message) === "" ? next : `${next} It says: ${said(message)}`;

/** It tries again by itself, for ever. The first time is nothing to call anybody for. */
export function troubleOfRetry({ attempt, message, next }: Report): Trouble {
  const until = next === null ? null : new Date(next).toISOString();
  if (LIMIT.test(message)) {
    const goesOn = "OpenCode tries again by itself; Esc in its terminal stops that.";
    return { kind: "limited", reason: `${said(message)} ${goesOn}`, until };
  }
  const kind = attempt <= 1 ? "working" : "trouble";
  const reason = words("The model can't be reached. OpenCode tries again by itself.", message);
  return { kind, reason, until: null };
}

const NOT_SIGNED_IN =
  "The provider doesn't accept the login or key. Run opencode auth login in a terminal, or give banto's environment the key, then send the prompt again.";

export function troubleOfError({ name, message, status }: TurnError): Trouble {
  if (name === "ProviderAuthError" || status === 401 || status === 403)
    return { kind: "trouble", reason: words(NOT_SIGNED_IN, message), until: null };
  if (status === 429 || LIMIT.test(message)) {
    const reason = words("A limit has been reached. Send the prompt again later.", message);
    return { kind: "limited", reason, until: null };
  }
  return { kind: "trouble", reason: words(NEXT[name] ?? OTHER, message), until: null };
}

const OTHER = "Look at its terminal, and send the prompt again.";
const NEXT: Record<string, string> = {
  ContextOverflowError:
    "The conversation grew too long. Type /compact in its terminal, or begin anew with /new.",
  MessageOutputLengthError: "The answer grew too long. Ask for less at a time, or tell it to go on.",
  APIError:
    "The model's provider refused or failed. Send the prompt again, or choose another model with /models.",
  ProviderModelNotFoundError:
    "This model isn't available here. Choose another one with /models in its terminal.",
};
