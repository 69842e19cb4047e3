// Claude Code keeps a file for each of its processes, <config dir>/sessions/<pid>.json, that says what it is doing.
// It is there once the dialogs of the start have been answered, is written in place, and goes when Claude ends.
import { type FSWatcher, readdirSync, readFileSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { isBelow, startTimeOf } from "../../hosts/process-tree.ts";
import type { Channel, ChannelSession, Note } from "../channel.ts";
import { parseObject } from "./hooks.ts";
import { type Told, toldByFile } from "./told.ts";

export const STATE_FILE = "claude-state-file";

/** Should the system not report a change, or have no watches left. */
const LOOK_AGAIN_MS = 1_000;
/** Until the file is there, which nothing else tells of. */
const LOOK_FOR_MS = 250;
/** It is being written right now, and not for longer than a few of these looks. */
const HALF_WRITTEN_MS = 20;
const HALF_WRITTEN_LOOKS = 25;
const MAX_BYTES = 65_536;

export function followStateFile(
  configDir: string,
  { pid, agentSessionId }: Pick<ChannelSession, "pid" | "agentSessionId">,
  tell: (note: Note) => void,
): Channel {
  const folder = join(configDir, "sessions");
  let file: string | undefined;
  let seen = "";
  let halfWritten = 0;
  let watcher: FSWatcher | undefined;
  let timer: Timer | undefined;

  function look() {
    file ??= findFile(folder, pid, agentSessionId);
    if (file !== undefined) watcher ??= watchFolder(folder, look);
    const text = file && read(file);
    const isParsed = text === undefined || parseObject(text) !== undefined;
    halfWritten = isParsed ? 0 : halfWritten + 1;
    // One that stays as it is says nothing, and what it said before may not be true any more.
    const isWhole = isParsed || halfWritten > HALF_WRITTEN_LOOKS;
    if (isWhole && (text ?? "") !== seen) {
      seen = text ?? "";
      tell({ source: STATE_FILE, body: parseObject(text ?? null) ?? null });
    }
    if (text === undefined) file = undefined;
    clearTimeout(timer);
    timer = setTimeout(look, isWhole ? (file === undefined ? LOOK_FOR_MS : LOOK_AGAIN_MS) : HALF_WRITTEN_MS);
    timer.unref();
  }

  look();
  return {
    close() {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

/** The session's own: Claude may run below a setup command, and may itself start others of its kind. */
function findFile(folder: string, pid: number, conversation: string): string | undefined {
  const isIts = (one: number) => isOf(one, read(join(folder, `${one}.json`)));
  const fileOf = (one: number) => join(folder, `${one}.json`);
  if (isIts(pid)) return fileOf(pid);
  const all = namesIn(folder)
    .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number);
  const below = all.filter((one) => isBelow(pid, one) && isIts(one));
  const isNamed = (one: number) => read(join(folder, `${one}.json`))?.includes(conversation);
  const own = below.find(isNamed) ?? below[0];
  return own === undefined ? undefined : fileOf(own);
}

/** Not one that a process of the same id has left. */
function isOf(pid: number, text: string | undefined): boolean {
  if (text === undefined) return false;
  const { procStart } = parseObject(text) ?? {};
  return typeof procStart !== "string" || procStart === startTimeOf(pid);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Claude has never run here
  }
}

function read(path: string): string | undefined {
  try {
    return (statSync(path).size <= MAX_BYTES && readFileSync(path, "utf8")) || "";
  } catch {
    return undefined;
  }
}

function watchFolder(folder: string, look: () => void): FSWatcher | undefined {
  try {
    return watch(folder, look).on("error", () => {});
  } catch {
    return undefined;
  }
}

/** What the file says; null where it is gone, or says nothing yet. */
export function parseStateFile(body: unknown): { told: Told | null; conversation: string | null } {
  const said = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const { status, waitingFor, statusUpdatedAt, sessionId } = said;
  return {
    told:
      typeof status === "string" && typeof statusUpdatedAt === "number"
        ? toldByFile(status, String(waitingFor ?? ""), statusUpdatedAt)
        : null,
    conversation: typeof sessionId === "string" && sessionId !== "" ? sessionId : null,
  };
}
