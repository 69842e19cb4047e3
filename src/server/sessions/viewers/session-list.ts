// Every live session and shell, as reported by its own host.
import { type Gauges, isLive } from "../../../contract.ts";
import { askHost, type HostStatus, within } from "../../hosts/connection.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import type { Tasks } from "../../tasks/tasks.ts";
import type { Glimpse } from "../observe/session-watch.ts";
import type { Runner } from "../runner.ts";
import type { ShellRow } from "../shells/shell.ts";
import type { Shells } from "../shells/shells.ts";
import type { TerminalFinder } from "./find-terminal.ts";

const ANSWER_MS = 1_500;

/** Values from the host are null if there is no host, or it doesn't answer. */
export interface SessionRow {
  id: string | null;
  taskId: string;
  taskTitle: string;
  kind: "agent" | "shell";
  /** The agent, or the shell's name. */
  name: string;
  status: TaskRow["sessionStatus"];
  startedAt: string | null;
  cols: number | null;
  rows: number | null;
  viewers: number;
  /** Whether anybody is watching. */
  attachment: "attached" | "orphaned";
  /** Bytes of output so far. */
  bytes: number | null;
  pid: number | null;
  title: string;
  /** The last lines of an agent's screen, as its card shows them. */
  lines: string[];
  /** An agent's figures, as in `session` events; null for shells, and while unknown. */
  gauges: Gauges | null;
}

interface SessionListParts {
  tasks: Pick<Tasks, "list">;
  finder: TerminalFinder;
  shells: Pick<Shells, "all">;
  runner: Pick<Runner, "glimpse" | "gauges" | "host">;
}

export type SessionList = ReturnType<typeof createSessionList>;

export function createSessionList({ tasks, finder, shells, runner }: SessionListParts) {
  async function status(task: TaskRow): Promise<HostStatus | undefined> {
    const address = finder.find(task.id);
    if (address === undefined) return undefined;
    try {
      const status = runner.host(address.sessionId)?.status() ?? askHost(address, (host) => host.status());
      return await within(ANSWER_MS, status);
    } catch {
      return undefined; // not there yet, or gone, or it hangs: the list goes on without it
    }
  }

  return {
    async list(): Promise<SessionRow[]> {
      const board = tasks.list({});
      const titles = new Map(board.map(({ id, title }) => [id, title]));
      const [agents, extra] = await Promise.all([
        Promise.all(
          board
            .filter(({ sessionStatus }) => isLive(sessionStatus))
            .map(async (task) => {
              const id = task.sessionId ?? "";
              return agentRow(task, await status(task), runner.glimpse(id), runner.gauges(id));
            }),
        ),
        shells.all(),
      ]);
      const live = extra.filter(({ exit }) => exit === null);
      return [...agents, ...live.map((shell) => shellRow(shell, titles.get(shell.taskId) ?? ""))];
    },
  };
}

const attachment = (viewers: number) => (viewers > 0 ? "attached" : "orphaned");

const agentRow = (
  task: TaskRow,
  status: HostStatus | undefined,
  glimpse: Glimpse | undefined,
  gauges: Gauges | undefined,
): SessionRow => ({
  id: task.sessionId,
  taskId: task.id,
  taskTitle: task.title,
  kind: "agent",
  name: task.agent,
  status: task.sessionStatus,
  startedAt: status?.startedAt ?? task.sessionStartedAt,
  cols: status?.cols ?? null,
  rows: status?.rows ?? null,
  viewers: status?.viewers ?? 0,
  attachment: attachment(status?.viewers ?? 0),
  bytes: status?.offset ?? null,
  pid: status?.pid ?? null,
  title: status?.title ?? "",
  lines: glimpse?.lines ?? [],
  gauges: gauges ?? null,
});

const shellRow = (shell: ShellRow, taskTitle: string): SessionRow => ({
  id: shell.id,
  taskId: shell.taskId,
  taskTitle,
  kind: "shell",
  name: shell.name,
  status: "running",
  startedAt: shell.startedAt,
  cols: shell.cols,
  rows: shell.rows,
  viewers: shell.viewers,
  attachment: attachment(shell.viewers),
  bytes: shell.bytes,
  pid: shell.pid,
  title: shell.title,
  lines: [],
  gauges: null,
});
