import type { Actor } from "../../../contract.ts";
import type { Channel } from "../../agents/channel.ts";
import type { Answer, Delivery, KeyStep } from "../../agents/reading.ts";
import { DomainError } from "../../errors.ts";
import { type HostConnection, within } from "../../hosts/connection.ts";
import type { TaskRow } from "../../tasks/task-row.ts";
import type { SessionParts } from "../parts.ts";
import { typeSteps } from "./type-steps.ts";

const CATCH_UP_MS = 5_000;

type Parts = Pick<SessionParts, "watch" | "readings" | "channels" | "typing" | "audit" | "trail">;

/** Answers a task's ask without its terminal. The first answer wins. What is answered is written down first. */
export async function answerAgent(
  parts: Parts,
  { id: taskId, projectId, asks, sessionId }: Pick<TaskRow, "id" | "projectId" | "asks" | "sessionId">,
  answer: Answer,
  who: Actor,
): Promise<void> {
  const { watch, readings, channels, audit, trail } = parts;
  const host = watch.host(sessionId ?? "");
  if (sessionId === null || host === undefined || asks?.id !== answer.ask) throw tooLate();
  await caughtUp(channels.of(sessionId));
  const delivery = readings.answer(sessionId, answer);
  const entry = { who, taskId, projectId };
  const { id } = audit.add({ ...entry, action: "answer", detail: { ...answer, ask: asks } });
  if (!(await deliver(parts, sessionId, host, answer.ask, delivery))) {
    audit.add({ ...entry, action: "answer_too_late", detail: { entry: id } });
    trail.over(taskId, asks, false);
    throw tooLate();
  }
  // The host itself reports the answers to asks that it holds.
  if (delivery.via === "signal") return;
  readings.observe({ taskId, sessionId }, { type: "over", ask: answer.ask, how: "answered", at: Date.now() });
}

/** Right after a restart the row knows of an ask before the agent has told it again. */
async function caughtUp(channel: Channel | undefined): Promise<void> {
  if (channel?.ready !== undefined) await within(CATCH_UP_MS, channel.ready).catch(() => {}); // answering will tell
}

/** False when it comes too late. A host or channel that is gone takes no answers. */
async function deliver(
  { channels, typing }: Parts,
  sessionId: string,
  host: HostConnection,
  ask: string,
  delivery: Delivery,
): Promise<boolean> {
  if (delivery.via === "signal") return host.answer(ask, delivery.body).catch(() => false);
  if (delivery.via === "keys") return typing.run(sessionId, () => typeSteps(host, delivery.steps));
  return (await channels.of(sessionId)?.answer?.(delivery.body)) ?? false;
}

/** Presses what needs no person, unless it is not on the screen any more. */
export function pressKeys(
  {
    watch,
    typing,
    log,
  }: Pick<SessionParts, "typing" | "log"> & { watch: Pick<SessionParts["watch"], "host"> },
  sessionId: string,
  steps: readonly KeyStep[],
): void {
  const host = watch.host(sessionId);
  if (host === undefined) return;
  const pressed = typing.run(sessionId, () => typeSteps(host, steps));
  pressed.catch((error) => log.error("answering a dialog about banto's own settings", error));
}

const tooLate = () => new DomainError("conflict", "That was already answered, or is no longer being asked.");

/** Tells the host that it no longer has to hold open an ask that was answered elsewhere. */
export function releaseAsk(watch: Pick<SessionParts["watch"], "host">, sessionId: string, ask: string): void {
  const released = watch.host(sessionId)?.answer(ask, null);
  released?.catch(() => {}); // the host is gone, and so is what it held open
}
