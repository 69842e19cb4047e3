import type { ActivityKind, AgentActivity, Ask } from "../../src/contract.ts";
import type { TaskRow } from "../../src/server/tasks/task-row.ts";
import { DESK, type Scene, type Screen, type withBrowser } from "./browser.ts";
import { tellTask, writeTask } from "./database.ts";

let asks = 0;

/** A request of an agent, to run a command unless something else is said. */
export const ask = (fields: Partial<Ask> = {}): Ask => ({
  id: `ask-${++asks}`,
  tool: "Bash",
  summary: "npm test",
  detail: "npm test",
  always: null,
  questions: null,
  canAnswer: true,
  ...fields,
});

/** The columns of a session whose agent does this, as the runner writes them. */
export function doing(kind: ActivityKind, fields: Partial<TaskRow> & Partial<AgentActivity> = {}) {
  const {
    reason = null,
    until = null,
    since = new Date().toISOString(),
    less,
    permissions,
    ...columns
  } = fields;
  return {
    sessionStatus: kind === "working" ? ("running" as const) : ("waiting_for_input" as const),
    sessionOperation: null,
    asks: null,
    activity: {
      kind,
      reason,
      since,
      until,
      ...(less !== undefined && { less }),
      ...(permissions && { permissions }),
    },
    ...columns,
  };
}

/** A board on which rows say what agents are doing. No agent is there, so nothing changes by itself. */
export class AgentScene implements AsyncDisposable {
  private constructor(readonly scene: Scene) {}

  static async open(
    browser: ReturnType<typeof withBrowser>,
    { screen = DESK }: { screen?: Screen } = {},
  ): Promise<AgentScene> {
    return new AgentScene(await browser.board({}, screen));
  }

  get tab() {
    return this.scene.tab;
  }

  get visitor() {
    return this.scene.visitor;
  }

  get server() {
    return this.scene.server;
  }

  /** A task whose agent does this. */
  async add(title: string, columns: Partial<TaskRow>): Promise<TaskRow> {
    const task = await this.scene.board.addTask({ title, status: "active" });
    const started = { worktreePath: "/nowhere", branch: "banto/x", sessionStartedAt: task.createdAt };
    await this.tell(task, { sessionId: `session-of-${task.id}`, ...started, ...columns });
    return task;
  }

  tell = ({ id }: Pick<TaskRow, "id">, columns: Partial<TaskRow>) => tellTask(this.server, id, columns);

  /** Changes the row behind the page's back. */
  write = ({ id }: TaskRow, columns: Partial<TaskRow>) => writeTask(this.server, id, columns);

  [Symbol.asyncDispose] = () => this.scene[Symbol.asyncDispose]();
}
