import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import type { DataDir } from "../data-dir.ts";

/** The bearer token for scripts, made on first use and kept in a 0600 file. */
export function loadToken(dataDir: DataDir): string {
  const existing = readToken(dataDir.path("token"));
  if (existing !== undefined) return existing;
  const token = randomSecret();
  dataDir.writePrivate("token", `${token}\n`);
  return token;
}

export function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (cause) {
    if ((cause as { code?: string }).code === "ENOENT") return undefined;
    throw cause;
  }
}

export const randomSecret = () => randomBytes(32).toString("hex");

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Compares in constant time, whatever the lengths. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)));
}
