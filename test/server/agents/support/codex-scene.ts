// A session of Codex's as its app-server was recorded to tell of one, and a clock that goes on with everything told.
import { createCodexReader } from "../../../../src/server/agents/codex/reader.ts";
import type { Reader } from "../../../../src/server/agents/reading.ts";
import { screen } from "./screens.ts";

export const THREAD = "01a1f215-780d";
const START = 1_795_062_800_000;

export class CodexScene {
  now = START;
  readonly reader: Reader;
  private requests = 0;

  constructor({ prompted = true } = {}) {
    this.reader = createCodexReader({ prompted, note: null, at: START });
  }

  private get later() {
    this.now += 10;
    return this.now;
  }

  channel(body: object) {
    this.reader.observe({ type: "note", source: "channel", body, at: this.later });
    return this;
  }

  said(method: string, params: object, id?: number) {
    const body = { method, params, ...(id !== undefined && { id }) };
    this.reader.observe({ type: "note", source: "app-server", body, at: this.later });
    return this;
  }

  told(state: "idle" | "working" | "done" | "blocked", kind: "permission" | null = null) {
    const report = { id: "", state, kind, app: "codex", progress: null, title: null, message: null };
    const at = this.later;
    this.reader.observe({ type: "program", reports: [{ ...report, at, serial: at }], at });
    return this;
  }

  shows(text: string) {
    this.reader.observe({ type: "screen", screen: screen(text), quiet: true, at: this.later });
    return this;
  }

  connected() {
    const thread = { id: THREAD, ephemeral: false, parentThreadId: null };
    return this.channel({ type: "connected", version: "0.169.0" }).channel({
      type: "thread",
      thread,
      model: "gpt-6-sol",
    });
  }

  began(threadId = THREAD) {
    return this.said("turn/started", { threadId, turn: { id: "turn-1", status: "inProgress" } });
  }

  status(activeFlags: string[] = [], type = "active", threadId = THREAD) {
    return this.said("thread/status/changed", { threadId, status: { type, activeFlags } });
  }

  over(turn: object = { status: "completed" }, threadId = THREAD) {
    return this.said("turn/completed", { threadId, turn: { id: "turn-1", items: [], error: null, ...turn } });
  }

  asks(command: string, threadId = THREAD, more: object = {}) {
    const params = { kind: "command", threadId, turnId: "turn-1", itemId: `call_${++this.requests}` };
    const line = `/bin/bash -lc '${command}'`;
    const all = { ...params, reason: null, command: line, cwd: "/repo", ...more };
    return this.said("item/commandExecution/requestApproval", all, this.requests);
  }

  get reading() {
    return this.reader.read(this.now);
  }
}

export const failed = (codexErrorInfo: unknown, message = "It went wrong.") => ({
  status: "failed",
  error: { message, codexErrorInfo, additionalDetails: null },
});
