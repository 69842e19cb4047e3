// What a server that was killed has left half done and nobody carries on with, cleared away before anything else is.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sweepAdministrations, sweepUnfinished } from "../git/worktrees/unfinished.ts";
import { isRunningHost } from "../hosts/live-hosts.ts";
import type { RunDir } from "../hosts/run-dir.ts";
import type { Log } from "../log.ts";
import type { SessionPaths } from "./paths.ts";
import type { SessionRows } from "./store.ts";

interface SweepParts {
  root: string;
  /** Of all projects. */
  repositories: string[];
  rows: Pick<SessionRows, "operations">;
  paths: SessionPaths;
  runDir: RunDir;
  log: Log;
}

export async function sweep({ root, repositories, rows, paths, runDir, log }: SweepParts): Promise<void> {
  try {
    for (const folder of [root, runDir.path, paths.worktrees, ...foldersIn(paths.trashFolder)])
      removeHalfWritten(folder);
    removeHalfWrittenByHosts(runDir);
    for (const repository of repositories) await sweepAdministrations(repository, paths);
    const underWay = rows.operations().filter(({ kind }) => kind !== "stop");
    const wanted = new Set(underWay.map(({ taskId }) => taskId));
    const isWanted = (worktree: string) => wanted.has(worktree.split("-", 1)[0] ?? "");
    for (const branch of await sweepUnfinished(paths.worktrees, isWanted))
      log.info(`deleted the branch ${branch}: it was empty, and its worktree was never finished`);
  } catch (error) {
    log.error("clearing away what a killed server has left", error); // the next start tries again
  }
}

/** By the server alone, under names that nobody else uses; see writePrivate and writeRecord. */
const HALF_WRITTEN = /\.(json|last)\.new$|^token\.new$/;

function removeHalfWritten(folder: string): void {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name } of files) if (HALF_WRITTEN.test(name)) rmSync(join(folder, name));
}

/** A host that still runs may be about to rename its own. */
function removeHalfWrittenByHosts({ path, files }: RunDir): void {
  for (const name of readdirSync(path)) {
    const [, session, pid] = /^(\w+)\.(?:exit\.tmp|claim\.(\d+))$/.exec(name) ?? [];
    if (session === undefined) continue;
    const isWriting = pid === undefined ? isRunningHost(files(session).claim) : existsSync(`/proc/${pid}`);
    if (!isWriting) rmSync(join(path, name), { force: true });
  }
}

const foldersIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
