// The extra terminals of tasks. Session hosts like any other, so they outlive the server too, but
// nothing of theirs is in the database.
import { LIMITS } from "../../../contract.ts";
import { isHeld } from "../../../host/claim.ts";
import { DomainError, notFound } from "../../errors.ts";
import type { Events } from "../../events/events.ts";
import type { RunDir } from "../../hosts/run-dir.ts";
import { newId } from "../../ids.ts";
import type { Log } from "../../log.ts";
import { requireLine } from "../../text.ts";
import { endByForce } from "../observe/endings.ts";
import type { Place } from "../viewers/find-terminal.ts";
import { Shell, type ShellRow } from "./shell.ts";
import { readShells, type ShellRecord, shellAge, writeShell } from "./shell-files.ts";

/** A host that was being started when the server died is given so long to appear. */
const STARTING_MS = 5_000;
/** A host that lives but can't be reached for so long hangs, and its shell is ended. */
const UNREACHABLE_MS = 6_000;
const LOOK_AGAIN_MS = 50;
const TRY_AGAIN_MS = 1_000;

interface ShellsParts {
  runDir: RunDir;
  events: Events;
  log: Log;
  /** Starts a shell's host; throws when the task has no worktree, or one that is about to move. */
  launch(taskId: string, shellId: string): Promise<void>;
  /** Throws like `launch`. */
  requireWorktree(taskId: string): void;
}

export type Shells = ReturnType<typeof createShells>;

export function createShells({ runDir, events, log, launch, requireWorktree }: ShellsParts) {
  const shells = new Map<string, Shell>();
  /** Being started, by what they will be. */
  const starting = new Map<ShellRecord, Promise<ShellRow>>();

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
  let isClosing = false;
  /** Connections that broke, until it is known whether the shell is still there. */
  const settling = new Set<Promise<void>>();
  const gone = (shell: Shell) => {
    const settled = settle(shell)
      .catch((error) => {
        log.error(`shell ${shell.record.id}, whose host went away`, error);
        setTimeout(() => gone(shell), TRY_AGAIN_MS).unref();
      })
      .finally(() => settling.delete(settled));
    settling.add(settled);
  };
  const settle = async (shell: Shell) => {
    const { id } = shell.record;
    if (shells.get(id) !== shell || isClosing) return;
    if (!shell.isOver) {
      if (await reach(shell.record)) return;
      await endByForce(id, runDir.files(id).claim);
    }
    shells.delete(id);
    runDir.forget(id);
    publish(await shell.row(), new Date().toISOString());
  };
  const attach = async (record: ShellRecord) => {
    const { id } = record;
    const shell = await Shell.attach(record, runDir, {
      changed: () => void changed(id),
      gone,
    });
    shell.record = shells.get(id)?.record ?? record; // renamed, while its connection was broken
    shells.set(id, shell);
    return shell;
  };

  /** Tries as long as its host lives or may be on its way, with an end; true also when the server stops meanwhile. */
  async function reach(record: ShellRecord, isYoung = () => false): Promise<boolean> {
    const { claim } = runDir.files(record.id);
    const giveUp = performance.now() + UNREACHABLE_MS;
    const isWorthIt = () => isYoung() || (isHeld(claim) && performance.now() < giveUp);
    for (;;) {
      if (isClosing) return true;
      try {
        await attach(record);
        return true;
      } catch {
        if (!isWorthIt()) return false;
      }
      await Bun.sleep(LOOK_AGAIN_MS);
    }
  }

  async function reachOrEnd(record: ShellRecord, isYoung?: () => boolean): Promise<void> {
    if (await reach(record, isYoung)) return;
    await endByForce(record.id, runDir.files(record.id).claim);
    runDir.forget(record.id);
  }

  const takeBack = (record: ShellRecord) =>
    reachOrEnd(record, () => shellAge(runDir, record.id) < STARTING_MS);

  /** Nobody can say whose it is. */
  async function end(id: string): Promise<void> {
    log.error(`the record of shell ${id} cannot be read; the shell is closed`);
    await takeBack({ id, taskId: "", name: "", order: 0 });
    await shells.get(id)?.stop();
  }

  function reserve(taskId: string, name: string | undefined): ShellRecord {
    const siblings = [
      ...ofTask(taskId).map(({ record }) => record),
      ...startingFor(taskId).map(([record]) => record),
    ];
    if (siblings.length >= LIMITS.shellsPerTask) {
      throw new DomainError(
        "too_many",
        `A task has at most ${LIMITS.shellsPerTask} shells; close one that is not needed.`,
      );
    }
    const order = Math.max(-1, ...siblings.map((sibling) => sibling.order)) + 1;
    return { id: newId(), taskId, name: name ?? freeName(siblings), order };
  }

  async function start(record: ShellRecord): Promise<ShellRow> {
    // Before the host, so that a server that dies in between finds it again.
    writeShell(runDir, record);
    try {
      await launch(record.taskId, record.id);
    } catch (error) {
      runDir.forget(record.id);
      throw error;
    }
    await reachOrEnd(record);
    const shell = shells.get(record.id);
    if (shell === undefined) {
      throw new DomainError("conflict", "The shell was started but can't be reached; try again.");
    }
    try {
      requireWorktree(record.taskId);
    } catch (error) {
      await shell.stop();
      throw error;
    }
    const row = await shell.row();
    publish(row);
    return row;
  }

  async function stop(found: () => Shell[]): Promise<void> {
    const running = () => found().filter(({ isOver }) => !isOver);
    await Promise.all(settling);
    for (;;) {
      await Promise.all(running().map((shell) => shell.stop()));
      await Promise.all(settling);
      if (running().length === 0) return;
      // Whoever waits must not take them for ended: the next server goes on with whatever this was for.
      if (isClosing) await new Promise<never>(() => {});
      // Again: a connection has broken in the middle of it.
      await Bun.sleep(LOOK_AGAIN_MS);
    }
  }

  return {
    /** Finds the shells again that a server before this one has started. */
    async recover(): Promise<void> {
      const found = readShells(runDir);
      await Promise.all([...found.shells.map(takeBack), ...found.broken.map(end)]);
    },

    list: (taskId: string) => Promise.all(ofTask(taskId).map((shell) => shell.row())),
    all: () => Promise.all(shells.values().map((shell) => shell.row())),

    locate(taskId: string, id: string): Place {
      const { record } = require(taskId, id);
      return { sessionId: record.id, socketPath: runDir.files(record.id).socket, isComing: false };
    },

    async create(taskId: string, name?: string): Promise<ShellRow> {
      requireWorktree(taskId);
      const record = reserve(taskId, name === undefined ? undefined : requireLine("name", name));
      const started = start(record);
      starting.set(record, started);
      return await started.finally(() => starting.delete(record));
    },

    /** `order` is the place among the task's shells, 0 the first; the others make room. */
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
      require(taskId, id);
      await stop(() => ofTask(taskId).filter(({ record }) => record.id === id));
    },

    /** Ends all shells of a task: its worktree is about to leave its place. */
    async stopShells(taskId: string): Promise<void> {
      await Promise.allSettled(startingFor(taskId).map(([, started]) => started));
      await stop(() => ofTask(taskId));
    },

    /** The server stops; the shells go on. */
    close() {
      isClosing = true;
      for (const shell of shells.values()) shell.detach();
    },
  };
}

function freeName(siblings: ShellRecord[]): string {
  const taken = new Set(siblings.map(({ name }) => name));
  let number = 1;
  while (taken.has(`Shell ${number}`)) number += 1;
  return `Shell ${number}`;
}
