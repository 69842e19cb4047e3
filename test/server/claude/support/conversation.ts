// One Claude Code for several tests: each says something in the same conversation and sees what the card says of that
// turn alone. Starting Claude costs more than all of its turns.

import type { ActivityKind } from "../../../../src/contract.ts";
import type { TaskRow } from "../../../../src/server/tasks/task-row.ts";
import type { ClaudeBoard, ClaudeRun } from "../../../support/claude-board.ts";
import type { Reply } from "../../../support/messages-api.ts";

export class Conversation implements AsyncDisposable {
  /** How much of the history was there before this turn. */
  #before = 0;

  private constructor(
    private readonly board: ClaudeBoard,
    private readonly title: string,
    readonly run: ClaudeRun,
  ) {}

  /** The task's title is the first prompt. */
  static async start(
    board: ClaudeBoard,
    title: string,
    replies: Reply[],
    fields?: Record<string, unknown>,
  ): Promise<Conversation> {
    return new Conversation(board, title, await board.run(title, replies, fields));
  }

  /** A turn of which these are the model's replies. */
  async say(text: string, replies: Reply[]): Promise<void> {
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
