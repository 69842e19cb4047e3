// What a mirror needs beside its ring, where a test starts one without a host.
import { fileURLToPath } from "node:url";

export const ENGINE = fileURLToPath(import.meta.resolve("ghostty-web/ghostty-vt.wasm"));
export const THEME = { foreground: "rgb:cccc/cccc/cccc", background: "rgb:0000/0000/0000" };
