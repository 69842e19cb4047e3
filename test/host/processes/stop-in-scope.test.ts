// The same as without systemd, in scopes of a real one.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { isSkipped } from "../../support/skipped.ts";
import { SystemdBox } from "../../support/systemd-box.ts";
import { ESCAPES, STOP_LIMIT_MS } from "../support/escapes.ts";
import type { InScopes } from "../support/stop-in-scopes.ts";

const SCRIPT = join(import.meta.dir, "../support/stop-in-scopes.ts");

test.skipIf(isSkipped("stopping sessions in scopes", SystemdBox.lacks()))(
  "where systemd runs, stop ends all that tries to get away, and no stranger",
  async () => {
    await using box = await SystemdBox.boot();
    const { stderr: refused } = await box.run(["systemctl", "start", "user@0.service"]);
    expect(refused).toBe("");
    const { stdout, stderr } = await box.run([process.execPath, SCRIPT], { XDG_RUNTIME_DIR: "/run/user/0" });
    expect(stderr).toBe("");
    const { escapes, strangers } = JSON.parse(stdout) as InScopes;
    expect(Object.keys(escapes).sort()).toEqual(Object.keys(ESCAPES).sort());
    const late = Object.entries(escapes).filter(([, { tookMs }]) => tookMs >= STOP_LIMIT_MS);
    expect(late).toEqual([]);
    for (const [name, { isScoped, left }] of Object.entries(escapes))
      expect({ name, isScoped, left }).toEqual({ name, isScoped: true, left: [] });
    expect(strangers).toEqual([true, true, true, true]);
  },
  60_000,
);
