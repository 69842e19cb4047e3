import { expect, test } from "bun:test";
import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadToken } from "../../../src/server/auth/token.ts";
import { claimDataDir, DataDirError } from "../../../src/server/data-dir.ts";
import { tempDir } from "../../support/temp.ts";

/** Starts on a data directory that holds this token. */
function load(content?: string, change: (file: string) => void = () => {}): { token: string; mode: number } {
  using temp = tempDir("token");
  const file = join(temp.path, "token");
  if (content !== undefined) writeFileSync(file, content, { mode: 0o600 });
  change(file);
  const dataDir = claimDataDir(temp.path);
  try {
    const token = loadToken(dataDir);
    expect(readFileSync(file, "utf8").trim()).toBe(token);
    return { token, mode: statSync(file).mode & 0o777 };
  } finally {
    dataDir.release();
  }
}

test("a token is made where there is none, for its owner only", () => {
  const made = load();
  expect(made.token).toMatch(/^[0-9a-f]{64}$/);
  expect(made.mode).toBe(0o600);
  expect(load().token).not.toBe(made.token);
});

test("a token of one's own is taken, if it is long enough", () => {
  expect(load(`${"a".repeat(32)}\n`).token).toBe("a".repeat(32));
  for (const bad of ["secret", "a".repeat(31), `${"a".repeat(32)} b`, "a".repeat(201)]) {
    expect(() => load(bad)).toThrow(DataDirError);
    expect(() => load(bad)).toThrow(/token .* 32 to 200 characters .* delete it,/);
  }
});

test.each([0o644, 0o640, 0o604, 0o620])("a token that others may read or write is refused: %o", (mode) => {
  const open = () => load("a".repeat(64), (file) => chmodSync(file, mode));
  expect(open).toThrow(DataDirError);
  expect(open).toThrow(/other users .* delete it.*chmod 600/);
});

test.if(process.getuid?.() === 0)("a token and a data directory of another owner are refused", () => {
  expect(() => load("a".repeat(64), (file) => chownSync(file, 12_345, 12_345))).toThrow(
    /token .* another user/,
  );
  using temp = tempDir("theirs");
  chownSync(temp.path, 12_345, 12_345);
  expect(() => claimDataDir(temp.path)).toThrow(/belongs to another user.*BANTO_DATA_DIR/);
  expect(statSync(temp.path).mode & 0o777).toBe(0o700);
});
