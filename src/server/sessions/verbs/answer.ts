import type { Answer } from "../../agents/reading.ts";
import { DomainError } from "../../errors.ts";
import type { TaskRow } from "../../tasks/tasks.ts";
import type { SessionParts } from "../parts.ts";

/** Answers what a task's agent asks, in its terminal's stead; whoever is first wins. */
export async function answerAgent(
  { watch, readings }: Pick<SessionParts, "watch" | "readings">,
  { asks, sessionId }: TaskRow,
  answer: Answer,
): Promise<void> {
  const host = watch.host(sessionId ?? "");
  if (sessionId === null || host === undefined || asks?.id !== answer.ask) throw tooLate();
  const body = readings.answer(sessionId, answer);
  const isTaken = await host.answer(answer.ask, body).catch(() => false); // a host that has gone takes nothing
  if (!isTaken) throw tooLate();
}

const tooLate = () => new DomainError("conflict", "That was already answered, or is no longer being asked.");

/** What was answered elsewhere need not be held open any longer. */
export function releaseAsk(watch: Pick<SessionParts["watch"], "host">, sessionId: string, ask: string): void {
  const released = watch.host(sessionId)?.answer(ask, null);
  released?.catch(() => {}); // then the host has gone, and holds nothing either
}
