// Which approval mode Gemini CLI is in: the line beside its input box says how to leave it. Pure.
import type { PermissionMode, Permissions } from "../../../contract.ts";
import type { Observation } from "../reading.ts";
import { GEMINI_OPTIONS } from "./options.ts";

const SHOWN: [sign: RegExp, mode: PermissionMode][] = [
  [/(^|\s)YOLO\s+ctrl\+y/i, "bypassPermissions"],
  [/(^|\s)auto-accept edits\s+shift\+tab to /i, "acceptEdits"],
  [/(^|\s)plan\s+shift\+tab to /i, "plan"],
  [/^\s*shift\+tab to accept edits/i, "default"],
];
/** Text above its input box could say anything. */
const LAST_ROWS = 12;

export function modeAfter(known: PermissionMode | null, observation: Observation): PermissionMode | null {
  if (observation.type !== "screen") return known;
  const rows = observation.screen.text.trimEnd().split("\n").slice(-LAST_ROWS);
  for (const row of rows) for (const [sign, mode] of SHOWN) if (sign.test(row)) return mode;
  return known;
}

export function permissionsIn(mode: PermissionMode | null): Permissions | null {
  const allows = mode === null ? undefined : GEMINI_OPTIONS.modes[mode];
  return allows === undefined ? null : { allows, isUnlimited: mode === "bypassPermissions" };
}
