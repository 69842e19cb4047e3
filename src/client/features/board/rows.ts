// What a column shows from top to bottom. Pure.

import type { TaskStatus } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { askOf, displayStatus, type Group, isLive, isTurnOver } from "../../tasks/display-status.ts";

export type Row =
  | { kind: "group"; group: Group; count: number }
  /** `index` is the card's own among the cards. */
  | { kind: "card"; task: Task; index: number };

/** Active has group headers as soon as one of its cards is not idle. */
export function toRows(status: TaskStatus, tasks: readonly Task[]): Row[] {
  const groups = tasks.map((task) => displayStatus(task).group);
  const isGrouped = status === "active" && groups.some((group) => group !== "idle");
  return tasks.flatMap((task, index): Row[] => {
    const group = groups[index] ?? "idle";
    const card: Row = { kind: "card", task, index };
    if (!isGrouped || group === groups[index - 1]) return [card];
    return [{ kind: "group", group, count: groups.filter((each) => each === group).length }, card];
  });
}

export const rowKey = (row: Row | undefined) => (row?.kind === "card" ? row.task.id : row?.group);

const GROUP_HEIGHT = 32;
const CARD_HEIGHT = 64;
const PREVIEW_HEIGHT = 58;
const REASON_HEIGHT = 20;
const ASK_HEIGHT = 150;
const PROMPT_HEIGHT = 38;

/** An estimate, until the row has been measured. */
export function rowHeight(row: Row | undefined): number {
  if (row?.kind !== "card") return GROUP_HEIGHT;
  if (askOf(row.task) !== null) return CARD_HEIGHT + ASK_HEIGHT;
  if (isTurnOver(row.task)) return CARD_HEIGHT + PREVIEW_HEIGHT + PROMPT_HEIGHT;
  if (isLive(row.task)) return CARD_HEIGHT + PREVIEW_HEIGHT;
  return displayStatus(row.task).group === "failed" ? CARD_HEIGHT + REASON_HEIGHT : CARD_HEIGHT;
}
