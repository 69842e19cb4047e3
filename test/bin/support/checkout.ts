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
  return {
    path,
    run: (...command: string[]) => run(command, env, path),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}
