// What an agent is doing, read from what its host tells. Each kind of agent reads in its own way.
import type { ActivityKind, Ask, Decision, Gauges } from "../../contract.ts";
import type { Screen, Signal } from "../hosts/connection.ts";

/** Something a session's host told, and when, in milliseconds since 1970. */
export type Observation = { at: number } & (
  | { type: "output" }
  | { type: "title"; title: string }
  /** What the screen shows; `quiet` when nothing has been written for a moment. */
  | { type: "screen"; screen: Screen; quiet: boolean }
  | { type: "signal"; signal: Signal }
  | { type: "over"; ask: string; how: "answered" | "withdrawn" | "released" }
);

export interface Reading {
  kind: ActivityKind;
  reason: string | null;
  until: string | null;
  /** When that which decided it happened. */
  since: number;
  asks: Ask | null;
  /** Held open by the host, though they have been answered elsewhere. */
  release: string[];
  /** When to read again even if nothing is heard until then. */
  again: number | null;
}

/** What a person says to what an agent asks. */
export interface Answer {
  ask: string;
  decision: Decision;
  message?: string;
  answers?: Record<string, string>;
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
  /** What the host is to answer in the person's name; throws what is wrong with the answer. */
  answer(answer: Answer): string;
}

export interface ReaderStart {
  /** It was given a prompt that it submits by itself. */
  prompted: boolean;
  /** Something the person ought to know of how it was started. */
  note: string | null;
  at: number;
}
