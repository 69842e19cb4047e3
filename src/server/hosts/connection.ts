// Connections to session hosts, and what hosts tell over them.

import { type ClientHandlers, connectHost, type HostClient } from "../../host/client/connect.ts";
import * as frames from "../../host/protocol/frames.ts";
import type { AttachRequest, HostEvent, Screen, Signal, Size, Status } from "../../host/protocol/messages.ts";
import type { SignalSpec } from "../../host/protocol/spec.ts";
import * as spec from "../../host/protocol/spec.ts";
import { DomainError } from "../errors.ts";

export type { AttachRequest, HostEvent, Screen, Signal, SignalSpec, Size };
export type HostConnection = HostClient;
export type HostHandlers = ClientHandlers;
export type HostStatus = Status;

export const { ACK_WINDOW, MAX_INPUT } = frames;
export const { isSize } = spec;

/** With `attach`, the terminal's output begins at once. */
export const connect = connectHost;

/** Where a session's terminal can be reached. */
export interface TerminalAddress {
  sessionId: string;
  socketPath: string;
  /** What it showed last, once it has ended. */
  lastPath?: string;
  /** The session is being started: its host will be there soon. */
  isComing: boolean;
}

const ANSWER_MS = 10_000;

/** One question, over a connection of its own. */
export async function askHost<T>(
  address: TerminalAddress,
  question: (host: HostConnection) => Promise<T>,
): Promise<T> {
  const host = await reach(address);
  try {
    return await within(ANSWER_MS, question(host));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError("conflict", "The terminal does not answer; try again, or stop the session.");
  } finally {
    host.close();
  }
}

async function reach({ socketPath, isComing }: TerminalAddress): Promise<HostConnection> {
  try {
    return await connectHost(socketPath);
  } catch {
    throw new DomainError(
      "conflict",
      isComing
        ? "The session is still being started; try again in a moment."
        : "The session has ended and its terminal is gone.",
    );
  }
}

/** Rejects when the answer takes too long; what was asked may still be done. */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
