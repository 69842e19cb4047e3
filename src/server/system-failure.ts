import type { ErrorCode } from "../contract.ts";
import { storageFailure } from "./disk.ts";

interface SystemFailure {
  code: ErrorCode;
  message: string;
}

const STORAGE: Record<NonNullable<ReturnType<typeof storageFailure>>, SystemFailure> = {
  full: {
    code: "no_space",
    message: "The disk with banto's data is full, so nothing was changed. Free some space and try again.",
  },
  unwritable: {
    code: "no_space",
    message: "The disk with banto's data can't be written, so nothing was changed. Fix that and try again.",
  },
};

const OTHERS: [RegExp, SystemFailure][] = [
  [
    /^(EMFILE|ENFILE)$/,
    {
      code: "too_many",
      message:
        "banto has reached its limit of open files. Close terminals and shells you don't need, or raise the limit (ulimit -n) and restart banto. Agents keep running.",
    },
  ],
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    {
      code: "internal",
      message:
        "banto's database is damaged, so this could not be read or written. Restart banto, and it will say what to do. Agents keep running.",
    },
  ],
];

/** What the system refused, and what a person can do about it; undefined for a bug. */
export function systemFailure(error: unknown): SystemFailure | undefined {
  const storage = storageFailure(error);
  if (storage !== undefined) return STORAGE[storage];
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  return OTHERS.find(([pattern]) => pattern.test(code))?.[1];
}
