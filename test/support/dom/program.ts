// The page's program as one script, for pages without a browser. bin/test makes it once for the whole run.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const MAIN = join(import.meta.dir, "../../../src/client/main.tsx");
const { BANTO_TEST_PAGE: made } = process.env;

export async function bundlePage(outdir: string): Promise<string> {
  const result = await Bun.build({
    entrypoints: [MAIN],
    outdir,
    target: "browser",
    format: "iife",
    minify: true,
    publicPath: "/",
    naming: { asset: "[name]-[hash].[ext]" },
    external: ["/fonts/*"],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  if (!result.success) throw new AggregateError(result.logs, "the page does not build");
  return join(outdir, "main.js");
}

let program: Promise<string> | undefined;

export function pageProgram(): Promise<string> {
  program ??= (async () => {
    if (made !== undefined) return readFileSync(made, "utf8");
    const { tempDir } = await import("../temp.ts");
    using folder = tempDir("page");
    return readFileSync(await bundlePage(folder.path), "utf8");
  })();
  return program;
}
