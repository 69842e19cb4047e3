// Connections to session hosts, and what hosts report over them.

import { type ClientHandlers, connectHost, type HostClient } from "../../host/client/connect.ts";
import { isHeld } from "../../host/protocol/claim.ts";
import * as frames from "../../host/protocol/frames.ts";
import type {
  AttachRequest,
  HostEvent,
  Program,
  Screen,
  Signal,
  Size,
  Status,
} from "../../host/protocol/messages.ts";
import type { SignalSpec } from "../../host/protocol/spec.ts";
import * as spec from "../../host/protocol/spec.ts";
import { DomainError } from "../errors.ts";
import { type HostTrouble, refusalOf, troubleInWords } from "./host-trouble.ts";

export type { AttachRequest, HostEvent, Program, Screen, Signal, SignalSpec, Size };
export type HostConnection = HostClient;
export type HostHandlers = ClientHandlers;
export type HostStatus = Status;

export const { MAX_INPUT } = frames;
export const { isSize } = spec;

/** With `attach`, the terminal's output begins at once. */
export const connect = connectHost;

/** Where a session's terminal can be reached. */
export interface TerminalAddress {
  sessionId: string;
  socketPath: string;
  /** The file with its last output, once the program has ended. */
  lastPath?: string;
  /** The session is being started, so its host will be there soon. */
  isComing: boolean;
  claimPath: string;
  what: "agent" | "shell";
  /** Why its host can't be used although it is running, if known. */
  trouble: HostTrouble | undefined;
}

/** Why a terminal can't be shown when its host could not be reached; undefined if the host is gone. */
export function whyUnreachable(
  { claimPath, what, trouble }: TerminalAddress,
  failure?: unknown,
): string | undefined {
  const known = trouble ?? refusalOf(failure) ?? (isHeld(claimPath) ? "silent" : undefined);
  return known && troubleInWords(known, what);
}

const ANSWER_MS = 10_000;

/** One question, over a connection of its own. */
export async function askHost<T>(
  address: TerminalAddress,
  question: (host: HostConnection) => Promise<T>,
  patienceMs = ANSWER_MS,
): Promise<T> {
  if (address.trouble !== undefined) throw new DomainError("conflict", whyUnreachable(address) ?? "");
  const host = await reach(address);
  try {
    return await within(patienceMs, question(host));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError("conflict", "The terminal isn't answering; try again, or stop the session.");
  } finally {
    host.close();
  }
}

async function reach(address: TerminalAddress): Promise<HostConnection> {
  try {
    return await connectHost(address.socketPath);
  } catch (error) {
    throw new DomainError(
      "conflict",
      address.isComing
        ? "The session is still being started; try again in a moment."
        : (whyUnreachable(address, error) ?? "The session has ended and its terminal is gone."),
    );
  }
}

/** Rejects if the answer takes too long. The request may still be carried out. */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
