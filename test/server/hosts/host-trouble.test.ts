import { expect, test } from "bun:test";
import { type HostTrouble, troubleInWords } from "../../../src/server/hosts/host-trouble.ts";

/** Of the 125 bytes that a WebSocket's closing frame may have, two are the code. */
const REASON_BYTES = 123;
const ALL: HostTrouble[] = ["silent", "older", "newer"];

test("what is wrong with a host can be said whole as a terminal's socket closes", () => {
  for (const what of ["agent", "shell"] as const)
    for (const trouble of ALL)
      expect(Buffer.byteLength(troubleInWords(trouble, what))).toBeLessThanOrEqual(REASON_BYTES);
});
