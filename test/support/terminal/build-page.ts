// The page of the terminal's own tests, bundled as the real one is.
import { join } from "node:path";
import tailwind from "bun-plugin-tailwind";
import { copyFonts } from "../../../bin/lib/copy-fonts.ts";

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
  copyFonts(outdir);
}
