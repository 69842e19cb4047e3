// Loaded before the tests (bunfig.toml): sees to it that the run leaves nothing behind.

import { afterAll } from "bun:test";
import { existsSync, readdirSync, rmdirSync } from "node:fs";
import { processesWith } from "./processes.ts";
import { RUN_MARKER } from "./program.ts";
import { tempRoot } from "./temp.ts";

process.env[RUN_MARKER.name] = RUN_MARKER.value;

afterAll(() => {
  const processes = [
    ...processesWith(`${RUN_MARKER.name}=${RUN_MARKER.value}`),
    ...processesWith(tempRoot()),
  ];
  const folders = existsSync(tempRoot()) ? readdirSync(tempRoot()) : [];
  if (processes.length > 0)
    throw new Error(
      `the tests left processes behind: ${processes.map(({ pid, command }) => `${pid} ${command}`).join("; ")}`,
    );
  if (folders.length > 0) throw new Error(`the tests left folders in ${tempRoot()}: ${folders.join(", ")}`);
  if (existsSync(tempRoot())) rmdirSync(tempRoot());
});
