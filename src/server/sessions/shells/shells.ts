// The extra terminals of tasks. They have session hosts like agents do, so they outlive the server too, but they are
// not in the database.

import { LIMITS } from "../../../contract.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { Events } from "../../events/events.ts";
import type { TerminalAddress } from "../../hosts/connection.ts";
import { endByForce } from "../../hosts/end-host.ts";
import { PATIENCE_AT_START_MS } from "../../hosts/host-watcher.ts";
import { isRunningHost } from "../../hosts/live-hosts.ts";
import type { RunDir } from "../../hosts/run-dir.ts";
import { taskOfSession } from "../../hosts/session-owner.ts";
import { newId } from "../../ids.ts";
import { keepTrying } from "../../keep-trying.ts";
import type { Log } from "../../log.ts";
import { requireLine } from "../../text.ts";
import { Shell, type ShellRow } from "./shell.ts";
import { readShells, type ShellRecord, writeShell } from "./shell-files.ts";

/** How long to wait for a host that has just been started. */
const PATIENCE_MS = 5_000;

interface ShellsParts {
  runDir: RunDir;
  events: Events;
  log: Log;
  /** Starts a shell's host. Throws if the task has no worktree, or one that is about to move. */
  launch(taskId: string, shellId: string): Promise<void>;
  /** Throws like `launch`. */
  requireWorktree(taskId: string): void;
}

export type Shells = ReturnType<typeof createShells>;

export function createShells({ runDir, events, log, launch, requireWorktree }: ShellsParts) {
  const shells = new Map<string, Shell>();
  /** Shells that are being started, by their records. */
  const starting = new Map<ShellRecord, Promise<ShellRow>>();
  /** Shells that may turn out to be gone. */
  const opening = new Set<Shell>();

  const ofTask = (taskId: string) =>
    shells
      .values()
      .filter(({ record }) => record.taskId === taskId)
      .toArray()
      .sort((a, b) => a.record.order - b.record.order || (a.record.id < b.record.id ? -1 : 1));
  const startingFor = (taskId: string) =>
    starting
      .entries()
      .filter(([record]) => record.taskId === taskId)
      .toArray();
  const require = (taskId: string, id: string): Shell => {
    const shell = shells.get(id);
    if (shell === undefined || shell.record.taskId !== taskId) throw notFound("shell", id);
    return shell;
  };
  const publish = (row: ShellRow, deletedAt: string | null = null) =>
    events.publish("session", { kind: "shell", ...row, deletedAt });
  const changed = async (id: string) => {
    const row = await shells.get(id)?.row();
    if (row !== undefined && shells.has(id)) publish(row);
  };
  function forget(shell: Shell) {
    const { id } = shell.record;
    if (shells.get(id) !== shell) return;
    shells.delete(id);
    runDir.forget(id);
    publish(shell.lastRow(), new Date().toISOString());
  }

  const endUnreachable = (id: string) => endByForce(id, runDir.files(id).claim);

  async function forgetGone(shell: Shell): Promise<void> {
    const { id } = shell.record;
    await keepTrying(
      async () => {
        await endUnreachable(id);
        forget(shell);
      },
      (error) => log.error(`shell ${id}, whose host went away`, error),
    );
  }

  /** Undefined if its host is gone. Then everything left of it is removed. */
  async function open(record: ShellRecord, isOld: boolean): Promise<Shell | undefined> {
    const { id } = record;
    const shell: Shell = new Shell(record, {
      runDir,
      isOld,
      changed: () => void changed(id),
      gone: () => void forgetGone(shell),
    });
    opening.add(shell);
    const isThere = await shell.isThere(isOld ? PATIENCE_AT_START_MS : PATIENCE_MS);
    opening.delete(shell);
    if (isThere) {
      shells.set(id, shell);
      return shell;
    }
    await endUnreachable(id);
    runDir.forget(id);
    return undefined;
  }

  /** A newer banto may have written its record, so it goes on if its host does. */
  async function openUnreadable(id: string): Promise<void> {
    const isRunning = isRunningHost(runDir.files(id).claim);
    const taskId = isRunning ? taskOfSession(id) : undefined;
    if (taskId !== undefined) await open({ id, taskId, ...nextPlace(ofTask(taskId)) }, true);
    else if (isRunning) log.error(`the record of shell ${id} cannot be read; the shell is left alone`);
    else {
      await endUnreachable(id);
      runDir.forget(id);
    }
  }

  function reserve(taskId: string, name: string | undefined): ShellRecord {
    const siblings = [...ofTask(taskId), ...startingFor(taskId).map(([record]) => ({ record }))];
    if (siblings.length >= LIMITS.shellsPerTask) {
      throw new DomainError(
        "too_many",
        `A task can have at most ${LIMITS.shellsPerTask} shells. Close one you don't need.`,
      );
    }
    const place = nextPlace(siblings);
    return { id: newId(), taskId, ...place, name: name ?? place.name };
  }

  async function start(record: ShellRecord): Promise<ShellRow> {
    // Before the host, so that the next server finds it if this one dies in between.
    writeShell(runDir, record);
    try {
      await launch(record.taskId, record.id);
    } catch (error) {
      runDir.forget(record.id);
      throw error;
    }
    const shell = await open(record, false);
    if (shell === undefined) {
      throw new DomainError("conflict", "The shell was started but can't be reached. Try again.");
    }
    try {
      requireWorktree(record.taskId);
    } catch (error) {
      await stop([shell]);
      throw error;
    }
    const row = await shell.row();
    publish(row);
    return row;
  }

  async function stop(running: Shell[]): Promise<void> {
    await Promise.all(
      running.map(async (shell) => {
        await shell.stop();
        forget(shell);
      }),
    );
  }

  return {
    /** Finds the shells that an earlier server started. */
    async recover(): Promise<void> {
      const found = readShells(runDir);
      await Promise.all(found.shells.map((record) => open(record, true)));
      for (const id of found.broken) await openUnreadable(id);
    },

    list: (taskId: string) => Promise.all(ofTask(taskId).map((shell) => shell.row())),
    all: () => Promise.all(shells.values().map((shell) => shell.row())),

    find(taskId: string, id: string): TerminalAddress {
      const { record, trouble } = require(taskId, id);
      const { socket, claim } = runDir.files(record.id);
      return {
        sessionId: record.id,
        socketPath: socket,
        claimPath: claim,
        trouble,
        what: "shell",
        isComing: false,
      };
    },

    async create(taskId: string, name?: string): Promise<ShellRow> {
      requireWorktree(taskId);
      const record = reserve(taskId, name === undefined ? undefined : requireLine("name", name));
      const started = start(record);
      starting.set(record, started);
      return await started.finally(() => starting.delete(record));
    },

    /** `order` is the place among the task's shells, from 0. The others make room. */
    async update(taskId: string, id: string, patch: { name?: string; order?: number }): Promise<ShellRow> {
      const shell = require(taskId, id);
      if (patch.name !== undefined) {
        shell.record = { ...shell.record, name: requireLine("name", patch.name) };
        writeShell(runDir, shell.record);
      }
      if (patch.order !== undefined) {
        const others = ofTask(taskId).filter((other) => other !== shell);
        for (const [order, other] of others.toSpliced(patch.order, 0, shell).entries()) {
          if (other.record.order === order) continue;
          other.record = { ...other.record, order };
          writeShell(runDir, other.record);
          if (other !== shell) void changed(other.record.id);
        }
      }
      const row = await shell.row();
      publish(row);
      return row;
    },

    async remove(taskId: string, id: string): Promise<void> {
      await stop([require(taskId, id)]);
    },

    /** Ends all shells of a task, because its worktree is about to be moved. */
    async stopShells(taskId: string): Promise<void> {
      await Promise.allSettled(startingFor(taskId).map(([, started]) => started));
      await stop(ofTask(taskId));
    },

    /** The server stops; the shells go on. */
    close() {
      for (const shell of [...shells.values(), ...opening]) shell.detach();
    },
  };
}

/** After the others, under a name that is free. */
function nextPlace(siblings: { record: ShellRecord }[]): Pick<ShellRecord, "name" | "order"> {
  const taken = new Set(siblings.map(({ record }) => record.name));
  let number = 1;
  while (taken.has(`Shell ${number}`)) number += 1;
  const order = Math.max(-1, ...siblings.map(({ record }) => record.order)) + 1;
  return { name: `Shell ${number}`, order };
}
