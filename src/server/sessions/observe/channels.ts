// What agents have beside their terminals, open for as long as their sessions live and this server knows of them.
import type { Agents } from "../../agents/agents.ts";
import type { Channel, Note } from "../../agents/channel.ts";
import { optionsOf } from "../../agents/options.ts";
import { type HostStatus, within } from "../../hosts/connection.ts";
import type { RunDir } from "../../hosts/run-dir.ts";
import type { SessionRows } from "../store.ts";
import type { SessionIds } from "./session-watch.ts";

interface ChannelsParts {
  agents: Pick<Agents, "openChannel">;
  rows: Pick<SessionRows, "find" | "project">;
  runDir: Pick<RunDir, "files">;
  told(session: SessionIds, note: Note): void;
  failed(error: unknown): void;
}

/** One that has not told by then what there was is not waited for. */
const READY_MS = 3_000;

interface OpenOne {
  channel: Channel;
  /** Nothing is told any more. */
  close(): void;
}

export type Channels = ReturnType<typeof createChannels>;

export function createChannels({ agents, rows, runDir, told, failed }: ChannelsParts) {
  const all = new Map<string, OpenOne>();
  /** Of agents that have begun since then, nothing was missed. */
  const createdAt = Date.now();

  function begin(session: SessionIds, pid: number): OpenOne | undefined {
    const { taskId, sessionId } = session;
    const task = rows.find(taskId);
    if (task?.sessionId !== sessionId || task.worktreePath === null) return undefined;
    const about = {
      sessionId,
      agentSessionId: task.agentSessionId ?? "",
      cwd: task.worktreePath,
      options: optionsOf(task, rows.project(task.projectId)),
      signalFolder: runDir.files(sessionId).signals,
      pid,
    };
    let isClosed = false;
    const channel = agents.openChannel(task.agent, about, (note) => {
      if (!isClosed) told(session, note);
    });
    const close = () => {
      isClosed = true;
      channel?.close();
    };
    return channel && { channel, close };
  }

  function close(sessionId: string) {
    all.get(sessionId)?.close();
    all.delete(sessionId);
  }

  return {
    /** Settles when it has told what there was, or takes too long. One that is open already stays. */
    async open(
      session: SessionIds,
      { pid, startedAt }: Pick<HostStatus, "pid" | "startedAt">,
    ): Promise<void> {
      const { sessionId } = session;
      try {
        const one = all.get(sessionId) ?? begin(session, pid);
        if (one === undefined) return;
        all.set(sessionId, one);
        const { ready } = one.channel;
        if (ready === undefined || Date.parse(startedAt) > createdAt) return;
        await within(READY_MS, ready);
      } catch (error) {
        failed(error);
      }
    },

    of: (sessionId: string) => all.get(sessionId)?.channel,

    close,

    dispose() {
      for (const sessionId of all.keys()) close(sessionId);
    },
  };
}
