import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { processesWith } from "../../support/processes.ts";
import { SessionBoard } from "../../support/sessions.ts";

setDefaultTimeout(60_000);

/** Every host there is, with or without a session. */
const hosts = ({ server }: SessionBoard) =>
  processesWith(server.home)
    .filter(({ command }) => /\/host\/\w+\/main\.js/.test(command))
    .map(({ pid }) => pid);

async function spareOf(board: SessionBoard, except: number[] = []): Promise<number> {
  for (;;) {
    const [spare] = hosts(board).filter((pid) => !except.includes(pid));
    if (spare !== undefined) return spare;
    await Bun.sleep(10);
  }
}

test("a host is kept ready: it is no session, runs the next one, and is replaced", async () => {
  await using board = await SessionBoard.startShipped();
  const spare = await spareOf(board);
  expect((await board.server.get("/api/sessions")).body).toEqual([]);
  expect(readdirSync(join(board.server.dataDir, "run"))).toEqual([]);

  const task = await board.running();
  expect(board.hostOf(task)).toBe(spare);
  expect(board.agentsOf(task.id)).toHaveLength(1);
  const next = await spareOf(board, [spare]);
  const other = await board.running();
  expect(board.hostOf(other)).toBe(next);
});

test("a start that is refused leaves the spare where it is", async () => {
  await using board = await SessionBoard.startShipped({ BANTO_MAX_SESSIONS: "1" });
  const first = await board.running();
  const spare = await spareOf(board, [board.hostOf(first)]);
  const second = await board.addTask();
  expect((await board.act(second.id, "start")).status).toBe(429);
  await board.act(first.id, "complete");
  await board.act(second.id, "start");
  const task = await board.until(second.id, ({ sessionStatus }) => sessionStatus === "running");
  expect(board.hostOf(task)).toBe(spare);
});

test("a spare that was killed is done without", async () => {
  await using board = await SessionBoard.startShipped();
  process.kill(await spareOf(board), "SIGKILL");
  const task = await board.running();
  expect(board.agentsOf(task.id)).toHaveLength(1);
});

test("a host that can't be started at all fails the session, which says why", async () => {
  // With a runtime of its own, that can be taken away.
  const own = ["sh", "-ec", 'cp "$1" "$HOME/runtime"; shift; exec "$HOME/runtime" "$@"', "sh"];
  await using board = await SessionBoard.startShipped({}, own);
  await spareOf(board);
  rmSync(join(board.server.home, "runtime"));
  await board.running(); // in the spare one
  const { id } = await board.addTask();
  await board.act(id, "start");
  const { sessionStatus, sessionError } = await board.ended(id);
  expect(sessionStatus).toBe("failed");
  expect(sessionError).toContain("ENOENT");
});

test.each(["SIGKILL", "SIGTERM"] as const)(
  "after %s to the server it goes too; a session stays",
  async (signal) => {
    await using board = await SessionBoard.startShipped();
    const task = await board.running();
    const host = board.hostOf(task);
    await spareOf(board, [host]);
    await board.server.kill(signal);
    while (hosts(board).length > 1) await Bun.sleep(10);
    expect(hosts(board)).toEqual([host]);
  },
);
