import { randomUUID } from "node:crypto";
import { newId } from "../../ids.ts";
import { topOf } from "../../tasks/position.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import { archiveDetail } from "../operations/archive.ts";
import type { StartDetail } from "../operations/start.ts";
import type { Change } from "../store.ts";
import { requireWorktreeThere } from "../worktree-there.ts";
import type { VerbParts } from "./parts.ts";
import { requireRoom, requireStartable } from "./preconditions.ts";

export type StartVerb = "start" | "resume" | "retry";

export interface StartOptions {
  /** Moves the card to Active in the same transaction. */
  activate?: boolean | undefined;
  /** Removes the lock that a git which was stopped has left in the worktree. */
  unlock?: boolean | undefined;
}

/**
 * Once it is answered there will be a session, whatever happens to this process or to the machine.
 */
export async function startSession(
  parts: VerbParts,
  taskId: string,
  verb: StartVerb,
  { activate = false, unlock = false }: StartOptions = {},
): Promise<TaskRow> {
  const { rows, tasks, operations, spareHost, checkpoint } = parts;
  const [looked] = await Promise.allSettled([requireStartable(parts, tasks.get(taskId), verb, unlock)]);
  tasks.get(taskId); // it may have been deleted meanwhile
  const host = verb === "retry" ? undefined : spareHost.take();
  const sessionId = host?.sessionId ?? newId();
  const accept = () =>
    rows.accept(taskId, { type: verb, activate }, (row, tx) => {
      parts.unknown.requireNone(taskId);
      // Only now, because a refusal by the state machine is the better answer.
      if (looked.status === "rejected") throw looked.reason;
      requireWorktreeThere(row);
      requireRoom(tx, parts.config.maxSessions, row.id);
      const { columns, detail } = newSession(row, verb, sessionId, unlock);
      const moved = row.status !== "active" && { position: topOf(tx, "active"), completedFrom: null };
      return { columns: { ...columns, ...moved }, detail };
    });
  let task: TaskRow;
  try {
    task = accept();
  } catch (error) {
    if (host !== undefined) spareHost.giveBack(host);
    throw error;
  }
  checkpoint(`${verb}:accepted`);
  void operations.beginStart(taskId, {
    host,
    survey: looked.status === "fulfilled" ? looked.value : undefined,
  });
  await rows.settled();
  return task;
}

function newSession(
  row: TaskRow,
  verb: StartVerb,
  sessionId: string,
  unlock: boolean,
): Required<Omit<Change, "step">> {
  const conversation = verb === "resume" ? row.agentSessionId : null;
  const next = { sessionId, agentSessionId: conversation ?? randomUUID() };
  if (verb === "retry" && (row.sessionStatus !== null || row.worktreePath !== null)) {
    return { columns: { sessionError: null, lastReply: null }, detail: { ...archiveDetail("retry"), next } };
  }
  return {
    columns: {
      ...next,
      sessionError: null,
      sessionStartedAt: new Date().toISOString(),
      ...(verb !== "resume" && { lastReply: null }),
    },
    detail: { resume: verb === "resume", before: row.sessionId, unlock } satisfies StartDetail,
  };
}
