import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeTree } from "../../src/server/remove-tree.ts";
import { tempDir } from "../support/temp.ts";

const ROUNDS = 60;
/** As a git does that outlived its server: again and again a file is there under another name. */
const RENAMER = `
  const { renameSync } = require("node:fs");
  onmessage = ({ data: folder }) => {
    for (let i = 0; i < 200; i += 1) {
      for (const [from, to] of [["index.lock", "index"], ["index", "index.lock"]]) {
        try {
          renameSync(folder + "/" + from, folder + "/" + to);
        } catch {}
      }
    }
    postMessage("done");
  };
`;

test("nothing is left of a folder in which somebody is still at work", async () => {
  using temp = tempDir("remove");
  const renamer = new Worker(URL.createObjectURL(new Blob([RENAMER])));
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = join(temp.path, String(round));
    for (let n = 0; n < 10; n += 1) mkdirSync(join(folder, `folder-${n}`), { recursive: true });
    for (let n = 0; n < 10; n += 1) writeFileSync(join(folder, `file-${n}`), "");
    writeFileSync(join(folder, "index"), "");
    const done = new Promise((resolve) => {
      renamer.onmessage = resolve;
    });
    renamer.postMessage(folder);
    await removeTree(folder);
    expect(readdirSync(temp.path)).toEqual([]);
    await done;
  }
  renamer.terminate();
  await removeTree(join(temp.path, "never there"));
});
