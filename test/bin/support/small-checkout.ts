import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { environment, ROOT, run } from "../../support/program.ts";
import { tempDir } from "../../support/temp.ts";

/** A checkout that prepares in an instant and offline: one package from a folder, and a page of one file. */
export function smallCheckout() {
  const temp = tempDir("checkout");
  const env = environment(temp.path);
  const at = (path: string) => join(temp.path, path);
  const bun = (...args: string[]) => run([process.execPath, ...args], env, temp.path);
  const write = (path: string, content: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  cpSync(join(ROOT, "bin/lib/prepare.ts"), at("bin/lib/prepare.ts"));
  write(
    "bin/lib/build.ts",
    `import { appendFileSync, cpSync } from "node:fs";
     appendFileSync("builds", "once ");
     cpSync("src/client/page.txt", (process.argv[2] ?? "dist/client") + "/page.txt");`,
  );
  write("src/client/page.txt", "first");
  write("bin/lib/copy-fonts.ts", "");
  write("src/vt/nothing.ts", "");
  write("src/host/nothing.ts", "");
  write("src/contract.ts", "");
  return {
    at,
    write,
    read: (path: string) => readFileSync(at(path), "utf8"),
    /** Goes to another version of what it depends on, as a checkout of another commit does. */
    async depend(version: string) {
      const part = `parts/${version}`;
      write(`${part}/package.json`, JSON.stringify({ name: "part", version }));
      write("package.json", JSON.stringify({ name: "small", dependencies: { part: `./${part}` } }));
      await bun("install", "--lockfile-only");
    },
    prepare: (kind: "serve" | "test", wrapper: string[] = []) =>
      run([...wrapper, process.execPath, at("bin/lib/prepare.ts"), kind], env, temp.path),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}
