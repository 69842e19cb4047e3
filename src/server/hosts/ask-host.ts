// One question to a session's host, with an end to every wait.
import { connectHost, type HostClient } from "../../host/client.ts";
import { DomainError } from "../errors.ts";
import type { Place } from "../sessions/viewers/find-terminal.ts";

const DEADLINE_MS = 10_000;
/** Longer than a host tries for. */
export const STOP_LIMIT_MS = 12_000;

export async function askHost<T>(place: Place, question: (host: HostClient) => Promise<T>): Promise<T> {
  const host = await reach(place);
  try {
    return await within(DEADLINE_MS, question(host));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError("conflict", "The terminal does not answer; try again, or stop the session.");
  } finally {
    host.close();
  }
}

async function reach({ socketPath, isComing }: Place): Promise<HostClient> {
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

/** Nobody answered in time. */
export class Late extends Error {}

/** Rejects when the answer takes too long; what was asked may still be answered, unheard. */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Late(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
