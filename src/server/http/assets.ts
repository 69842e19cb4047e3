import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../errors.ts";

/** The build's dist/client/manifest.json: every file with its type and its compressed forms. */
export interface AssetManifest {
  [path: string]: { type: string; immutable: boolean; encodings: ("br" | "gzip")[] };
}

export interface Assets {
  has(path: string): boolean;
  respond(request: Request, path: string, status?: number): Response;
}

const PAGE = "/index.html";
/** Paths that are the page itself. */
const PAGE_PATHS = new Set(["/", "/login"]);
const SUFFIXES = { br: ".br", gzip: ".gz" };

/** Keeps everything in memory: a newer build may replace the files while pages still ask for these. */
export function loadAssets(dir: string): Assets {
  const manifest = JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8")) as AssetManifest;
  const page = readFileSync(join(dir, PAGE), "utf8");
  const files = new Map(Object.entries(manifest).filter(([path]) => path !== PAGE));
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [path, { encodings }] of files)
    for (const suffix of ["", ...encodings.map((name) => SUFFIXES[name])])
      contents.set(path + suffix, readFileSync(join(dir, path + suffix)));

  function respond(request: Request, path: string, status = 200): Response {
    if (PAGE_PATHS.has(path)) return pageResponse(request, status);
    const file = files.get(path);
    if (file === undefined) throw new DomainError("not_found", "There is nothing at this address.");
    const accepted = request.headers.get("accept-encoding") ?? "";
    const encoding = file.encodings.find((name) => accepted.includes(name));
    return new Response(contents.get(path + (encoding ? SUFFIXES[encoding] : "")), {
      headers: {
        "content-type": file.type,
        "cache-control": file.immutable ? "public, max-age=31536000, immutable" : "no-cache",
        vary: "accept-encoding",
        ...(encoding && { "content-encoding": encoding }),
      },
    });
  }

  // The theme has to be known before the first paint. A script would come too late, and inline ones are not allowed.
  function pageResponse(request: Request, status: number): Response {
    const theme = new Bun.CookieMap(request.headers.get("cookie") ?? "").get("banto_theme");
    const html =
      theme === "dark" || theme === "light" ? page.replace("<html", `<html data-theme="${theme}"`) : page;
    return new Response(html, {
      status,
      headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    });
  }

  return { has: (path) => PAGE_PATHS.has(path) || files.has(path), respond };
}
