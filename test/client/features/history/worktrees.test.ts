import { expect, test } from "bun:test";
import { byWorktree } from "../../../../src/client/features/history/worktrees.ts";
import type { SessionLog } from "../../../../src/client/shared/api/rows.ts";

const log = (id: string, fields: Partial<SessionLog>): SessionLog => ({
  id,
  taskId: "t",
  sessionId: id,
  startedAt: "2026-01-01T00:00:00.000Z",
  endedAt: "2026-01-01T00:01:00.000Z",
  exitStatus: "done",
  error: null,
  branch: "b",
  agentSessionId: null,
  exitCode: 0,
  exitSignal: null,
  lastReply: null,
  costUsd: null,
  model: null,
  archivedAt: null,
  archiveNumber: null,
  archivedFor: null,
  snapshotRef: null,
  trash: null,
  purgedAt: null,
  ...fields,
});

const away = (day: number) => ({
  archivedAt: `2026-01-0${day}T00:00:00.000Z`,
  snapshotRef: `refs/banto/t/${day}`,
});

test("sessions that worked in one worktree stand together, and it says where it is", () => {
  const found = byWorktree(
    [
      log("6", { branch: "b-3" }),
      log("5", { branch: "b-3" }),
      log("4", { branch: "b-2", ...away(2), trash: "folder" }),
      log("3", { branch: "b", ...away(1), purgedAt: "2026-02-01T00:00:00.000Z" }),
      log("2", { branch: "b", ...away(1), purgedAt: "2026-02-01T00:00:00.000Z" }),
      log("1", { branch: null, exitStatus: "failed", error: "no worktree" }),
    ],
    [],
  );
  expect(found.map(({ logId, place, sessions }) => [logId, place.kind, sessions.length])).toEqual([
    ["6", "here", 2],
    ["4", "trash", 1],
    ["3", "snapshot", 2],
    ["1", "none", 1],
  ]);
});

test("one that was brought back beside the task's own, and one deleted for good, are told apart", () => {
  const kinds = byWorktree(
    [
      log("2", { ...away(2) }),
      log("1", { ...away(1), snapshotRef: null, purgedAt: "2026-01-03T00:00:00.000Z" }),
    ],
    [],
  ).map(({ place }) => place.kind);
  expect(kinds).toEqual(["beside", "deleted"]);
});

test("how long one stays in the trash is what the trash says, and when it was purged is told", () => {
  const trash = [
    { id: "kept", purgesAt: null, kept: "snapshot_gone" as const },
    { id: "goes", purgesAt: "2026-02-01T00:00:00.000Z", kept: null },
  ];
  const places = byWorktree(
    [
      log("4", { ...away(4), trash: "kept" }),
      log("3", { ...away(3), trash: "goes" }),
      log("2", { ...away(2), trash: "not listed yet" }),
      log("1", { ...away(1), purgedAt: "2026-02-01T00:00:00.000Z" }),
    ],
    trash,
  ).map(({ place }) => place);
  expect(places).toEqual([
    { kind: "trash", entry: trash[0] },
    { kind: "trash", entry: trash[1] },
    { kind: "trash", entry: undefined },
    { kind: "snapshot", purgedAt: "2026-02-01T00:00:00.000Z" },
  ]);
});
