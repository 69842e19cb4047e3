// build.ts <folder>: bundles the page into it, compresses it, and lists it in a manifest for the server. Also builds the
// session host, for a server that may not write here.

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import tailwind from "bun-plugin-tailwind";
import { hostProgram } from "../../src/host/client/program.ts";
import type { AssetManifest } from "../../src/server/http/assets.ts";
import { copyFonts } from "./copy-fonts.ts";

const ROOT = join(import.meta.dir, "../..");
const OUT = process.argv[2] ?? join(ROOT, "dist/client");
const COMPRESSED = /\.(js|css|html|svg|json|wasm)$/;

const result = await Bun.build({
  entrypoints: [join(ROOT, "src/client/index.html")],
  outdir: OUT,
  target: "browser",
  minify: true,
  splitting: true,
  publicPath: "/",
  naming: { chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]", entry: "[name].[ext]" },
  external: ["/fonts/*"],
  plugins: [tailwind],
  define: { "process.env.NODE_ENV": '"production"' },
});
if (!result.success) {
  for (const message of result.logs) console.error(message);
  process.exit(1);
}

copyFonts(OUT);

// The bundler would try to bundle it, were it in the source.
const page = join(OUT, "index.html");
const preload =
  '<link rel="preload" href="/fonts/inter-latin.woff2" as="font" type="font/woff2" crossorigin>';
writeFileSync(page, readFileSync(page, "utf8").replace("</head>", `${preload}</head>`));

const manifest: AssetManifest = {};
for (const name of readdirSync(OUT, { recursive: true, encoding: "utf8" })) {
  if (statSync(join(OUT, name)).isDirectory()) continue;
  const content = readFileSync(join(OUT, name));
  const encodings = COMPRESSED.test(name) ? (["br", "gzip"] as const) : [];
  if (encodings.length > 0) {
    writeFileSync(join(OUT, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(OUT, `${name}.gz`), gzipSync(content));
  }
  manifest[`/${name}`] = {
    type: Bun.file(name).type,
    immutable: /-[a-z0-9]{8}\.\w+$|\.woff2$/.test(name),
    encodings: [...encodings],
  };
}
writeFileSync(join(OUT, "manifest.json"), JSON.stringify(manifest, null, 1));

hostProgram();
