// Finds the program of session hosts. It is bundled from the sources into a folder named after their digest, which is
// never written to again: updating the checkout changes no host that is running, nor one that this server has yet to
// start.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LaunchError } from "../protocol/launch-error.ts";

const ROOT = join(import.meta.dir, "../../..");
const FOLDER = join(ROOT, ".tools/host");
const ENGINE = fileURLToPath(import.meta.resolve("ghostty-web/ghostty-vt.wasm"));
const ENTRIES = ["src/host/main.ts", "src/host/mirror/worker.ts"];
const UNUSED_MS = 30 * 86_400_000;

let program: string | undefined;

/** The same for as long as this process runs, so that a server starts the hosts it was made for. */
export function hostProgram(): string {
  if (program === undefined || !existsSync(program)) program = join(prepareProgram(), "main.js");
  const now = new Date();
  utimesSync(dirname(program), now, now);
  return program;
}

function prepareProgram(): string {
  for (;;) {
    const folder = join(FOLDER, digestOfSources());
    if (existsSync(folder)) return folder;
    const draft = bundle();
    // Otherwise the checkout has been updated meanwhile.
    if (folder === join(FOLDER, digestOfSources())) publish(draft, folder);
    else rmSync(draft, { recursive: true });
  }
}

function digestOfSources(): string {
  const names = ["src/host", "src/vt"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const files = [...names.filter((name) => name.endsWith(".ts")).sort(), "src/contract.ts", "package.json"];
  const hash = createHash("sha256").update(Bun.version).update(readFileSync(ENGINE));
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex").slice(0, 16);
}

/** In a separate process, because a bundler's memory would never be freed here. */
function bundle(): string {
  mkdirSync(FOLDER, { recursive: true });
  const draft = mkdtempSync(join(FOLDER, "new-"));
  const options = [
    "--target=bun",
    "--minify-whitespace",
    "--minify-syntax",
    "--entry-naming=[name].[ext]",
    `--outdir=${draft}`,
  ];
  const { success, stderr } = Bun.spawnSync([process.execPath, "build", ...ENTRIES, ...options], {
    cwd: ROOT,
    stdout: "ignore",
  });
  if (!success) throw new LaunchError("failed", `The session host could not be built: ${stderr}`);
  copyFileSync(ENGINE, join(draft, basename(ENGINE)));
  return draft;
}

function publish(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error; // otherwise another process was faster
  }
  for (const name of readdirSync(FOLDER)) {
    const other = statSync(join(FOLDER, name), { throwIfNoEntry: false });
    if (other !== undefined && Date.now() - other.mtimeMs > UNUSED_MS)
      rmSync(join(FOLDER, name), { recursive: true, force: true });
  }
}
