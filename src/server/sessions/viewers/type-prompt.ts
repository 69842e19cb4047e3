// Types the next prompt at an agent: only into its empty prompt box, with Enter only while the text still stands there,
// and leaving nothing behind that wasn't taken.
import type { PromptBox } from "../../agents/reading.ts";
import { DomainError } from "../../errors.ts";
import type { HostConnection, Screen } from "../../hosts/connection.ts";
import { pasteTaken } from "./paste-taken.ts";
import { ENTER, keystrokes } from "./typing.ts";

/** `typed`: the agent can't say whether it took it. */
export type Receipt = "accepted" | "typed";

/**
 * What the agent has said of a prompt. `certain`: it named it; `likely`: it began with something; `untold`: it says no
 * such things.
 */
export type Acceptance = "certain" | "likely" | "none" | "untold";

export interface PromptGuard {
  /** Throws if a prompt may not be typed now. */
  check(): void;
  /** Of this agent's screen; undefined if banto doesn't know what its prompt box looks like. */
  box(screen: Screen): PromptBox | undefined;
  /** Of this text, since then. */
  acceptance(since: number, text: string): Acceptance;
  /** Called before the first key is pressed. */
  begin?(): void;
}

/** It was not sent, and nothing is left of it in the prompt box: another time it may be taken. */
export class Held extends DomainError {}
/** The agent didn't take it, and nothing is left of it. */
export class NotTaken extends DomainError {}
/** It was not sent, but what was typed may still stand in the prompt box. */
export class LeftBehind extends DomainError {}

const ACCEPTED_MS = 3_000;
const SAID_MS = 8_000;
const LOOK_AGAIN_MS = 20;
const CLEARED_MS = 5_000;
/** Ctrl U and Backspace: to the line's beginning, and to the line before. Backspace also leaves an empty shell mode. */
const ERASE_LINES = "\x15\x7f".repeat(6);
const DRAWN_MS = 60;

const NOT_SAID =
  "The agent hasn't said that it took it. Look at its terminal before you send it again: it may be there.";
const STILL_THERE = "What was typed may still be in its prompt box.";

type Host = Pick<HostConnection, "screen" | "send" | "status">;

/** If it rejects with anything but one of the errors above after it has begun, nobody can tell whether the agent has it. */
export async function typePrompt(host: Host, text: string, guard: PromptGuard): Promise<Receipt> {
  const before = await host.screen();
  const typed = keystrokes(text, before.bracketedPaste);
  guard.check();
  requireEmpty(guard.box(before));
  guard.begin?.();
  const since = Date.now();
  host.send(typed);
  if (before.bracketedPaste && text !== "") {
    const isShown = await pasteTaken(host, text, before);
    const box = guard.box(await host.screen());
    if (!isShown) throw await notSent(host, guard, NotTaken, "The terminal didn't accept it.");
    // Somebody at the terminal has pressed Enter before banto did, or has erased it.
    if (box === "empty") return receiptOf(host, text, guard, since);
    const held = whyHeld(guard) ?? (box === "hidden" ? "Something else came up in its terminal." : undefined);
    if (held !== undefined) throw await notSent(host, guard, Held, held);
  }
  host.send(ENTER);
  // Requests are answered in order, so after this the program has the input.
  await host.status();
  return receiptOf(host, text, guard, since);
}

/**
 * What became of a prompt that was typed at that time and then lost sight of. `left`: it was not sent, and the prompt
 * box is empty again. Throws while nothing may be typed.
 */
export async function findOut(
  host: Host,
  text: string,
  guard: PromptGuard,
  since: number,
): Promise<"accepted" | "left" | "unsure"> {
  const acceptance = guard.acceptance(since, text);
  if (acceptance === "certain") return "accepted";
  const box = guard.box(await host.screen());
  if (box === "hidden") throw new DomainError("conflict", STILL_THERE);
  if (acceptance === "likely" && box !== "filled") return "accepted";
  guard.check();
  return box === "filled" && (await clear(host, guard)) ? "left" : "unsure";
}

function requireEmpty(box: PromptBox | undefined) {
  if (box === undefined || box === "empty") return;
  throw new DomainError(
    "conflict",
    box === "filled"
      ? "Something is typed in its prompt box. Send or erase that in its terminal first."
      : "Its prompt box isn't in sight. Look at its terminal.",
  );
}

function whyHeld(guard: PromptGuard): string | undefined {
  try {
    guard.check();
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

/** By what the agent says; and if it says nothing, by whether the text has left the prompt box. */
async function receiptOf(host: Host, text: string, guard: PromptGuard, since: number): Promise<Receipt> {
  const began = performance.now();
  // An agent's own commands and a shell's begin no turn, but open a dialog, perhaps.
  const isCommand = /^\s*[/!]/.test(text);
  const wasTold = guard.acceptance(since, text) !== "untold";
  for (;;) {
    const acceptance = guard.acceptance(since, text);
    if (acceptance === "certain") return "accepted";
    const isUntold = acceptance === "untold";
    if (isUntold && wasTold && !isCommand)
      throw new DomainError("conflict", "The session ended before the agent said that it took it.");
    const box = guard.box(await host.screen());
    // While a dialog stands in its place, what was typed may be below it.
    if (acceptance === "likely" && (box === "empty" || box === undefined)) return "accepted";
    if (box !== "filled" && (isCommand || (isUntold && box !== "hidden"))) return "typed";
    // What has left the box is with the agent, which may be slow to say so.
    if (performance.now() - began < (box === "empty" ? SAID_MS : ACCEPTED_MS)) {
      await Bun.sleep(LOOK_AGAIN_MS);
      continue;
    }
    if (box === "filled" && acceptance !== "likely")
      throw await notSent(host, guard, NotTaken, "The agent didn't take it.");
    throw new DomainError("conflict", NOT_SAID);
  }
}

async function notSent(
  host: Host,
  guard: PromptGuard,
  Kind: typeof Held | typeof NotTaken,
  why: string,
): Promise<DomainError> {
  if (await clear(host, guard)) return new Kind("conflict", why);
  return new LeftBehind("conflict", `${why} ${STILL_THERE}`);
}

/** Erases what stands in the prompt box; false if that can't be seen to have worked. */
async function clear(host: Host, guard: PromptGuard): Promise<boolean> {
  const deadline = performance.now() + CLEARED_MS;
  while (performance.now() < deadline) {
    const box = guard.box(await host.screen());
    if (box !== "filled") return box === "empty";
    host.send(ERASE_LINES);
    await host.status();
    await Bun.sleep(DRAWN_MS);
  }
  return false;
}
