// What a mirror needs beside its ring, where a test starts one without a host.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hostProgram } from "../../../src/host/client/program.ts";

export const ENGINE = fileURLToPath(import.meta.resolve("ghostty-web/ghostty-vt.wasm"));
export const WORKER = join(dirname(hostProgram()), "worker.js");
export const THEME = { foreground: "rgb:cccc/cccc/cccc", background: "rgb:0000/0000/0000" };
