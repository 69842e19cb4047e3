import { expect } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../../..");

/** A checkout with all that a host consists of. */
export function copyCheckout() {
  const path = mkdtempSync(join(tmpdir(), "banto-checkout-"));
  for (const part of ["src/host", "src/vt", "src/contract.ts", "package.json", "node_modules/ghostty-web"])
    cpSync(join(ROOT, part), join(path, part), { recursive: true });
  return {
    path,
    /** Changes a source, which must hold what is to be replaced. */
    edit(file: string, before: string, after: string) {
      const source = readFileSync(join(path, file), "utf8");
      expect(source).toContain(before);
      writeFileSync(join(path, file), source.replace(before, after));
    },
    launch: async () =>
      (
        (await import(
          join(path, "src/host/client/launch.ts")
        )) as typeof import("../../../src/host/client/launch.ts")
      ).launchHost,
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  };
}

/** The hosts of a banto that speaks a protocol of before. */
export function olderCheckout() {
  const checkout = copyCheckout();
  checkout.edit("src/host/protocol/frames.ts", "PROTOCOL_VERSION = 1", "PROTOCOL_VERSION = 0");
  return checkout;
}
