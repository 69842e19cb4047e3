import { expect } from "bun:test";
import { type ActivityKind, isLive } from "../../src/contract.ts";
import type { TaskRow } from "../../src/server/tasks/task-row.ts";
import type { EventReader } from "./events.ts";
import { endProcesses } from "./processes.ts";
import type { TestServer } from "./server.ts";
import { TestViewer } from "./viewer.ts";

type Status = TaskRow["sessionStatus"];

/** What a task's row said, one entry for each change. */
export type Step = `${Exclude<Status, null> | "none"}` | `${Exclude<Status, null>} ${ActivityKind}`;

const PATIENCE_MS = 45_000;
const UNHEARD_MS = 2_000;
const TAKES_KEYS_MS = 1_000;

/** One task with an agent, and everything its row has said. */
export class TaskRun implements AsyncDisposable {
  readonly rows: TaskRow[] = [];
  /** When each of them came, by performance.now(). */
  readonly heardAt: number[] = [];
  private readonly waiting = new Set<() => void>();
  private viewer: TestViewer | undefined;

  constructor(
    readonly board: { server: TestServer },
    readonly id: string,
    private readonly events: EventReader,
  ) {
    void this.listen(events);
  }

  private async listen(events: EventReader): Promise<void> {
    try {
      for (let event = await events.next(); event !== undefined; event = await events.next()) {
        if (event.type !== "task" || event.data.id !== this.id) continue;
        this.hear(event.data as unknown as TaskRow);
        for (const look of this.waiting) look();
      }
    } catch {
      // the stream was closed, by the end of the test or of the server
    }
  }

  private hear(row: TaskRow) {
    this.rows.push(row);
    this.heardAt.push(performance.now());
  }

  private async fetch(): Promise<void> {
    if (this.rows.length > 0) return;
    const { body } = await this.board.server.get<TaskRow>(`/api/tasks/${this.id}`);
    if (this.rows.length === 0) this.hear(body);
  }

  get task(): TaskRow {
    const task = this.rows.at(-1);
    if (task === undefined) throw new Error("nothing was heard of the task yet");
    return task;
  }

  /** Every state the row went through, without repetitions. */
  get history(): Step[] {
    const steps = this.rows
      // What is being done around a session is not its own doing.
      .map(({ sessionStatus, activity }): Step => {
        if (sessionStatus === null) return "none";
        return activity === null || !isLive(sessionStatus)
          ? sessionStatus
          : `${sessionStatus} ${activity.kind}`;
      });
    return steps.filter((step, i) => step !== steps[i - 1]);
  }

  /** Now, or as soon as the board says so. */
  async until(fits: (task: TaskRow) => boolean, what: string): Promise<TaskRow> {
    const { promise, resolve, reject } = Promise.withResolvers<TaskRow>();
    const look = () => {
      const last = this.rows.at(-1);
      if (last !== undefined && fits(last)) resolve(last);
    };
    const timer = setTimeout(() => {
      void this.screen().then(
        (text) => reject(new Error(`never came: ${what}; ${JSON.stringify(this.history)}\n${text}`)),
        () => reject(new Error(`never came: ${what}; ${JSON.stringify(this.history)}`)),
      );
    }, PATIENCE_MS);
    this.waiting.add(look);
    look();
    // What was said before anyone listened is not said again.
    const asking = setTimeout(() => void this.fetch().then(look, () => {}), UNHEARD_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      clearTimeout(asking);
      this.waiting.delete(look);
    }
  }

  is = (kind: ActivityKind) => this.until(({ activity }) => activity?.kind === kind, kind);
  ended = () =>
    this.until(({ sessionStatus }) => sessionStatus === "failed" || sessionStatus === "done", "the end");

  screen = async () =>
    (await this.board.server.get<{ text: string }>(`/api/tasks/${this.id}/terminal/screen`)).body.text;

  /** The terminal, as a person with a keyboard has it. */
  get terminal(): TestViewer {
    this.viewer ??= TestViewer.open(this.board.server, this.id);
    return this.viewer;
  }

  /** Waits until the screen shows it: what was once written may be gone by then. */
  async sees(pattern: RegExp): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const text = await this.screen();
      if (pattern.test(text)) return;
      if (performance.now() > deadline) throw new Error(`never shown: ${pattern}\n${text}`);
      const { offset } = this.terminal;
      await Promise.race([
        this.terminal.when((viewer) => viewer.offset !== offset, "more output").catch(() => {}),
        Bun.sleep(200),
      ]);
    }
  }

  async keys(...keys: string[]): Promise<void> {
    await this.terminal.live();
    for (const key of keys) this.terminal.type(key);
  }

  /** A dialog takes no keys in its first moment, so they are pressed again if it stays. */
  async answerDialog(shown: RegExp, ...keys: string[]): Promise<void> {
    await this.sees(shown);
    const deadline = performance.now() + PATIENCE_MS;
    const isGone = async () => !shown.test(await this.screen());
    while (performance.now() < deadline) {
      await this.keys(...keys);
      const pressed = performance.now();
      while (performance.now() - pressed < TAKES_KEYS_MS) if (await isGone()) return;
    }
    throw new Error(`still shown: ${shown}`);
  }

  answer = (body: Record<string, unknown>) =>
    this.board.server.post(`/api/tasks/${this.id}/session/answer`, {
      ask: this.rows.at(-1)?.asks?.id,
      ...body,
    });

  prompt = async (text: string) => {
    const answer = await this.board.server.post(`/api/tasks/${this.id}/terminal/input`, {
      text,
      submit: true,
    });
    expect(answer.status).toBe(204);
  };

  /** Ends the agent at once: a machine has room for a few only. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.viewer?.[Symbol.dispose]();
    this.events[Symbol.dispose]();
    await endProcesses(`BANTO_TASK_ID=${this.id}\0`);
  }
}
