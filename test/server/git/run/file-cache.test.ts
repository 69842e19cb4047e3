import { expect, test } from "bun:test";
import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileCache } from "../../../../src/server/git/run/file-cache.ts";
import { tempDir } from "../../../support/temp.ts";

const LATER = () => Date.now() + 60_000;

test("what was read from files is known until one of them changes, appears or goes", () => {
  using folder = tempDir("memory");
  const [there, absent] = [join(folder.path, "there"), join(folder.path, "absent")];
  const cache = new FileCache<string>();
  const keep = () => {
    cache.set("key", "value", { files: [there, absent], readAt: LATER() });
    expect(cache.get("key")).toBe("value");
  };
  const changes: (() => void)[] = [
    () => {
      const { mtime, ctimeNs } = statSync(there, { bigint: true });
      // As long as it was, and as old by its own account.
      while (statSync(there, { bigint: true }).ctimeNs === ctimeNs) writeFileSync(there, "two");
      utimesSync(there, mtime, mtime);
    },
    () => {
      writeFileSync(`${there}.new`, "two");
      renameSync(`${there}.new`, there);
    },
    () => writeFileSync(absent, ""),
    () => rmSync(there),
  ];
  writeFileSync(there, "one");
  for (const change of changes) {
    keep();
    change();
    expect(cache.get("key")).toBeUndefined();
  }
});

test("nothing is kept of a file that may have changed while it was read", () => {
  using folder = tempDir("memory");
  const file = join(folder.path, "file");
  const readAt = Date.now();
  writeFileSync(file, "one");
  const cache = new FileCache<string>();
  cache.set("key", "value", { files: [file], readAt });
  expect(cache.get("key")).toBeUndefined();
});
