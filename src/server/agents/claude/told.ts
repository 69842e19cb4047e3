// What Claude Code says of its own state: to its terminal (OSC 7501, newer versions only), and in a file that it keeps.
// Both tell of the same change within milliseconds. The terminal hears more about how a turn ended, the file also of
// dialogs that a person has opened; so the one that changed last counts, with the other's words for the same thing.
import type { Program } from "../../hosts/connection.ts";

export interface Told {
  /** `idle`: nothing to do yet, interrupted, or, by the file, any end of a turn. */
  is: "working" | "background" | "blocked" | "done" | "idle" | "failed";
  since: number;
  by: "permission" | "question" | "auth" | "dialog" | null;
  words: string | null;
  /** Shells and agents that it has told its terminal to be running. */
  running: { id: string; name: string }[];
}

const APP = "claude-code";
/** Not a permission for something it is about to do. */
const TRUST = "trust this folder";
/** Its turn is over; shells or agents that it started are not. */
const STILL_RUNNING = /\bstill running$/;

/** Undefined where it has said nothing. */
export function toldByReports(reports: readonly Program[], before: Told | null): Told | null {
  const own = reports.filter(({ app }) => app === APP);
  const said = own.find(({ state }) => state === "blocked") ?? own.find(({ id }) => id === "");
  if (said === undefined) return null;
  const told = { ...meaningOf(said, own), since: said.at };
  // It is repeated with every tool that is used.
  const isSame = before?.is === told.is && (told.is !== "blocked" || before.words === told.words);
  return isSame ? { ...told, since: before.since } : told;
}

function meaningOf({ state, kind, message }: Program, own: Program[]): Omit<Told, "since"> {
  const running = runningParts(own);
  const plain = { by: null, words: message, running };
  switch (state) {
    case "blocked":
      if (message === TRUST) return { is: "blocked", by: "question", words: null, running };
      return { is: "blocked", by: kind ?? "dialog", words: kind === null ? null : message, running };
    case "working":
      if (!STILL_RUNNING.test(message ?? "")) return { ...plain, is: "working" };
      return { ...plain, is: "background", words: namesOf(running) ?? message };
    case "error":
      return { ...plain, is: "failed" };
    case "done":
    case "idle":
      return { ...plain, is: state };
  }
}

const runningParts = (own: Program[]): Told["running"] =>
  own
    .filter(({ id, state }) => id !== "" && state === "working")
    .map(({ id, title }) => ({ id, name: title ?? "" }));

export function namesOf(running: { name: string }[]): string | null {
  const names = running.flatMap(({ name }) => name || []);
  return names.length === 0 ? null : names.join(", ");
}

const WAITING: Record<string, Told["by"]> = {
  "permission prompt": "permission",
  "input needed": "question",
};

/** Null for a word that isn't known. */
export function toldByFile(status: string, waitingFor: string, since: number): Told | null {
  const plain = { since, by: null, words: null, running: [] };
  if (status === "busy") return { ...plain, is: "working" };
  if (status === "idle") return { ...plain, is: "idle" };
  if (status === "shell") return { ...plain, is: "background" };
  return status === "waiting" ? { ...plain, is: "blocked", by: WAITING[waitingFor] ?? "dialog" } : null;
}

const isRest = ({ is }: Told) => is === "done" || is === "idle" || is === "failed";

export function newerOf(report: Told | null, file: Told | null): Told | null {
  if (report === null || file === null) return report ?? file;
  const { running } = report;
  // To the terminal a turn and what it leaves running look the same, but for words. The file tells them apart.
  if (report.is === "working" && running.length > 0 && file.is === "background")
    return { ...file, words: namesOf(running), running };
  const isFileNewer = file.since > report.since;
  // To the file, one that isn't signed in has nothing to do.
  if (isRest(file) && (report.by === "auth" || isRest(report)))
    return { ...report, since: Math.max(report.since, file.since) };
  const [newer, older] = isFileNewer ? [file, report] : [report, file];
  const isSame = newer.is === older.is && (newer.by === older.by || newer.by === "dialog");
  if (!isSame) return { ...newer, running };
  return { ...newer, by: older.by ?? newer.by, words: newer.words ?? older.words, running };
}
