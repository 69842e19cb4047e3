// All viewers, and when and why they are disconnected.
import { CLOSE } from "../../../contract.ts";
import type { Logins } from "../../auth/logins.ts";
import type { Events } from "../../events/events.ts";
import type { HostReadiness } from "../../hosts/host-readiness.ts";
import type { Log } from "../../log.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import { createRunningClock, PATIENCE, type Patience } from "./patience.ts";
import { TerminalSocket, type View } from "./socket.ts";

const CHECK_MS = 1_000;
const LOGIN_CHECKS = 10;

export interface TaskView extends View {
  /** The task whose session it shows; unset for shells. */
  taskId?: string;
}

interface SocketsParts {
  events: Events;
  readiness: Pick<HostReadiness, "wait">;
  logins: Pick<Logins, "onSignOut">;
  log: Log;
  patience?: Patience;
}

export type TerminalSockets = ReturnType<typeof createTerminalSockets>;

export function createTerminalSockets({ events, readiness, logins, log, patience = PATIENCE }: SocketsParts) {
  const open = new Map<TerminalSocket, TaskView>();

  const checkLogins = () => {
    for (const socket of open.keys()) {
      if (!socket.isWelcome) socket.end(CLOSE.signedOut, "You have signed out.");
    }
  };
  const followTask = ({ id, sessionId, deletedAt }: TaskRow) => {
    for (const [socket, { taskId }] of open) {
      if (taskId !== id || socket.sessionId === undefined) continue;
      if (deletedAt !== null) socket.end(CLOSE.noSession, "The task was deleted.");
      else if (sessionId !== null && sessionId !== socket.sessionId) {
        socket.end(CLOSE.replaced, "The task has a new session.");
      }
    }
  };

  let checks = 0;
  const everyMs = Math.min(CHECK_MS, patience.pingMs);
  const clock = createRunningClock(2 * everyMs);
  const timer = setInterval(() => {
    checks += 1;
    clock.tick();
    for (const socket of open.keys()) socket.check();
    // A login may also expire, or be ended in the database.
    if (checks % LOGIN_CHECKS === 0) checkLogins();
  }, everyMs);
  timer.unref();
  logins.onSignOut(checkLogins);
  const unsubscribe = events.subscribe(({ type, row }) => {
    if (type === "task") followTask(row as TaskRow);
  });

  return {
    count: () => open.size,
    /** Creates the handlers for a WebSocket that is about to be opened. */
    create: (view: TaskView) =>
      new TerminalSocket({
        ...view,
        patience,
        now: clock.now,
        waitForHost: readiness.wait,
        opened: (socket) => void open.set(socket, view),
        closed: (socket) => void open.delete(socket),
        failed: (error) => log.error("a terminal's socket failed", error),
      }),
    /** The server stops; the sessions go on. */
    close() {
      clearInterval(timer);
      unsubscribe();
      for (const socket of open.keys()) socket.end(CLOSE.comeBack, "banto is stopping.");
    },
  };
}
