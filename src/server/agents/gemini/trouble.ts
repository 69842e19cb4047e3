// Why a turn failed, and what to do next, in words.
import { resetTime } from "../reset-time.ts";

export interface Trouble {
  kind: "limited" | "trouble";
  reason: string;
  until: string | null;
}

const LIMIT = /quota|rate.?limit|RESOURCE_EXHAUSTED|usage limit/i;
const LOGIN = /API.?KEY|UNAUTHENTICATED|PERMISSION_DENIED|not initialized|credentials/i;

export function troubleOf(error: string, at: number): Trouble {
  // It wraps what the provider said, which may be JSON.
  const said = (/"message":"([^"]+)"/.exec(error)?.[1] ?? error.split("\n")[0] ?? "").slice(0, 300);
  if (LIMIT.test(error)) {
    const until = resetTime(error, at, Intl.DateTimeFormat().resolvedOptions().timeZone);
    return { kind: "limited", reason: `${said} Send the prompt again later.`, until };
  }
  if (LOGIN.test(error)) {
    const next = "Gemini CLI is not signed in. Type /auth in its terminal, then send the prompt again.";
    return { kind: "trouble", reason: `${next} It says: ${said}`, until: null };
  }
  const next = "Look at its terminal, and send the prompt again.";
  return { kind: "trouble", reason: `${next} It says: ${said}`, until: null };
}
