// What happens around the server on the random walk: it ends and starts again, here or elsewhere, then or later.

import { expect } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isHeld } from "../../../../src/host/protocol/claim.ts";
import { until } from "../../../host/support/host.ts";
import { environment, runServer } from "../../../support/program.ts";
import type { SessionBoard } from "../../../support/sessions.ts";
import type { Death } from "./walk-steps.ts";

const DAY_MS = 86_400_000;
const MONTH_DAYS = 31;

interface TrashEntry {
  id: string;
  taskId: string;
  kept: string | null;
  purgesAt: string | null;
}

export class Machine {
  /** By which the server's clock is ahead: the months that went by, and a jump. */
  #days = 0;
  #jump = 0;
  #places = 0;

  constructor(private readonly board: SessionBoard) {}

  get #server() {
    return this.board.server;
  }

  async restart(how: Death) {
    await this.#server.kill(how);
    await this.#server.restart();
  }

  async relocate(how: Death) {
    await this.#server.kill(how);
    this.#server.moveData(this.#newPlace());
    await this.#server.restart();
  }

  /** The copy says that it is one, and touches nothing. */
  async startCopy(how: Death) {
    const copy = await this.#copyData(how);
    await this.#expectRefused(copy);
    rmSync(copy, { recursive: true });
    await this.#server.restart();
  }

  /** The original no longer starts. */
  async goOnInCopy(how: Death) {
    const { dataDir } = this.#server;
    const run = join(dataDir, "run");
    for (const name of readdirSync(run).filter((name) => name.endsWith(".claim")))
      await until(() => !isHeld(join(run, name)), `the end of ${name}`);
    this.#server.use(await this.#copyData(how));
    await this.#server.restartWith("--go-on-here");
    await this.#expectRefused(dataDir);
    rmSync(dataDir, { recursive: true });
  }

  /** A jump of more than a day deletes nothing. */
  async setClock(days: number) {
    const before = this.#days + this.#jump;
    this.#jump = days;
    await this.#restartLater(before);
  }

  /**
   * What was put away before is deleted from the trash, unless that is the only copy: a kill in the middle of a start may
   * leave a half made worktree in the way of the next one, and a full disk may keep a snapshot from becoming whole.
   */
  async month({ isSteady, metFullDisk }: { isSteady: boolean; metFullDisk(taskId: string): boolean }) {
    const before = this.#days + this.#jump;
    this.#days += MONTH_DAYS;
    this.#jump = 0;
    if (isSteady) {
      await this.#server.kill("SIGTERM");
      this.#server.setClockAhead(this.#days * DAY_MS);
      const record = { seenAt: this.#now(), doubtedSince: null };
      writeFileSync(join(this.#server.dataDir, "clock.json"), JSON.stringify(record));
      await this.#server.restart();
    } else {
      await this.#restartLater(before);
      expect((await this.#server.post("/api/trash/clock")).status).toBe(204);
    }
    const isExpired = ({ purgesAt }: TrashEntry) =>
      purgesAt !== null && Date.parse(purgesAt) < this.#now() - 1_000;
    while ((await this.#trash()).some(isExpired)) await Bun.sleep(20);
    const isKeptFor = ({ taskId, kept }: TrashEntry) =>
      kept === null || kept === "aside" || (metFullDisk(taskId) && kept !== "snapshot_gone");
    expect((await this.#trash()).filter((entry) => !isKeptFor(entry))).toEqual([]);
  }

  async #restartLater(daysBefore: number) {
    const [server, days] = [this.#server, this.#days + this.#jump];
    server.setClockAhead(days * DAY_MS);
    const times = () => server.output.split("nothing is deleted").length;
    const ids = async () => (await this.#trash()).map(({ id }) => id);
    const [said, before] = [times(), await ids()];
    await this.restart("SIGTERM");
    if (Math.abs(days - daysBefore) <= 1) return;
    await until(() => times() > said, "a doubt of the clock");
    // What was deleted just before may have come meanwhile.
    expect(await ids()).toEqual(expect.arrayContaining(before));
  }

  #newPlace = () => `data-${++this.#places}`;
  #now = () => Date.now() + (this.#days + this.#jump) * DAY_MS;
  #trash = async () => (await this.#server.get<TrashEntry[]>("/api/trash")).body;

  async #copyData(how: Death): Promise<string> {
    await this.#server.kill(how);
    const copy = join(this.#server.home, this.#newPlace());
    Bun.spawnSync(["cp", "-a", this.#server.dataDir, copy]);
    return copy;
  }

  async #expectRefused(dataDir: string) {
    const { code, stderr } = await runServer(environment(this.#server.home, { BANTO_DATA_DIR: dataDir }));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("is a copy of") });
  }
}
