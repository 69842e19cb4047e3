import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** 16 lower-case characters, 80 random bits: safe in a path, a branch name and a URL. */
export function newId(): string {
  return Array.from(randomBytes(16), (byte) => ALPHABET[byte & 31]).join("");
}
