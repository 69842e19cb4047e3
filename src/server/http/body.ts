import { LIMITS } from "../../contract.ts";
import { DomainError } from "../errors.ts";

const MAX_DEPTH = 16;

/** Reads a JSON body without ever holding more than the limit; null if there is none. */
export async function readJson(request: Request, limit: number = LIMITS.bodyBytes): Promise<unknown> {
  if (request.body === null || request.headers.get("content-length") === "0") return null;
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\b/i.test(type)) {
    throw new DomainError("malformed", "Send the body as JSON, with Content-Type: application/json.");
  }
  const bytes = await readBounded(request, limit);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError("malformed", "The body is not valid UTF-8.");
  }
  const value = parse(text);
  requirePlain(value, MAX_DEPTH);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DomainError("malformed", `The body is not valid JSON: ${(cause as Error).message}.`);
  }
}

// Fields of a prototype escape validation, and Elysia calls these methods to describe what is invalid.
const BARRED = ["__proto__", "toString", "valueOf"];

/** Refuses what validation can't handle, such as nesting that would exhaust its stack. */
function requirePlain(value: unknown, levels: number) {
  if (typeof value !== "object" || value === null) return;
  if (levels === 0) throw new DomainError("malformed", "The body is nested too deeply.");
  const barred = BARRED.find((name) => Object.hasOwn(value, name));
  if (barred !== undefined) throw new DomainError("invalid", `${barred}: is not a known field.`);
  for (const part of Object.values(value)) requirePlain(part, levels - 1);
}

async function readBounded(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = () => new DomainError("too_large", `The body is larger than ${limit} bytes.`);
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
