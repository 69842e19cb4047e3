// What an agent is led through to see whether its card is right: a turn of one conversation that all of them share, or,
// where it is about how an agent starts or ends, a task on a board of its own.
import type { AgentName } from "../../bin/lib/agent-programs.ts";
import type { ActivityKind } from "../../src/contract.ts";
import type { Conversation } from "../server/claude/support/conversation.ts";
import type { SessionBoard } from "../support/sessions.ts";
import type { TaskRun } from "../support/task-run.ts";

/** One way in which an agent runs. */
export interface Variant {
  version: string;
  /** For people, and for the name of its trace. */
  label: string;
}

/** A state of a card that counts. */
export type State = ActivityKind | "failed" | "done";

export interface Board<Say> extends AsyncDisposable {
  sessions: SessionBoard;
  server: SessionBoard["server"];
  asked: Map<string, unknown>;
  script(title: string, replies: Say[]): void;
  run(title: string, replies: Say[], fields?: Record<string, unknown>): Promise<TaskRun>;
  follow(taskId: string): Promise<TaskRun>;
  /** Of agents that take long to start. */
  hasStarted?(title: string): Promise<unknown>;
}

export type Talk<Say> = Conversation<Say, TaskRun, Board<Say>>;

export interface Expected {
  /** Every state of the card from the beginning of the scenario on, and none besides. */
  states: State[];
  /** What it says in one of them. */
  reason?: RegExp;
  /** It can't be known; then the card has to say so, in `reason` or by what it says is missing. */
  isUnknown?: boolean;
}

export interface Scenario<Say, V extends Variant> {
  name: string;
  /** What the model says to it, if that is what it begins with. */
  replies?: Say[];
  /** Opens a board of its own, on which the task starts with these replies. */
  own?(variant: V): Promise<Board<Say>>;
  /** Of the task on that board. */
  fields?: Record<string, unknown>;
  /** Its session ends, or another server comes: a reader that hears it alone would not come to the same. */
  isPartial?: boolean;
  act(talk: Talk<Say>, variant: V): Promise<unknown>;
  /** Nothing where this can't happen. */
  expect(variant: V): Expected | undefined;
  /** What the terminal shows first of it, and the state that it means. */
  shown?: [RegExp, State];
}

export interface Matrix<Say, V extends Variant> {
  agent: AgentName;
  variants(version: string): V[];
  open(variant: V): Promise<Board<Say>>;
  scenarios: Scenario<Say, V>[];
}
