// Why a turn failed, and what to do next, in words.
import { resetTime } from "../reset-time.ts";

export interface Trouble {
  kind: "limited" | "trouble";
  reason: string;
  until: string | null;
}

export const NEXT: Record<string, string> = {
  authentication_failed:
    "Claude Code is not logged in. Open its terminal and type /login, or give banto's environment a key, then send the prompt again.",
  oauth_org_not_allowed:
    "The organisation does not allow this login. Open the terminal and type /login to use another one.",
  billing_error: "There is no credit left. Add some or change the plan, then send the prompt again.",
  invalid_request: "The model refused the request. Send the prompt again, or start over with /clear.",
  model_not_found: "This model isn't available here. Choose another one with /model in the terminal.",
  server_error: "The model's servers failed. Send the prompt again in a moment.",
  overloaded: "The model's servers are overloaded. Send the prompt again in a moment.",
  max_output_tokens: "The answer grew too long. Ask for less at a time, or tell it to go on.",
};

export function troubleOf(error: string, message: string, now: number): Trouble {
  const said = message.split("\n")[0]?.slice(0, 300) ?? "";
  if (error === "rate_limit") {
    const until = resetTime(message, now);
    const next = until === null ? "Send the prompt again later." : "It can go on then.";
    return { kind: "limited", reason: said === "" ? `A limit has been reached. ${next}` : `${said}`, until };
  }
  const next = NEXT[error] ?? "Look at its terminal, and send the prompt again.";
  return { kind: "trouble", reason: said === "" ? next : `${next} It says: ${said}`, until: null };
}
