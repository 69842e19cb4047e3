// What Claude Code gets with --settings: hooks that talk to the session host, a status line that leaves its figures
// where the host finds them, and what it may not touch. The host fills in its own address.
import { join } from "node:path";
import type { SignalSpec } from "../../hosts/connection.ts";
import { STATUS } from "./gauges.ts";
import type { StatusLine } from "./status-line.ts";

type Version = readonly [number, number, number];

interface Event {
  name: string;
  kind: "tell" | "ask";
  /** The first version that knows it: an older one would stop its start to say that it doesn't. */
  since: Version;
  matcher?: string;
}

/**
 * For tools that may ask first: having run means that it was allowed. Claude takes some 20 ms for any hook, so there
 * are none for the many calls that only read, and none before a call.
 */
const TOOLS =
  "Bash|Write|Edit|MultiEdit|NotebookEdit|WebFetch|WebSearch|AskUserQuestion|ExitPlanMode|Skill|Agent|Task|mcp__.*";

/** The first one whose hooks banto knows. */
export const OLDEST = [2, 1, 80] as const;
const EVENTS: Event[] = [
  { name: "UserPromptSubmit", kind: "tell", since: OLDEST },
  { name: "PreCompact", kind: "tell", since: OLDEST },
  // Known to be in this one; it may have come earlier.
  { name: "PostCompact", kind: "tell", since: [2, 1, 197] },
  { name: "Stop", kind: "tell", since: OLDEST },
  { name: "StopFailure", kind: "tell", since: OLDEST },
  { name: "SessionEnd", kind: "tell", since: OLDEST },
  { name: "PostToolUse", kind: "tell", since: OLDEST, matcher: TOOLS },
  { name: "PostToolUseFailure", kind: "tell", since: OLDEST, matcher: TOOLS },
  // Held open, for as long as it takes.
  { name: "PermissionRequest", kind: "ask", since: OLDEST },
];

/** Seconds. If the host hangs, the agent goes on without it. */
const TIMEOUT = { tell: 10, ask: 7 * 86_400 };

const hook = ({ kind, name }: Event) => ({
  type: "http",
  url: `http://127.0.0.1:@PORT@/${kind}/${name}`,
  // Not in the URL, which Claude writes to its logs.
  headers: { authorization: "Bearer @SECRET@" },
  timeout: TIMEOUT[kind],
});

/** By number, where one is known. */
export function isAtLeast(version: string | null, least: Version): boolean {
  if (version === null) return least === OLDEST;
  const parts = version.split(".").map(Number);
  const at = least.findIndex((part, i) => part !== parts[i]);
  return at === -1 || (parts[at] ?? 0) > (least[at] ?? 0);
}

const SETTINGS = "settings.json";

export const settingsPath = (folder: string) => join(folder, SETTINGS);

interface SettingsParts {
  /** Where the session's files are. */
  folder: string;
  statusLine: StatusLine | undefined;
  /** Permission rules for what it may not do. */
  deny: string[];
  /** Claude Code's own; null if unknown. */
  version: string | null;
}

export function claudeSignals({ folder, statusLine, deny, version }: SettingsParts): SignalSpec {
  const drop = join(folder, STATUS);
  const known = EVENTS.filter(({ since }) => isAtLeast(version, since));
  const hooks = known.map((event) => {
    const { name, matcher } = event;
    return [name, [{ ...(matcher !== undefined && { matcher }), hooks: [hook(event)] }]];
  });
  const settings = {
    hooks: Object.fromEntries(hooks),
    permissions: { deny },
    statusLine: { ...statusLine, type: "command", command: command(drop, statusLine) },
    // One ← at an empty prompt would take the conversation into a process of its own, out of this terminal.
    disableAgentView: true,
  };
  return { file: settingsPath(folder), template: JSON.stringify(settings), drop };
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Stores its input and passes it on to the person's own status line, if there is one. If the folder is gone or the disk
 * is full, only the figures are lost.
 */
function command(drop: string, own: StatusLine | undefined): string {
  const keep = `f=${quoted(drop)}; j=$(cat); { printf %s "$j" >"$f.$$" && mv -f "$f.$$" "$f"; } 2>/dev/null`;
  return own === undefined ? `${keep}; :` : `{ ${keep}; printf %s "$j"; } | {\n${own.command}\n}`;
}
