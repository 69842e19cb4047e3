import { treaty } from "@elysia/eden";
import { MutationCache, type Query, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from "../../../contract.ts";
import type { App } from "../../../server/app.ts";
import { createStore } from "../stores/store.ts";
import { pageKeyHeader } from "./page-key.ts";

// parseDate off: Eden would turn a title such as "2026-11-16" into a Date.
export const { api } = treaty<App>(location.origin, { parseDate: false, headers: pageKeyHeader });

/** The server refused, and says why. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The server could not be reached at all. */
export class NetworkError extends Error {
  constructor() {
    super("Couldn't reach the server.");
  }
}

const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

/** The status decides first: a proxy in between may send one without banto's error code. */
export function refusal(status: number, body: unknown): ApiError {
  const { code: given, message } = (body as Partial<ErrorBody> | null)?.error ?? {};
  const codes = CODES.filter((each) => ERROR_STATUS[each] === status);
  const code = codes.find((each) => each === given) ?? codes[0] ?? "internal";
  return new ApiError(code, message ?? `The server answered ${status}.`);
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
  throw refusal(status, error.value);
}

export const isSignedOut = createStore(false);
/** This browser has the cookie but no page key: an older banto let it in, or what the page kept was cleared. */
export const hasHalfLogin = createStore(false);

export const isSignOut = (error: Error) => error instanceof ApiError && ERROR_STATUS[error.code] === 401;

const noticeSignOut = (error: Error) => {
  if (!isSignOut(error)) return;
  hasHalfLogin.set((error as ApiError).code === "half_login");
  isSignedOut.set(true);
};

/** Only a request that never reached the server is worth trying again. */
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

/** Sends a change from outside a component, with the retries of every mutation. */
export const mutate = <T>(mutationFn: () => Promise<T>): Promise<T> =>
  queryClient.getMutationCache().build(queryClient, { mutationFn }).execute(undefined);

const isFirstFetch = ({ state }: Query) => state.fetchStatus === "fetching" && state.data === undefined;

/**
 * Refetches what is cached under this key and shown. A first fetch is left to finish before that: the query client
 * would join it instead of starting another, and its answer may be older than the change.
 */
export async function invalidate(queryKey: QueryKey = []): Promise<void> {
  const first = queryClient.getQueryCache().findAll({ queryKey, predicate: isFirstFetch });
  const afterwards = first.map(async ({ promise, queryKey: key }) => {
    await promise?.catch(() => {}); // its own caller reports it
    await queryClient.invalidateQueries({ queryKey: key, exact: true });
  });
  const others = { queryKey, predicate: (query: Query) => !first.includes(query) };
  await Promise.all([queryClient.invalidateQueries(others), ...afterwards]);
}
