// What Claude Code is given with --settings: hooks that speak to the session host, and a status line that
// leaves its figures where the host finds them. The host fills in how it can be reached.
import { join } from "node:path";
import type { SignalSpec } from "../../hosts/connection.ts";
import { STATUS } from "./reader.ts";
import type { StatusLine } from "./status-line.ts";

const TELL = ["UserPromptSubmit", "PreCompact", "Stop", "StopFailure", "SessionEnd"];
/**
 * Told for tools that may have asked first: that one has run says that it was allowed. Claude takes some 20 ms
 * around any hook, so there is none for the many calls that only look, and none before a call.
 */
const TELL_OF_TOOLS = ["PostToolUse", "PostToolUseFailure"];
const TOOLS =
  "Bash|Write|Edit|MultiEdit|NotebookEdit|WebFetch|WebSearch|AskUserQuestion|ExitPlanMode|Skill|Agent|Task|mcp__.*";
/** Held open, for as long as it takes. */
const ASK = ["PermissionRequest"];

/** Seconds. A host that takes longer hangs, and the agent goes on without it. */
const TELL_TIMEOUT = 10;
const ASK_TIMEOUT = 7 * 86_400;

const hook = (kind: "tell" | "ask", event: string, timeout: number) => ({
  type: "http",
  url: `http://127.0.0.1:@PORT@/${kind}/${event}`,
  // Not in the address, which Claude writes into its own logs.
  headers: { authorization: "Bearer @SECRET@" },
  timeout,
});

const SETTINGS = "settings.json";

export const settingsPath = (folder: string) => join(folder, SETTINGS);

export function claudeSignals(folder: string, statusLine: StatusLine | undefined): SignalSpec {
  const drop = join(folder, STATUS);
  const hooks = Object.fromEntries([
    ...TELL.map((event) => [event, [{ hooks: [hook("tell", event, TELL_TIMEOUT)] }]]),
    ...TELL_OF_TOOLS.map((event) => [
      event,
      [{ matcher: TOOLS, hooks: [hook("tell", event, TELL_TIMEOUT)] }],
    ]),
    ...ASK.map((event) => [event, [{ hooks: [hook("ask", event, ASK_TIMEOUT)] }]]),
  ]);
  const settings = {
    hooks,
    statusLine: { ...statusLine, type: "command", command: command(drop, statusLine) },
  };
  return { file: settingsPath(folder), template: JSON.stringify(settings), drop };
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Keeps what it is given and passes it on, to the person's own status line where there is one. A folder that
 * is gone or a disk that is full only costs the figures.
 */
function command(drop: string, own: StatusLine | undefined): string {
  const keep = `f=${quoted(drop)}; j=$(cat); { printf %s "$j" >"$f.$$" && mv -f "$f.$$" "$f"; } 2>/dev/null`;
  return own === undefined ? `${keep}; :` : `{ ${keep}; printf %s "$j"; } | {\n${own.command}\n}`;
}
