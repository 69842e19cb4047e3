// The state machine of a task's session: a pure function of the current state and an event. `status` belongs to the
// person, `session` to the agent, and `operation` is a multi-step action in progress.

import { isLive, type Operation, type SessionStatus, type TaskStatus } from "../../contract.ts";

export interface SessionState {
  status: TaskStatus;
  session: SessionStatus | null;
  operation: Operation | null;
  /** The task has a worktree in its place. */
  hasWorktree: boolean;
}

/** What people can do. */
type Action = "stop" | "complete" | "remove" | "leave" | "restore" | "forget";

export type SessionEvent =
  | { type: Action }
  /** `activate` moves the card to Active too. */
  | { type: "start" | "resume" | "retry"; activate?: boolean }
  /** Undoes a completion: back to its column, with its worktree if one is in the trash. */
  | { type: "reopen"; to: TaskStatus; restores: boolean }
  /** A start is making the worktree. */
  | { type: "provisioning" }
  /** The host is running, and the start is over. */
  | { type: "launched" }
  /** The program is running, and nothing says that it is waiting. */
  | { type: "output" }
  /** It is waiting for a person. */
  | { type: "asks" }
  /** Something new is known about it that changes no state. */
  | { type: "noted" }
  /** A running agent that the database did not know becomes its session. */
  | { type: "adopted" }
  | { type: "ended"; ok: boolean }
  /** The worktree is in the trash. */
  | { type: "archived"; then: ArchiveReason }
  /** The worktree could not be moved, and stays where it is. */
  | { type: "kept" }
  /** A worktree was restored, in place or beside the task's own. */
  | { type: "restored"; inPlace: boolean };

export const ARCHIVE_REASONS = ["retry", "complete", "delete"] as const;
export type ArchiveReason = (typeof ARCHIVE_REASONS)[number];

export interface Rejection {
  rejected: "conflict" | "invalid";
  message: string;
  /** It would be possible once the operation in progress has ended. */
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
        return conflict(isLive(session) ? RUNS : "The task already has a session. Resume or retry it.");
      if (operation !== null) return busy(operation);
      return { ...state, status: "active", session: "pending", operation: "start" };

    case "resume":
      if (isLive(session)) return conflict(RUNS);
      if (operation !== null) return busy(operation);
      if (status !== "active" && !event.activate)
        return invalid("Move the task to Active first, then resume.");
      if (!hasWorktree) return invalid("There is nothing to resume. Start the task instead.");
      return { ...state, status: "active", session: "pending", operation: "start" };

    case "stop":
      if (!isLive(session)) return conflict("Nothing is running.");
      if (operation === "archive" || operation === "restore") return busy(operation);
      return { ...state, operation: "stop" }; // also cancels a start, and may be repeated

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

    case "forget":
      if (isLive(session)) return conflict("The task's agent is still running; stop it first.");
      if (operation !== null) return busy(operation);
      return { ...state, hasWorktree: false };

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

    case "adopted":
      if (isLive(session)) return conflict("Another agent is running for this task; stop it first.");
      if (operation !== null) return busy(operation);
      return { ...state, status: "active", session: "running", hasWorktree: true };

    case "ended":
      if (!isLive(session)) return stale;
      // A retry is "pending" from the moment it is accepted, so what ends is the previous session.
      if (operation === "archive" && session === "pending") return state;
      return {
        ...state,
        session: event.ok ? "done" : "failed",
        operation: operation === "archive" || operation === "restore" ? operation : null,
      };

    case "archived":
      // Only a retry has its next session already.
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

/** The event is about something that is over. Nobody sees this message. */
const stale: Rejection = conflict("That has already ended.");

const UNDER_WAY: Record<Operation, string> = {
  start: "The agent is starting. Wait a moment, or stop it first.",
  stop: "The agent is being stopped. Try again in a moment.",
  archive: "The last session is being archived. Try again in a moment.",
  restore: "A worktree is being restored. Try again in a moment.",
};

const busy = (operation: Operation): Rejection => ({ ...conflict(UNDER_WAY[operation]), busy: true });
