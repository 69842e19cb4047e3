import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { DEPTH } from "../../support/depth.ts";
import { processesWith } from "../../support/processes.ts";
import { gitIn } from "../../support/repository.ts";
import { SessionBoard } from "../../support/sessions.ts";
import { TestViewer } from "../../support/viewer.ts";

setDefaultTimeout(180_000);

const SESSIONS = DEPTH.sessionsAtOnce;
const TALKING =
  'i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo "line $i of $BANTO_TASK_ID"; done; echo ready; exec sleep 1000';

test(`${SESSIONS} sessions are started, watched and stopped, and everything is as before`, async () => {
  await using board = await SessionBoard.startShipped();
  const { server } = board;
  const state = () => ({
    processes: processesWith(server.home).length,
    sockets: readdirSync(join(server.dataDir, "run")).filter((name) => name.endsWith(".sock")).length,
    worktrees: readdirSync(join(server.dataDir, "worktrees")).length,
  });
  // The first one opens what the server keeps open from then on.
  const first = await board.running();
  const hosts = [board.hostOf(first)];
  await board.act(first.id, "complete");
  await quiet(board, hosts);
  const before = state();
  const open = descriptors(server.pid);

  const tasks = await Promise.all(Array.from({ length: SESSIONS }, () => board.addTask(TALKING)));
  const answers = await Promise.all(tasks.map(({ id }) => board.act(id, "start")));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: SESSIONS }, () => 202));
  const viewers = tasks.map(({ id }) => TestViewer.open(server, id));
  await Promise.all(viewers.map((viewer) => viewer.sees("ready")));
  await Promise.all(
    tasks.map(async ({ id }) => {
      hosts.push(board.hostOf(await board.until(id, ({ sessionStatus }) => sessionStatus === "running")));
    }),
  );
  for (const [i, viewer] of viewers.entries()) {
    const lines = [...(viewer.text().match(/line \d+ of \w+/g) ?? [])];
    expect(lines).toEqual(Array.from({ length: 200 }, (_, n) => `line ${n + 1} of ${tasks[i]?.id}`));
  }
  const live = (await server.get<{ taskId: string; attachment: string }[]>("/api/sessions")).body;
  expect(live.length).toBe(SESSIONS);
  expect(live.every(({ attachment }) => attachment === "attached")).toBe(true);
  expect(state()).toMatchObject({ sockets: SESSIONS, worktrees: before.worktrees + SESSIONS });

  await Promise.all(tasks.map(({ id }) => board.act(id, "stop")));
  await Promise.all(tasks.map(({ id }) => board.ended(id)));
  await Promise.all(viewers.map((viewer) => viewer.expectClose(1000)));
  await quiet(board, hosts);
  expect(state()).toEqual({ ...before, worktrees: before.worktrees + SESSIONS });

  await Promise.all(tasks.map(({ id }) => board.act(id, "complete")));
  await quiet(board, hosts);
  expect(state()).toEqual(before);
  expect(descriptors(server.pid)).toEqual(open);
  const list = await gitIn(board.board.repository.path, "worktree", "list", "--porcelain");
  expect(list.match(/^worktree /gm)?.length).toBe(1);
});

/** What a process holds open, by kind; connections that clients keep for their next request left out. */
function descriptors(pid: number): Record<string, number> {
  const requests = readFileSync(`/proc/${pid}/net/tcp`, "utf8");
  const open: Record<string, number> = {};
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    const target = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode !== undefined && requests.includes(` ${inode} `)) continue;
    const kind = target.replace(/\d+/g, "");
    open[kind] = (open[kind] ?? 0) + 1;
  }
  return open;
}

/** The server and its spare host are left, and no host of a session is on its way out any more. */
async function quiet({ server }: SessionBoard, hosts: number[]): Promise<void> {
  const isOver = () =>
    processesWith(server.home).length === 2 &&
    !processesWith(server.home).some(({ pid }) => hosts.includes(pid)) &&
    readdirSync(join(server.dataDir, "run")).every((name) => !name.endsWith(".sock"));
  while (!isOver()) await Bun.sleep(20);
  await server.get("/api/health"); // by the time of its answer the server knows of their ends too
}

test("the server stops within five seconds while several sessions talk, and they go on", async () => {
  await using board = await SessionBoard.start();
  const tasks = await Promise.all(
    Array.from({ length: DEPTH.sessionsTalking }, () =>
      board.running('while :; do echo "$BANTO_TASK_ID"; sleep 0.02; done'),
    ),
  );
  await Promise.all(tasks.map(({ id }) => TestViewer.open(board.server, id).live()));
  const agents = () => tasks.map(({ id }) => board.agentsOf(id).map(({ pid }) => pid));
  const before = agents();
  const started = performance.now();
  expect(await board.server.kill("SIGTERM")).toBe(0);
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(agents()).toEqual(before);
  await board.server.restart();
  expect(agents()).toEqual(before);
  for (const { id, sessionId } of tasks) {
    expect(await board.task(id)).toMatchObject({ sessionStatus: "running", sessionId });
  }
});

test("a session that nobody watches ends after the grace period, and one that is watched does not", async () => {
  await using board = await SessionBoard.startHere({ PTY_ORPHAN_GRACE_PERIOD: "2" });
  const watched = await board.addTask();
  await board.act(watched.id, "start");
  using viewer = TestViewer.open(board.server, watched.id);
  await viewer.live();
  await board.until(watched.id, ({ sessionStatus }) => sessionStatus === "running");
  const alone = await board.addTask();
  await board.act(alone.id, "start");
  expect((await board.ended(alone.id)).sessionError).toContain("PTY_ORPHAN_GRACE_PERIOD");
  expect((await board.task(watched.id)).sessionStatus).toBe("running");
});

test("what a session showed last can still be looked at after its end, and after a restart", async () => {
  await using board = await SessionBoard.startHere();
  const { id } = await board.addTask('i=0; while [ $i -lt 50 ]; do i=$((i+1)); echo "line $i"; done; exit 4');
  await board.act(id, "start");
  await board.ended(id);
  const look = async () => {
    using viewer = TestViewer.open(board.server, id);
    await viewer.expectClose(1000);
    return viewer.text();
  };
  const shown = await look();
  expect([...(shown.match(/line \d+/g) ?? [])]).toEqual(
    Array.from({ length: 50 }, (_, i) => `line ${i + 1}`),
  );
  await board.server.restart();
  expect(await look()).toBe(shown);
  const { status, body } = await board.server.get<{ text: string }>(`/api/tasks/${id}/terminal/screen`);
  expect(status).toBe(200);
  expect(body.text).toContain("line 50");
  const { sessionId } = await board.task(id);
  await board.act(id, "complete");
  expect(existsSync(join(board.server.dataDir, "run", `${sessionId}.last`))).toBe(false);
});
