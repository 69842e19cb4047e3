// One agent for several tests: each says something in the same conversation and sees what the card says of that turn
// alone. Starting an agent costs more than all of its turns.

import type { ActivityKind } from "../../../../src/contract.ts";
import type { TaskRow } from "../../../../src/server/tasks/task-row.ts";
import type { ClaudeBoard, ClaudeRun } from "../../../support/claude-board.ts";
import type { Reply } from "../../../support/messages-api.ts";
import type { TaskRun } from "../../../support/task-run.ts";

interface Board<Say, Run> {
  asked: Map<string, unknown>;
  script(title: string, replies: Say[]): void;
  run(title: string, replies: Say[], fields?: Record<string, unknown>): Promise<Run>;
}

export class Conversation<
  Say = Reply,
  Run extends TaskRun = ClaudeRun,
  On extends Board<Say, Run> = ClaudeBoard & Board<Say, Run>,
> implements AsyncDisposable
{
  /** How much of the history was there before this turn. */
  #before = 0;

  private constructor(
    readonly board: On,
    readonly title: string,
    public run: Run,
  ) {}

  /** The task's title is the first prompt. */
  static async start<Say, Run extends TaskRun, On extends Board<Say, Run>>(
    board: On & Board<Say, Run>,
    title: string,
    replies: Say[],
    fields?: Record<string, unknown>,
  ): Promise<Conversation<Say, Run, On>> {
    return new Conversation<Say, Run, On>(board, title, await board.run(title, replies, fields));
  }

  /** A turn of which these are the model's replies. */
  async say(text: string, replies: Say[]): Promise<void> {
    this.board.script(this.title, replies);
    this.newTurn();
    await this.run.prompt(text);
  }

  /** What follows is a turn of its own, however it comes about. */
  newTurn() {
    this.#before = this.run.history.length;
  }

  /** Every state of the card in this turn. */
  get steps() {
    return this.run.history.slice(this.#before);
  }

  /** In this turn, now or as soon as it comes. */
  is = (kind: ActivityKind): Promise<TaskRow> =>
    this.run.until(({ activity }) => this.steps.length > 0 && activity?.kind === kind, kind);

  /** What the model was last asked with. */
  asked = () => JSON.stringify(this.board.asked.get(this.title));

  [Symbol.asyncDispose] = () => this.run[Symbol.asyncDispose]();
}
