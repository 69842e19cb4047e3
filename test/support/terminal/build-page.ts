// The page of the terminal's own tests, bundled as the real one is.
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import tailwind from "bun-plugin-tailwind";

const ROOT = join(import.meta.dir, "../../..");

export async function buildPage(outdir: string, entry = join(import.meta.dir, "page.html")): Promise<void> {
  const result = await Bun.build({
    entrypoints: [entry],
    outdir,
    target: "browser",
    splitting: true,
    minify: true,
    publicPath: "/",
    naming: { chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]", entry: "[name].[ext]" },
    external: ["/fonts/*"],
    plugins: [tailwind],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  if (!result.success) throw new AggregateError(result.logs, "the terminal's page does not build");
  mkdirSync(join(outdir, "fonts"));
  const families = join(ROOT, "node_modules/@fontsource-variable");
  for (const family of ["inter", "jetbrains-mono"]) {
    for (const subset of ["latin", "latin-ext"]) {
      const file = join(families, family, "files", `${family}-${subset}-wght-normal.woff2`);
      cpSync(file, join(outdir, "fonts", `${family}-${subset}.woff2`));
    }
  }
}
