import { and, asc, eq, gt, isNull, ne } from "drizzle-orm";
import { generateKeyBetween } from "fractional-indexing";
import type { TaskStatus } from "../../contract.ts";
import type { Tx } from "../../db/open.ts";
import { tasks } from "../../db/schema.ts";
import { DomainError } from "../errors.ts";

/** A position above every card of the column. */
export function topOf(tx: Tx, status: TaskStatus): string {
  const first = tx
    .select({ position: tasks.position })
    .from(tasks)
    .where(and(eq(tasks.status, status), isNull(tasks.deletedAt)))
    .orderBy(asc(tasks.position))
    .limit(1)
    .get();
  return generateKeyBetween(null, first?.position ?? null);
}

/** The wanted position, or one just after it if another card has that: no two cards of a column share a position. */
export function freePosition(tx: Tx, status: TaskStatus, wanted: string, taskId: string): string {
  requirePosition(wanted);
  const others = and(eq(tasks.status, status), isNull(tasks.deletedAt), ne(tasks.id, taskId));
  const taken = tx
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(others, eq(tasks.position, wanted)))
    .get();
  if (taken === undefined) return wanted;
  const next = tx
    .select({ position: tasks.position })
    .from(tasks)
    .where(and(others, gt(tasks.position, wanted)))
    .orderBy(asc(tasks.position))
    .limit(1)
    .get();
  return generateKeyBetween(wanted, next?.position ?? null);
}

// Keys are base-62 digits. One that begins with A is refused: nothing could be placed above the lowest such key.
const KEY = /^[B-Za-z][0-9A-Za-z]+$/;

function requirePosition(position: string) {
  if (KEY.test(position) && isKey(position)) return;
  throw new DomainError(
    "invalid",
    "position: must be a fractional index, such as the position of another task or a value between two of them.",
  );
}

function isKey(position: string): boolean {
  try {
    generateKeyBetween(position, null);
    return true;
  } catch {
    return false;
  }
}
