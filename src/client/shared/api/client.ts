import { treaty } from "@elysia/eden";
import { MutationCache, type Query, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import type { ErrorBody } from "../../../contract.ts";
import type { App } from "../../../server/app.ts";
import { createStore } from "../stores/store.ts";
import { type ListedRow, withNewer, withRow } from "./listed-rows.ts";

// parseDate off: Eden would turn a title such as "2026-11-16" into a Date.
export const { api } = treaty<App>(location.origin, { parseDate: false });

/** The server said no, and why. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The server could not be reached at all. */
export class NetworkError extends Error {
  constructor() {
    super("banto can't be reached.");
  }
}

interface Answer<T> {
  data: T | null;
  error: { value: unknown } | null;
  response?: Response | undefined;
  status: number;
}

export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response, status } = await call;
  if (error === null) return data as T;
  if (response === undefined) throw new NetworkError();
  const message = (error.value as Partial<ErrorBody> | null)?.error?.message;
  throw new ApiError(status, message ?? `The server answered ${status}.`);
}

export const isSignedOut = createStore(false);

const noticeSignOut = (error: Error) => {
  if (error instanceof ApiError && error.status === 401) isSignedOut.set(true);
};

/** Only what never reached the server is worth trying again. */
const retry = (count: number, error: Error) => error instanceof NetworkError && count < 8;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  mutationCache: new MutationCache({ onError: noticeSignOut }),
  defaultOptions: {
    queries: {
      retry,
      staleTime: Number.POSITIVE_INFINITY, // the event stream keeps it fresh
      gcTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    mutations: { retry },
  },
});

/** Nothing has been fetched yet, but is about to be. */
const isFirstUnderWay = ({ state }: Query) => state.fetchStatus === "fetching" && state.data === undefined;

/**
 * What is known under these keys has changed: it is fetched anew where it is shown. A first fetch is let finish before
 * that. The query client would join it instead, and what it brings may be older than the change.
 */
export async function outdate(queryKey: QueryKey = []): Promise<void> {
  const first = queryClient.getQueryCache().findAll({ queryKey, predicate: isFirstUnderWay });
  const afterwards = first.map(async ({ promise, queryKey: key }) => {
    await promise?.catch(() => {}); // told by whoever asked for it
    await queryClient.invalidateQueries({ queryKey: key, exact: true });
  });
  const others = { queryKey, predicate: (query: Query) => !first.includes(query) };
  await Promise.all([queryClient.invalidateQueries(others), ...afterwards]);
}

export const TASKS = ["tasks"] as const;
export const PROJECTS = ["projects"] as const;
/** The key of every change to a task that is on its way. */
export const TASK_CHANGE = ["task"] as const;

type ListKey = typeof TASKS | typeof PROJECTS;

/** When each row last changed. The answer to an older change can come after the event of a newer one. */
const newest = new Map<string, string>();

/** Of each list that is being fetched, the rows that came meanwhile: they may be newer than it will be. */
const underWay = new Set<{ key: ListKey; rows: ListedRow[] }>();

/** Puts a row the server sent into its list, or takes it out when it was deleted. */
export function upsert<Row extends ListedRow>(key: ListKey, row: Row) {
  if (row.updatedAt < (newest.get(row.id) ?? "")) return;
  newest.set(row.id, row.updatedAt);
  for (const fetched of underWay) if (fetched.key === key) fetched.rows.push(row);
  queryClient.setQueryData<Row[]>(key, (rows) => rows && withRow(rows, row));
}

/** The number of the last event that each first list already holds; the stream starts after the smallest. */
const snapshots: string[] = [];

export function snapshotId(): string | undefined {
  const count = (id: string) => Number(id.split("-")[1]);
  return snapshots.toSorted((a, b) => count(a) - count(b))[0];
}

/** A whole list. Not through Eden, which visits every value of an answer to look for dates. */
export async function fetchList<Row extends ListedRow>(key: ListKey): Promise<Row[]> {
  const meanwhile = { key, rows: [] as Row[] };
  underWay.add(meanwhile);
  try {
    const response = await fetch(`/api/${key[0]}`).catch(() => undefined); // no answer at all: told by what follows
    if (response === undefined) throw new NetworkError();
    const body: Row[] | ErrorBody = await response.json();
    if (!Array.isArray(body)) throw new ApiError(response.status, body.error.message);
    snapshots.push(response.headers.get("x-banto-event-id") ?? "");
    return meanwhile.rows.reduce(withNewer, body);
  } finally {
    underWay.delete(meanwhile);
  }
}
