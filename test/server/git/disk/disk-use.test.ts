import { expect, test } from "bun:test";
import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diskUse } from "../../../../src/server/git/disk/disk-use.ts";
import { tempDir } from "../../../support/temp.ts";
import { bytes, odd } from "../support/files.ts";

const SIZE = 1 << 20;

test("a file with two names counts once, and not at all if one of them is elsewhere", async () => {
  using temp = tempDir("disk-use");
  const folder = join(temp.path, "folder");
  mkdirSync(folder);
  const file = (name: string | Buffer) => bytes(folder, "/", name);
  const empty = await diskUse(folder);
  const isAbout = async (size: number) =>
    expect((await diskUse(folder)) - empty - size).toBeWithin(0, SIZE / 8);
  writeFileSync(file(odd(0xff)), Buffer.alloc(SIZE, 1));
  await isAbout(SIZE);
  linkSync(file(odd(0xff)), file("second"));
  await isAbout(SIZE);
  linkSync(file("second"), join(temp.path, "elsewhere"));
  await isAbout(0);
});
