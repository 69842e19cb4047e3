// What a task is, as far as the random walk has to know: what each request must be answered, and what is true then.

import type { Ask, Column } from "./walk-steps.ts";

/** A worktree and what was done in it. */
export interface Work {
  sessions: string[];
  /** Those that have left their names, in order. */
  trail: string[];
}

export interface Model {
  id: string;
  status: Column;
  session: "running" | "done" | "failed" | null;
  isDeleted: boolean;
  /** In its place. */
  work: Work | null;
  /** Put away, oldest first. */
  archived: Work[];
}

export const newWork = (): Work => ({ sessions: [], trail: [] });

/** What a request must be answered. */
export function answerTo(ask: Ask, { status, session, isDeleted, work }: Model): number {
  const isLive = session === "running";
  if (isDeleted) return 404;
  if (ask === "complete") return 200;
  if (ask === "stop") return isLive ? 202 : 409;
  if (ask === "resume" && isLive) return 409;
  if (status !== "active") return 422;
  if (ask === "start") return session === null ? 202 : 409;
  if (ask === "resume") return work === null ? 422 : 202;
  return 202;
}

/** What is true once it has been carried out; the work of a session that begins is completed afterwards. */
export function carryOut(ask: Ask, model: Model): void {
  if (ask === "stop") model.session = "failed";
  if (ask === "retry" || ask === "complete") {
    putAway(model);
    model.session = null;
  }
  if (ask === "complete") model.status = "done";
  if (ask === "start" || ask === "resume" || ask === "retry") {
    model.session = "running";
    model.work ??= newWork();
  }
}

export function putAway(model: Model) {
  if (model.work !== null) model.archived.push(model.work);
  model.work = null;
}
