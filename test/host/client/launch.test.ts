// Where the user's systemd can be reached the host gets a scope of its own; where it refuses, none.
// The service manager is a stand-in here: it writes down how it was called and runs the command.
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHost } from "../support/host.ts";

async function withManager(script: string, body: (dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "banto-manager-"));
  const { PATH, XDG_RUNTIME_DIR } = process.env;
  mkdirSync(join(dir, "systemd"));
  writeFileSync(join(dir, "systemd", "private"), "");
  writeFileSync(join(dir, "systemd-run"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(dir, "systemd-run"), 0o755);
  process.env.PATH = `${dir}:${PATH}`;
  process.env.XDG_RUNTIME_DIR = dir;
  try {
    await body(dir);
  } finally {
    process.env.PATH = PATH;
    if (XDG_RUNTIME_DIR === undefined) delete process.env.XDG_RUNTIME_DIR;
    else process.env.XDG_RUNTIME_DIR = XDG_RUNTIME_DIR;
    rmSync(dir, { recursive: true });
  }
}

test("a host is started in a scope named after its session, with no secret in its arguments", async () => {
  const script =
    'echo "$@" > "$XDG_RUNTIME_DIR/called"; while [ "$1" != -- ]; do shift; done; shift; exec "$@"';
  await withManager(script, async (dir) => {
    await using host = await startHost(["cat"], { env: { SECRET: "hidden-from-ps" } });
    expect(host.scoped).toBe(true);
    const called = readFileSync(join(dir, "called"), "utf8");
    expect(called).toContain(`--user --scope --quiet --collect --unit=banto-${host.sessionId}.scope --`);
    expect(called + readFileSync(`/proc/${host.hostPid}/cmdline`, "utf8")).not.toContain("hidden-from-ps");
  });
});

test("a manager that refuses is done without", async () => {
  await withManager("echo no bus >&2; exit 1", async () => {
    await using host = await startHost(["cat"]);
    expect(host.scoped).toBe(false);
  });
});
