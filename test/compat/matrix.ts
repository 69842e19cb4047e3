// Leads an agent through its scenarios and compares all that its card says with what it should say.
import type { Observation, ReaderStart } from "../../src/server/agents/reading.ts";
import type { TaskRow } from "../../src/server/tasks/task-row.ts";
import { Conversation } from "../server/claude/support/conversation.ts";
import type { TaskRun } from "../support/task-run.ts";
import { Recorder } from "./recorder.ts";
import type { Capability, Result, VariantResults } from "./results.ts";
import type { Board, Expected, Matrix, Scenario, State, Talk, Variant } from "./scenario.ts";
import type { Take } from "./trace.ts";

/** What comes after the last word must not change it. */
const AFTERWARDS_MS = 2_000;
const TOO_LATE_MS = 2_000;

interface Options {
  /** Only scenarios with one of these in their names. */
  only?: string[];
  tell(result: Result): void;
  /** What was heard of one that went wrong. */
  keep(scenario: string, heard: Heard): void;
}

export interface Heard {
  start: ReaderStart;
  news: Observation[];
  rows: { at: number | undefined; row: TaskRow }[];
}

export async function runMatrix<Say, V extends Variant>(
  matrix: Matrix<Say, V>,
  variant: V,
  { only = [], tell, keep }: Options,
): Promise<{ results: VariantResults; takes: Take[] }> {
  const results: Result[] = [];
  const takes: Take[] = [];
  const capabilities = new Set<Capability>();
  let shared: Stage<Say, V> | undefined;
  const close = async (stage: Stage<Say, V>) => {
    takes.push(...stage.takes());
    for (const one of stage.capabilities()) capabilities.add(one);
    await stage[Symbol.asyncDispose]();
  };
  const isWanted = ({ name }: Scenario<Say, V>) =>
    only.length === 0 || only.some((one) => name.includes(one));
  for (const scenario of matrix.scenarios.filter(isWanted)) {
    const expected = scenario.expect(variant);
    if (expected === undefined) continue;
    let result: Result;
    let stage: Stage<Say, V> | undefined;
    try {
      const { own } = scenario;
      shared ??= own ? undefined : await Stage.shared(matrix, variant);
      stage = own ? await Stage.open(matrix.agent, await own(variant), scenario) : shared;
      if (stage === undefined) throw new Error("there is no conversation");
      result = await stage.play(scenario, variant, expected);
    } catch (error) {
      result = { scenario: scenario.name, is: "wrong", ms: null, why: messageOf(error) };
    }
    if (stage !== undefined && (scenario.own || result.is === "wrong")) {
      if (result.is === "wrong") keep(scenario.name, stage.heard());
      await close(stage);
      if (!scenario.own) shared = undefined; // it may be anywhere
    }
    if (result.is === "right" && /^resum/i.test(scenario.name)) capabilities.add("resume");
    results.push(result);
    tell(result);
  }
  if (shared !== undefined) await close(shared);
  const found = { variant: variant.label, results, capabilities: [...capabilities].toSorted() };
  return { results: found, takes };
}

const SHARED = "Play along";

/** A board and the conversation that takes place on it. */
class Stage<Say, V extends Variant> implements AsyncDisposable {
  /** How much of what was heard and said belongs to scenarios that went well. */
  private good = { heard: 0, rows: 0 };

  private constructor(
    private readonly board: Board<Say>,
    private readonly talk: Talk<Say>,
    private readonly recorder: Recorder,
    private readonly name: string,
  ) {}

  static async open<Say, V extends Variant>(
    agent: string,
    board: Board<Say>,
    { name, replies = [], fields, shown }: Pick<Scenario<Say, V>, "name" | "replies" | "fields" | "shown">,
  ): Promise<Stage<Say, V>> {
    try {
      const begun = Conversation.start<Say, TaskRun, Board<Say>>(board, name, [...replies], fields);
      const talk: Talk<Say> = await begun;
      await board.hasStarted?.(name);
      return new Stage(board, talk, await Recorder.follow(agent, talk.run, shown?.[0]), name);
    } catch (error) {
      await board[Symbol.asyncDispose]();
      throw error;
    }
  }

  static async shared<Say, V extends Variant>(matrix: Matrix<Say, V>, variant: V): Promise<Stage<Say, V>> {
    const board = await matrix.open(variant);
    const stage = await Stage.open<Say, V>(matrix.agent, board, {
      name: SHARED,
      replies: ["I am here." as Say],
    });
    try {
      await stage.talk.is("finished");
      stage.keep();
      return stage;
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
  }

  private keep() {
    this.good = { heard: this.recorder.heard.length, rows: this.talk.run.rows.length };
  }

  async play(scenario: Scenario<Say, V>, variant: V, expected: Expected): Promise<Result> {
    const { talk, recorder } = this;
    const { name, own, replies, act, shown, isPartial } = scenario;
    const from = own ? 0 : talk.run.rows.length;
    if (!own) talk.newTurn();
    if (!own && shown !== undefined) recorder.lookFor(shown[0]);
    let failure: string | undefined;
    try {
      if (!own && replies !== undefined) await talk.say(`${SHARED}: ${name}`, [...replies]);
      await act(talk, variant);
      await Bun.sleep(AFTERWARDS_MS);
    } catch (error) {
      failure = messageOf(error);
    }
    // Of a session that went on under another server, all is told anew.
    const rows = talk.run.rows.slice(from);
    const ms = shown && lateness(talk.run, from, shown[1], recorder.shownAt);
    const states = talk.steps.flatMap(stateOf);
    const why = failure ?? wrongIn(expected, states, rows, ms);
    if (why === undefined && !isPartial) this.keep();
    const is = why !== undefined ? "wrong" : expected.isUnknown ? "unknown" : "right";
    return { scenario: name, is, ms: ms ?? null, ...(why !== undefined && { why }) };
  }

  heard(): Heard {
    const { recorder, talk } = this;
    const rows = talk.run.rows.map((row, i) => ({ at: talk.run.heardAt[i], row }));
    return { start: recorder.start, news: recorder.heard, rows };
  }

  /** What went well, from the start. */
  takes(): Take[] {
    const { good, recorder, talk, name } = this;
    if (good.heard === 0) return [];
    const kinds = talk.run.rows.slice(0, good.rows).flatMap(({ activity }) => activity?.kind ?? []);
    const history = kinds.filter((kind, i) => kind !== kinds[i - 1]);
    return [{ name, start: recorder.start, news: recorder.heard.slice(0, good.heard), history }];
  }

  capabilities(): Capability[] {
    const { heard, reader, tellsOfPrompts, takesAnswers } = this.recorder;
    const has: Record<Capability, boolean> = {
      "OSC 7501": heard.some((one) => one.type === "program" && one.reports.length > 0),
      "own state": heard.some((one) => one.type === "note" && one.body !== null),
      hooks: heard.some((one) => one.type === "signal" && one.signal.name !== "status"),
      "answers from the card": takesAnswers,
      "prompts told": tellsOfPrompts,
      resume: false,
      figures: reader?.gauges() != null,
    };
    return (Object.keys(has) as Capability[]).filter((one) => has[one]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.recorder[Symbol.dispose]();
    await this.talk[Symbol.asyncDispose]();
    await this.board[Symbol.asyncDispose]();
  }
}

/** “running working” and “waiting_for_input permission” say the same twice. */
function stateOf(step: string): State[] {
  const state = step.split(" ").at(-1) as State | "pending" | "provisioning" | "none";
  return state === "pending" || state === "provisioning" || state === "none" ? [] : [state];
}

/** How long after its terminal the card has said so; null where the terminal drew it in pieces. */
function lateness(run: TaskRun, from: number, state: State, shownAt: number | undefined): number | null {
  const row = run.rows.findIndex(({ activity }, i) => i >= from && activity?.kind === state);
  const heardAt = run.heardAt[row];
  if (shownAt === undefined || heardAt === undefined) return null;
  return Math.max(0, Math.round(heardAt - shownAt));
}

function wrongIn(
  { states, reason, isUnknown = false }: Expected,
  got: State[],
  rows: TaskRow[],
  ms: number | null | undefined,
): string | undefined {
  if (!isSame(got, states)) return `it said ${got.join(", ")} instead of ${states.join(", ")}`;
  const reasons = rows.flatMap(({ activity }) => activity?.reason ?? []);
  if (reason !== undefined && !reasons.some((one) => reason.test(one)))
    return `its reasons were ${JSON.stringify([...new Set(reasons)])}`;
  const saysSo = reason !== undefined || rows.some(({ activity }) => activity?.less !== undefined);
  if (isUnknown && !saysSo) return "it doesn't say that it can't know";
  return ms != null && ms > TOO_LATE_MS ? `the card was ${ms} ms late` : undefined;
}

/** Work right before or after a question may last no longer than a moment, and is not told then. */
function isSame(got: State[], [first, second, ...rest]: State[], before?: State): boolean {
  if (first === undefined) return got.length === 0;
  const isByQuestion =
    before === "permission" || before === "question" || second === "permission" || second === "question";
  const isOptional = first === "working" && second !== undefined && isByQuestion;
  const others = second === undefined ? [] : [second, ...rest];
  return (
    (got[0] === first && isSame(got.slice(1), others, first)) || (isOptional && isSame(got, others, first))
  );
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
