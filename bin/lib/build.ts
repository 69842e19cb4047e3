// Bundles the page into dist/client, compresses it, and lists it in a manifest for the server.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import tailwind from "bun-plugin-tailwind";
import type { AssetManifest } from "../../src/server/http/assets.ts";

const ROOT = join(import.meta.dir, "../..");
const OUT = join(ROOT, "dist/client");
const COMPRESSED = /\.(js|css|html|svg|json|wasm)$/;

const result = await Bun.build({
  entrypoints: [join(ROOT, "src/client/index.html")],
  outdir: OUT,
  target: "browser",
  minify: true,
  splitting: true,
  publicPath: "/",
  naming: { chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]", entry: "[name].[ext]" },
  plugins: [tailwind],
  define: { "process.env.NODE_ENV": '"production"' },
});
if (!result.success) {
  for (const message of result.logs) console.error(message);
  process.exit(1);
}

const manifest: AssetManifest = {};
mkdirSync(OUT, { recursive: true });
for (const name of readdirSync(OUT)) {
  const content = readFileSync(join(OUT, name));
  const encodings = COMPRESSED.test(name) ? (["br", "gzip"] as const) : [];
  if (encodings.length > 0) {
    writeFileSync(join(OUT, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(OUT, `${name}.gz`), gzipSync(content));
  }
  manifest[`/${name}`] = {
    type: Bun.file(name).type,
    immutable: /-[a-z0-9]{8}\.\w+$/.test(name),
    encodings: [...encodings],
  };
}
writeFileSync(join(OUT, "manifest.json"), JSON.stringify(manifest, null, 1));
