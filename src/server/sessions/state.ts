// What a task's session may do next: a pure function of where it stands and what happens.
// `status` is the person's, `session` the agent's; `operation` is an action of several steps under way.

import { isLive, type Operation, type SessionStatus, type TaskStatus } from "../../contract.ts";

export interface SessionState {
  status: TaskStatus;
  session: SessionStatus | null;
  operation: Operation | null;
  /** The task has a worktree in its place. */
  hasWorktree: boolean;
}

/** What a person asks for. */
type Action = "stop" | "complete" | "remove" | "leave" | "restore";

export type SessionEvent =
  | { type: Action }
  /** `activate` moves the card to Active along with it. */
  | { type: "start" | "resume" | "retry"; activate?: boolean }
  /** Undoes a completion: back to its column, with its worktree where one is in the trash. */
  | { type: "reopen"; to: TaskStatus; restores: boolean }
  /** A start has begun to make the worktree. */
  | { type: "provisioning" }
  /** The host runs, and the start is over. */
  | { type: "launched" }
  /** The program wrote something. */
  | { type: "output" }
  /** It waits for a person. */
  | { type: "asks" }
  /** Something became known of it that changes nothing of the above. */
  | { type: "noted" }
  | { type: "ended"; ok: boolean }
  /** The worktree is in the trash. */
  | { type: "archived"; then: ArchiveReason }
  /** It could not be brought there; it stays where it is. */
  | { type: "kept" }
  /** A worktree came back from the trash, into its own place or beside it. */
  | { type: "restored"; inPlace: boolean };

export const ARCHIVE_REASONS = ["retry", "complete", "delete"] as const;
export type ArchiveReason = (typeof ARCHIVE_REASONS)[number];

export interface Rejection {
  rejected: "conflict" | "invalid";
  message: string;
  /** It would be possible as soon as the operation under way has ended. */
  busy?: true;
}

export const isRejection = (result: SessionState | Rejection): result is Rejection => "rejected" in result;

export function transition(state: SessionState, event: SessionEvent): SessionState | Rejection {
  const { status, session, operation, hasWorktree } = state;
  switch (event.type) {
    case "start":
      if (status !== "active" && !event.activate)
        return invalid("Move the task to Active first, then start its agent.");
      if (session !== null)
        return conflict(isLive(session) ? RUNS : "The task has a session; resume or retry it.");
      if (operation !== null) return busy(operation);
      return { ...state, status: "active", session: "pending", operation: "start" };

    case "resume":
      if (isLive(session)) return conflict(RUNS);
      if (operation !== null) return busy(operation);
      if (status !== "active" && !event.activate)
        return invalid("Move the task to Active first, then resume.");
      if (!hasWorktree) return invalid("There is nothing to resume; start the task instead.");
      return { ...state, status: "active", session: "pending", operation: "start" };

    case "stop":
      if (!isLive(session)) return conflict("Nothing is running.");
      if (operation === "archive" || operation === "restore") return busy(operation);
      return { ...state, operation: "stop" }; // also calls off a start, and is the same when said twice

    case "retry":
      if (status !== "active" && !event.activate)
        return invalid("Move the task to Active first, then retry.");
      if (operation !== null) return busy(operation);
      return {
        ...state,
        status: "active",
        session: "pending",
        operation: session === null && !hasWorktree ? "start" : "archive",
      };

    case "complete":
      if (operation !== null) return busy(operation);
      if (session === null && !hasWorktree) return { ...state, status: "done" };
      return { ...state, operation: "archive" };

    case "reopen":
      if (operation !== null) return busy(operation);
      if (isLive(session)) return conflict(RUNS);
      if (status !== "done" && !event.restores)
        return conflict("The task is not completed; there is nothing to undo.");
      return { ...state, status: event.to, operation: event.restores ? "restore" : null };

    case "remove":
      if (isLive(session))
        return conflict("The task's agent is still running; stop it or complete the task.");
      if (operation !== null) return busy(operation);
      return session === null && !hasWorktree ? state : { ...state, operation: "archive" };

    case "leave":
      if (isLive(session))
        return conflict("The task's agent is still running; stop it or complete the task.");
      return operation === null ? state : busy(operation);

    case "restore":
      return operation === null ? { ...state, operation: "restore" } : busy(operation);

    case "provisioning":
      if (operation !== "start" || session !== "pending") return stale;
      return { ...state, session: "provisioning" };

    case "launched":
      if (operation !== "start" || !hasWorktree || session === "pending") return stale;
      return { ...state, operation: null };

    case "output":
      if (!hasWorktree || (session !== "provisioning" && session !== "waiting_for_input")) return stale;
      return { ...state, session: "running" };

    case "asks":
      if (!hasWorktree || (session !== "provisioning" && session !== "running")) return stale;
      return { ...state, session: "waiting_for_input" };

    case "noted":
      return isLive(session) && hasWorktree ? state : stale;

    case "ended":
      if (!isLive(session)) return stale;
      // A retry shows "pending" from the moment it is asked for: the session that ends is the one before.
      if (operation === "archive" && session === "pending") return state;
      return {
        ...state,
        session: event.ok ? "done" : "failed",
        operation: operation === "archive" || operation === "restore" ? operation : null,
      };

    case "archived":
      // Only a retry has promised a session already.
      if (operation !== "archive" || (event.then === "retry") !== (session === "pending")) return stale;
      if (event.then === "retry")
        return { ...state, session: "pending", operation: "start", hasWorktree: false };
      return {
        status: event.then === "complete" ? "done" : status,
        session: null,
        operation: null,
        hasWorktree: false,
      };

    case "kept":
      if (operation !== "archive" && operation !== "restore") return stale;
      return {
        ...state,
        session: operation === "archive" && isLive(session) ? "failed" : session,
        operation: null,
      };

    case "restored":
      if (operation !== "restore") return stale;
      return { ...state, operation: null, hasWorktree: hasWorktree || event.inPlace };
  }
}

const RUNS = "The task's agent is already running.";

const invalid = (message: string): Rejection => ({ rejected: "invalid", message });
const conflict = (message: string): Rejection => ({ rejected: "conflict", message });

/** News of something that is over; nobody is told. */
const stale: Rejection = conflict("That is already over.");

const UNDER_WAY: Record<Operation, string> = {
  start: "The agent is being started; stop it first, or wait a moment.",
  stop: "The agent is being stopped; try again in a moment.",
  archive: "The last session is being archived; try again in a moment.",
  restore: "A worktree is being restored; try again in a moment.",
};

const busy = (operation: Operation): Rejection => ({ ...conflict(UNDER_WAY[operation]), busy: true });
