// What thirty agents that talk all the time cost the board: how long a list takes, how late an event
// comes, and what each session adds to the server.
import { readFileSync } from "node:fs";
import { SessionBoard } from "../../test/support/sessions.ts";
import { median, quantile, type Row, timings } from "../row.ts";

const SESSIONS = 30;
const TALKING = 'while :; do echo "working on $BANTO_TASK_ID, $(date +%N)"; sleep 0.1; done';

const memory = (pid: number) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;

async function eventDelays(board: SessionBoard, taskId: string, count: number): Promise<number[]> {
  using events = await board.server.events();
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const title = `: title ${i}`;
    const started = performance.now();
    const seen = events.until(({ type, data }) => type === "task" && data.title === title);
    await board.server.patch(`/api/tasks/${taskId}`, { title });
    await seen;
    times.push(performance.now() - started);
  }
  return times;
}

export async function measureBusy(): Promise<Row[]> {
  await using board = await SessionBoard.start();
  const { id } = await board.addTask();
  const list = () => timings(60, () => board.server.get("/api/tasks"));
  const quietList = await list();
  const quietEvents = await eventDelays(board, id, 60);
  const before = memory(board.server.pid);
  await Promise.all(Array.from({ length: SESSIONS }, () => board.running(TALKING)));
  const busyList = await list();
  const busyEvents = await eventDelays(board, id, 60);
  const sessions = await timings(20, () => board.server.get("/api/sessions"));
  const after = memory(board.server.pid);
  const against = "the same board with none";
  return [
    {
      name: `list with ${SESSIONS} busy sessions, median`,
      value: median(busyList),
      unit: "ms",
      ratio: median(busyList) / median(quietList),
      against,
    },
    {
      name: `change to its event with ${SESSIONS} busy sessions, median`,
      value: median(busyEvents),
      unit: "ms",
      ratio: median(busyEvents) / median(quietEvents),
      against,
    },
    {
      name: `change to its event with ${SESSIONS} busy sessions, p95`,
      value: quantile(busyEvents, 0.95),
      unit: "ms",
      ratio: quantile(busyEvents, 0.95) / quantile(quietEvents, 0.95),
      against,
    },
    { name: `list of ${SESSIONS} live sessions, median`, value: median(sessions), unit: "ms" },
    { name: "server memory per session", value: (after - before) / SESSIONS, unit: "MB" },
  ];
}
