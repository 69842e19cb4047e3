// Which permission mode Claude Code is in. Its hooks say so with whatever they tell; the line below its input box shows at
// once that somebody has changed it, though older versions show nothing there in the default mode. Pure.
import type { PermissionMode, Permissions } from "../../../contract.ts";
import type { Observation } from "../reading.ts";
import { parseObject } from "./hooks.ts";
import { MODES } from "./options.ts";
import { boxOf } from "./screen.ts";

interface Seen {
  mode: PermissionMode;
  at: number;
  /** The screen has shown it too. */
  isShown: boolean;
}

export type KnownMode = Seen | null;

const isMode = (name: unknown): name is PermissionMode => typeof name === "string" && name in MODES;

const SHOWN: Record<string, PermissionMode> = {
  "manual mode": "default",
  "accept edits": "acceptEdits",
  "plan mode": "plan",
  "auto mode": "auto",
  "don't ask": "dontAsk",
  "bypass permissions": "bypassPermissions",
};
const BELOW_BOX = /^\s*(?:⏵⏵|⏸)\s+([a-z' ]+?) on\b/;
const RULE = /^\s*[─━]{10,}/;

export function modeAfter(known: KnownMode, observation: Observation): KnownMode {
  if (observation.type === "screen") {
    const rows = observation.screen.text.split("\n");
    const below = rows.slice(rows.findLastIndex((row) => RULE.test(row)) + 1);
    const words = below.map((row) => BELOW_BOX.exec(row)?.[1]).find((found) => found !== undefined);
    const mode = words === undefined ? undefined : SHOWN[words];
    if (mode !== undefined) return { mode, at: observation.at, isShown: true };
    // What was there has gone: it is in another mode now, and hasn't said in which.
    const isBare = words === undefined && known?.isShown && boxOf(observation.screen) === "empty";
    return isBare ? null : known;
  }
  if (observation.type !== "signal") return known;
  const { at, body } = observation.signal;
  if (known !== null && at < known.at) return known;
  const said = parseObject(body);
  if (said?.agent_id !== undefined || !isMode(said?.permission_mode)) return known;
  const mode = said.permission_mode;
  return { mode, at, isShown: known?.mode === mode && known.isShown };
}

export const permissionsIn = (known: KnownMode): Permissions | null =>
  known && { allows: MODES[known.mode], isUnlimited: known.mode === "bypassPermissions" };
