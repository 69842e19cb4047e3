// The two lists that make up the board. Events keep them fresh.

import { NetworkError, queryClient, refusal } from "./client.ts";
import { type ListedRow, withKnownColumn, withNewer, withRow } from "./listed-rows.ts";
import { signedFetch } from "./page-key.ts";
import type { Project, Task } from "./rows.ts";

export const TASKS = ["tasks"] as const;
export const PROJECTS = ["projects"] as const;

type ListKey = typeof TASKS | typeof PROJECTS;

export const getTasks = (): readonly Task[] => queryClient.getQueryData<Task[]>(TASKS) ?? [];
export const getProjects = (): readonly Project[] => queryClient.getQueryData<Project[]>(PROJECTS) ?? [];

/** When each row last changed. The answer to an older change can come after the event of a newer one. */
const newest = new Map<string, string>();

/** For each list that is being fetched, the rows that events bring meanwhile: they may be newer than the answer. */
const fetching = new Set<{ key: ListKey; rows: ListedRow[] }>();

/** Puts a row from the server into its list, or takes it out if it was deleted. */
export function upsert<Row extends ListedRow>(key: ListKey, sent: Row) {
  const row = withKnownColumn(sent);
  if (row.updatedAt < (newest.get(row.id) ?? "")) return;
  newest.set(row.id, row.updatedAt);
  for (const list of fetching) if (list.key === key) list.rows.push(row);
  queryClient.setQueryData<Row[]>(key, (rows) => rows && withRow(rows, row));
}

/** For each list that was fetched, the id of the last event it includes. */
const eventIds: string[] = [];

/** Events after this one are missing from at least one of the lists. */
export function firstEventId(): string | undefined {
  const count = (id: string) => Number(id.split("-")[1]);
  return eventIds.toSorted((a, b) => count(a) - count(b))[0];
}

/** A whole list. Not through Eden, which searches every value of an answer for dates. */
export async function fetchList<Row extends ListedRow>(key: ListKey): Promise<Row[]> {
  const meanwhile = { key, rows: [] as Row[] };
  fetching.add(meanwhile);
  try {
    const response = await signedFetch(`/api/${key[0]}`).catch(() => undefined);
    if (response === undefined) throw new NetworkError();
    const body: unknown = await response.json();
    if (!Array.isArray(body)) throw refusal(response.status, body);
    eventIds.push(response.headers.get("x-banto-event-id") ?? "");
    return meanwhile.rows.reduce(withNewer, body.map(withKnownColumn) as Row[]);
  } finally {
    fetching.delete(meanwhile);
  }
}
