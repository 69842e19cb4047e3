import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { type DataDir, DataDirError } from "../data-dir.ts";

/** The bearer token for scripts, created on first use and kept in a 0600 file. */
export function loadToken(dataDir: DataDir): string {
  const existing = readToken(dataDir.path("token"));
  if (existing !== undefined) return existing;
  const token = randomSecret();
  dataDir.writePrivate("token", `${token}\n`);
  return token;
}

export function readToken(file: string): string | undefined {
  try {
    const token = readFileSync(file, "utf8").trim();
    if (token === "") return undefined;
    requirePrivate(file);
    if (!USABLE.test(token)) {
      throw new DataDirError(
        `the token in ${file} is not 32 to 200 characters without spaces; delete it, and banto makes a new one`,
      );
    }
    return token;
  } catch (cause) {
    if ((cause as { code?: string }).code === "ENOENT") return undefined;
    throw cause;
  }
}

/** There is no limit on attempts with the right token, so it must be too long to guess. */
const USABLE = /^\S{32,200}$/;

function requirePrivate(file: string) {
  const { mode, uid } = statSync(file);
  if (uid !== process.getuid?.()) {
    throw new DataDirError(`the token ${file} belongs to another user; delete it, and banto makes a new one`);
  }
  if ((mode & 0o077) === 0) return;
  throw new DataDirError(
    `other users can read the token ${file}; delete it, and banto makes a new one and ends every login (or, if nobody can have read it, run: chmod 600 '${file}')`,
  );
}

export const randomSecret = () => randomBytes(32).toString("hex");

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Compares in constant time, whatever the lengths. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)));
}
