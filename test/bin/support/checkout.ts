import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { environment, ROOT, run } from "../../support/program.ts";
import { tempDir } from "../../support/temp.ts";

/** The sources as a fresh clone has them, with nothing installed or built, and a PATH that has the pinned bun. */
export function freshCheckout() {
  const temp = tempDir("checkout");
  const path = join(temp.path, "banto");
  for (const name of ["bin", "src", "package.json", "bun.lock", "bunfig.toml"])
    cpSync(join(ROOT, name), join(path, name), { recursive: true });
  const programs = join(temp.path, "programs");
  mkdirSync(programs);
  symlinkSync(process.execPath, join(programs, "bun"));
  const env = environment(temp.path, { PATH: `${programs}:${process.env.PATH}` });
  const runWith = (extra: Record<string, string>, ...command: string[]) =>
    run(command, { ...env, ...extra }, path);
  return {
    path,
    runWith,
    run: (...command: string[]) => runWith({}, ...command),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}
