// What an agent is doing, worked out from what its host reports. Each kind of agent has its own reader.
import type { ActivityKind, Ask, Decision, Gauges, Permissions } from "../../contract.ts";
import type { Program, Screen, Signal } from "../hosts/connection.ts";
import type { Note } from "./channel.ts";

/** Something a session's host reported, and when, in milliseconds since 1970. */
export type Observation = { at: number } & (
  | { type: "output" }
  | { type: "title"; title: string }
  /** What the screen shows; `quiet` when nothing has been written for a moment. */
  | { type: "screen"; screen: Screen; quiet: boolean }
  | { type: "signal"; signal: Signal }
  /** Everything that programs in the terminal say of themselves (OSC 7501). */
  | { type: "program"; reports: Program[] }
  | { type: "over"; ask: string; how: "answered" | "withdrawn" | "released" }
  /** Found out by the agent's channel. */
  | ({ type: "note" } & Note)
);

/** What would become of a prompt that is typed now: taken as one, or not, and why. */
export type Intake = "open" | { held: string };

/** Where a prompt is typed, as a screen shows it. */
export type PromptBox = "empty" | "filled" | "hidden";

export interface Reading {
  kind: ActivityKind;
  reason: string | null;
  until: string | null;
  /** When the deciding event happened. */
  since: number;
  asks: Ask | null;
  intake: Intake;
  /** When the agent last accepted a prompt, or began; null while it isn't known to tell of prompts. */
  accepted: number | null;
  /** The last prompt that it says it accepted, word for word; absent where it says no words. */
  heard?: { text: string; at: number };
  /** A sentence on what can't be known about this agent, and why; null when nothing is missing. */
  less: string | null;
  /** Asks that the host still holds open, though they were answered elsewhere. */
  release: string[];
  /** When to read again, even if nothing happens until then. */
  again: number | null;
  /** Pressed without asking anybody, once: what answers a dialog about banto's own doing. */
  press?: KeyStep[];
}

/** A person's answer to an ask. */
export interface Answer {
  ask: string;
  decision: Decision;
  message?: string;
  answers?: Record<string, string>;
}

/** How an answer gets to the agent. */
export type Delivery =
  /** As the response to the request that the host holds open. */
  | { via: "signal"; body: string }
  | { via: "channel"; body: unknown }
  /** Typed, one step after the other. */
  | { via: "keys"; steps: KeyStep[] };

export interface KeyStep {
  keys: string;
  /** Does the screen show what these keys are for? Asked right before; for the first step only once. */
  when(screen: Screen): boolean;
}

/** Follows one session. */
export interface Reader {
  observe(observation: Observation): void;
  read(now: number): Reading;
  gauges(): Gauges | null;
  /** What it said at the end of its last turn. */
  reply(): string | null;
  /** The conversation's own id, where it says so. */
  conversation(): string | null;
  /** What it may do without asking, where that is known. Absent if nothing tells. */
  permissions?(): Permissions | null;
  /** What to do on the person's behalf. Throws if something is wrong with the answer. */
  answer(answer: Answer): Delivery;
  /** Finds its prompt box on a screen. Absent if banto doesn't know what that looks like. */
  box?(screen: Screen): PromptBox;
}

export interface ReaderStart {
  /** It was started with a prompt, which it submits by itself. */
  prompted: boolean;
  /** Something people should know about how it was started. */
  note: string | null;
  at: number;
}

/** Why a prompt is held, where the activity says it all. */
export const HELD = {
  asks: { held: "The agent is asking something. Answer that first." },
  dialog: { held: "A dialog is open in its terminal. Close it first." },
  working: { held: "The agent is still at work." },
  hidden: { held: "Its prompt box isn't in sight. Look at its terminal." },
} as const satisfies Record<string, Intake>;
