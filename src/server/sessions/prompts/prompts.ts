// The prompts that people have written for agents: each waits in its task's row until the agent can take it, is typed
// once, and stays in the row if nobody can tell that it arrived. The only writer of that column.

import { eq, isNotNull } from "drizzle-orm";
import { isLive, LIMITS, type PromptState, type QueuedPrompt } from "../../../contract.ts";
import type { Store } from "../../../db/open.ts";
import { tasks as table } from "../../../db/schema.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { Events } from "../../events/events.ts";
import { newId } from "../../ids.ts";
import type { Log } from "../../log.ts";
import { readTask, type TaskRow } from "../../tasks/task-row.ts";
import type { Tasks } from "../../tasks/tasks.ts";
import { requireText } from "../../text.ts";
import { updatedAfter } from "../../updated-at.ts";
import type { Runner } from "../runner.ts";
import type { TerminalFinder } from "../viewers/find-terminal.ts";
import { promptGuard } from "../viewers/prompt-guard.ts";
import type { Terminals } from "../viewers/terminals.ts";
import { Held, LeftBehind, NotTaken } from "../viewers/type-prompt.ts";
import { isSent, isWaiting, mayGo } from "./turn.ts";

export type Prompts = ReturnType<typeof createPrompts>;

interface PromptsParts {
  store: Store;
  events: Events;
  tasks: Pick<Tasks, "get">;
  runner: Pick<Runner, "reading" | "box" | "prompter">;
  finder: TerminalFinder;
  terminals: Pick<Terminals, "prompt" | "findOut">;
  log: Log;
  checkpoint(step: string): void;
}

/** While one waits and nothing new is heard of its agent. */
const LOOK_AGAIN_MS = 500;
/** By then an agent has said that it took what was typed before banto was stopped. */
const FOUND_OUT_MS = 3_000;

const STOPPED =
  "banto was stopped while it was being sent. Look at the conversation before you send it again.";
const ENDED = "The session ended while it was being sent.";

export function createPrompts(parts: PromptsParts) {
  const { store, events, tasks, runner, finder, terminals, log, checkpoint } = parts;
  const read = readTask(store.root);
  /** Tasks with a prompt that goes out by itself. */
  const waiting = new Set<string>();
  const underWay = new Set<string>();
  const timers = new Map<string, Timer>();
  let isOver = false;

  function change(taskId: string, edit: (prompts: QueuedPrompt[]) => QueuedPrompt[]): TaskRow {
    const changed = store.write((tx) => {
      const task = tx.select().from(table).where(eq(table.id, taskId)).get();
      if (task === undefined) throw notFound("task", taskId);
      const prompts = edit(task.prompts ?? []);
      const written = tx
        .update(table)
        .set({ prompts: prompts.length === 0 ? null : prompts, updatedAt: updatedAfter(task) })
        .where(eq(table.id, taskId))
        .returning()
        .get();
      return read(written);
    });
    events.publish("task", changed);
    return changed;
  }

  const setState = (
    taskId: string,
    id: string,
    state: PromptState,
    reason: string | null = null,
    more: Partial<QueuedPrompt> = {},
  ) =>
    change(taskId, (all) =>
      all.map((one) =>
        one.id === id ? { ...one, state, reason, at: new Date().toISOString(), ...more } : one,
      ),
    );

  function find(taskId: string): TaskRow | undefined {
    const row = store.db.select().from(table).where(eq(table.id, taskId)).get();
    return row && read(row);
  }

  function requirePrompt(taskId: string, id: string): QueuedPrompt {
    const found = tasks.get(taskId).prompts?.find((one) => one.id === id && !isSent(one));
    if (found === undefined) throw notFound("prompt", id);
    if (found.state === "typing" && underWay.has(taskId))
      throw new DomainError("conflict", "It is being typed at this moment.");
    return found;
  }

  function goOn(taskId: string) {
    waiting.add(taskId);
    wake(taskId);
  }

  /** Looks whether the first one can go out, now or later. */
  function wake(taskId: string) {
    if (isOver || !waiting.has(taskId) || underWay.has(taskId)) return;
    clearTimeout(timers.get(taskId));
    underWay.add(taskId);
    advance(taskId)
      .catch((error) => log.error("sending a prompt", error))
      .finally(() => {
        underWay.delete(taskId);
        if (isOver || !waiting.has(taskId)) return;
        const timer = setTimeout(() => wake(taskId), LOOK_AGAIN_MS);
        timer.unref();
        timers.set(taskId, timer);
      });
  }

  async function advance(taskId: string): Promise<void> {
    const task = find(taskId);
    const first = task?.prompts?.find((one) => !isSent(one));
    if (task === undefined || first === undefined || !isWaiting(first)) {
      waiting.delete(taskId);
      return;
    }
    if (first.sessionId !== task.sessionId || !isLive(task.sessionStatus)) {
      waiting.delete(taskId);
      if (first.state === "typing") setState(taskId, first.id, "unsure", ENDED);
      return;
    }
    const reading = runner.reading(first.sessionId);
    if (reading === undefined || task.sessionOperation !== null) return;
    if (first.state === "typing") await settle(taskId, first);
    else if (mayGo(first, reading, task.prompts?.find(isSent), Date.now())) await send(taskId, first);
  }

  async function send(taskId: string, { id, text, sessionId, reason }: QueuedPrompt): Promise<void> {
    const guard = promptGuard(parts, taskId);
    let hasBegun = false;
    const begin = () => {
      setState(taskId, id, "typing");
      hasBegun = true;
      checkpoint("prompt:typing");
    };
    try {
      const hand = runner.prompter(sessionId, text);
      if (hand === undefined)
        sent(taskId, id, await terminals.prompt(finder.require(taskId), text, { ...guard, begin }));
      else {
        guard.check();
        begin();
        await hand(text);
        sent(taskId, id, "accepted");
      }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { message } = error;
      if (error instanceof LeftBehind) setState(taskId, id, "typing", message);
      else if (error instanceof NotTaken) setState(taskId, id, "refused", message);
      else if (hasBegun && !(error instanceof Held)) setState(taskId, id, "unsure", message);
      else if (hasBegun || reason !== message) setState(taskId, id, "queued", message);
    }
  }

  /** The receipt takes the place of the one before. */
  function sent(taskId: string, id: string, state: "accepted" | "typed") {
    checkpoint("prompt:sent");
    const at = new Date().toISOString();
    change(taskId, (all) =>
      all
        .filter((one) => !isSent(one))
        .map((one) =>
          one.id === id
            ? { ...one, text: one.text.slice(0, LIMITS.sentPrompt), state, at, reason: null }
            : one,
        ),
    );
  }

  /** One that was being typed when it was lost sight of. */
  async function settle(taskId: string, { id, text, at, reason }: QueuedPrompt): Promise<void> {
    const since = Date.parse(at);
    if (Date.now() - since < FOUND_OUT_MS) return;
    try {
      const guard = promptGuard(parts, taskId);
      const found = await terminals.findOut(finder.require(taskId), text, guard, since);
      if (found === "accepted") sent(taskId, id, "accepted");
      else if (found === "left") setState(taskId, id, "queued");
      else setState(taskId, id, "unsure", reason ?? STOPPED);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (reason !== error.message) setState(taskId, id, "typing", error.message, { at });
    }
  }

  return {
    wake,

    list: (taskId: string): QueuedPrompt[] => tasks.get(taskId).prompts ?? [],

    add(taskId: string, text: string): TaskRow {
      requireText("text", text);
      if (text.trim() === "") throw new DomainError("invalid", "text: must not be empty.");
      const { sessionId, sessionStatus } = tasks.get(taskId);
      if (sessionId === null || !isLive(sessionStatus))
        throw new DomainError("conflict", "The task has no running session. Start or resume it first.");
      const prompt: QueuedPrompt = {
        ...{ id: newId(), sessionId, text, state: "queued", reason: null, at: new Date().toISOString() },
        // Whoever writes to one in trouble has seen it.
        ...(isStuck(sessionId) && { now: true }),
      };
      const task = change(taskId, (all) => requireRoom([...all, prompt]));
      goOn(taskId);
      return task;
    },

    /** Takes it back. */
    remove(taskId: string, id: string): TaskRow {
      requirePrompt(taskId, id);
      const task = change(taskId, (all) => all.filter((one) => one.id !== id));
      goOn(taskId);
      return task;
    },

    /** Sends it to the session that runs now, without waiting for the end of its turn. */
    sendNow(taskId: string, id: string): TaskRow {
      requirePrompt(taskId, id);
      const { sessionId, sessionStatus } = tasks.get(taskId);
      if (sessionId === null || !isLive(sessionStatus))
        throw new DomainError("conflict", "The task has no running session. Start or resume it first.");
      const task = change(taskId, (all) => {
        const at = new Date().toISOString();
        const first = all.filter((one) => isSent(one) || (one.state === "typing" && one.id !== id));
        const rest = all.filter((one) => one.id !== id && !first.includes(one));
        const next = all.filter((one) => one.id === id);
        const sending = { state: "queued", reason: null, at, sessionId, now: true } as const;
        return [...first, ...next.map((one) => ({ ...one, ...sending })), ...rest];
      });
      goOn(taskId);
      return task;
    },

    /** After a start of banto. */
    recover() {
      const rows = store.db.select().from(table).where(isNotNull(table.prompts)).all();
      for (const { id, prompts } of rows) if (prompts?.some(isWaiting)) waiting.add(id);
      for (const id of waiting) wake(id);
    },

    dispose() {
      isOver = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };

  function isStuck(sessionId: string): boolean {
    const reading = runner.reading(sessionId);
    return reading?.intake === "open" && (reading.kind === "trouble" || reading.kind === "limited");
  }
}

function requireRoom(prompts: QueuedPrompt[]): QueuedPrompt[] {
  const open = prompts.filter((one) => !isSent(one));
  if (open.length > LIMITS.promptsPerTask)
    throw new DomainError(
      "too_many",
      `${LIMITS.promptsPerTask} prompts are waiting already. Discard one first.`,
    );
  if (open.reduce((sum, { text }) => sum + text.length, 0) > LIMITS.input)
    throw new DomainError(
      "too_large",
      "The prompts that are waiting are too long together. Discard one first.",
    );
  return prompts;
}
