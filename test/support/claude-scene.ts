import { DESK, type Screen, type withBrowser } from "./browser.ts";
import { ClaudeBoard, type ClaudeRun } from "./claude-board.ts";
import type { Reply } from "./messages-api.ts";
import { beSeen } from "./seen.ts";
import type { Tab, Visitor } from "./visitor.ts";

/** A board whose tasks run the real Claude Code, and someone who looks at it. */
export class ClaudeScene implements AsyncDisposable {
  private readonly runs: ClaudeRun[] = [];

  private constructor(
    readonly board: ClaudeBoard,
    readonly visitor: Visitor,
    readonly tab: Tab,
  ) {}

  static async open(
    browser: ReturnType<typeof withBrowser>,
    { screen = DESK, isProcess = false }: { screen?: Screen; isProcess?: boolean } = {},
  ): Promise<ClaudeScene> {
    const board = await ClaudeBoard.start({}, { isHere: !isProcess });
    try {
      const visitor = await browser.stranger(board.server, screen);
      return new ClaudeScene(board, visitor, await visitor.signIn());
    } catch (error) {
      await board[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** A task of this title, started; the model says this to it, turn by turn. */
  async run(title: string, replies: Reply[], fields?: Record<string, unknown>): Promise<ClaudeRun> {
    const run = await this.board.run(title, replies, fields);
    this.runs.push(run);
    return run;
  }

  /** What its row says from now on. */
  async follow(taskId: string): Promise<ClaudeRun> {
    const run = await this.board.follow(taskId);
    this.runs.push(run);
    return run;
  }

  seen = () => beSeen(this.tab);

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.visitor[Symbol.asyncDispose]();
      for (const run of this.runs) await run[Symbol.asyncDispose]();
    } finally {
      await this.board[Symbol.asyncDispose]();
    }
  }
}
