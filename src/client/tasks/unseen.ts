// What somebody or something else did to this board's agents, until a person has seen it in this browser.

import { useQuery } from "@tanstack/react-query";
import type { Actor } from "../../contract.ts";
import { api, queryClient, unwrap } from "../shared/api/client.ts";
import { ownLogin } from "../shared/api/page-key.ts";
import type { AuditEntry } from "../shared/api/rows.ts";
import { createStore, useStore } from "../shared/stores/store.ts";
import { askOf } from "./audit.ts";
import { isUnseen, placeOf, readSeen, type Seen, shortened, withSeen } from "./seen.ts";

const UNSEEN = ["unseen"];
const KEY = "banto.audit-seen";
const PAGE = 500;

const seen = createStore<Seen | null>(recall());

window.addEventListener("storage", ({ key }) => {
  if (key === KEY) seen.set(recall()); // another tab has shown it
});

seen.subscribe(() => {
  try {
    localStorage.setItem(KEY, JSON.stringify(seen.get()));
  } catch {
    // The storage is full: it is told again after a reload.
  }
});

function recall(): Seen | null {
  try {
    return readSeen(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

/** Everything since what has been seen, newest first. A new browser begins with what happens from now on. */
async function fetchUnseen(): Promise<AuditEntry[]> {
  const get = (query: { after?: number; before?: number; limit: number }) => unwrap(api.audit.get({ query }));
  const after = seen.get()?.all;
  if (after === undefined) {
    const [newest] = await get({ limit: 1 });
    seen.set({ all: newest?.id ?? 0, places: {} });
    return [];
  }
  const entries = await get({ after, limit: PAGE });
  for (let page = entries; page.length === PAGE; ) {
    page = await get({ after, limit: PAGE, before: page.at(-1)?.id ?? 0 });
    entries.push(...page);
  }
  seen.set((known) => known && shortened(known, entries, isTold));
  return entries;
}

/** Requests that were answered in this tab, whose person knows. */
const answered = new Set<string>();
export const noteOwnAnswer = (ask: string) => answered.add(ask);

/** A browser's changes count as this one's while it doesn't know its login. */
const isOwn = ({ by, login }: Actor) => by === "browser" && [null, login].includes(ownLogin());

/** Whether its person doesn't know of it anyway. */
function isTold(entry: AuditEntry): boolean {
  const { action, who, detail } = entry;
  const isSurelyOwn = ownLogin() !== null && isOwn(who);
  if (action === "answer_too_late") return false; // the answer itself is told
  if (action === "answer") return !answered.has(askOf(entry)?.id ?? "") && !isSurelyOwn;
  if (action === "sign_in") return !isSurelyOwn;
  if (action !== "ask_over") return !isOwn(who);
  const typed = detail.typed as Actor[];
  return detail.hasEnded !== true && !(typed.length > 0 && typed.every(isOwn));
}

/** Newest first. */
export function useUnseen(isIn: (place: string, entry: AuditEntry) => boolean): AuditEntry[] {
  const { data = [] } = useQuery({ queryKey: UNSEEN, queryFn: fetchUnseen });
  const known = useStore(seen);
  return data.filter((entry) => isIn(placeOf(entry), entry) && isUnseen(known, entry) && isTold(entry));
}

export function takeUnseen(entry: AuditEntry) {
  queryClient.setQueryData<AuditEntry[]>(UNSEEN, (before) =>
    before?.some(({ id }) => id >= entry.id) ? before : before && [entry, ...before],
  );
}

/** Shown to the person: this entry and those of its place before it. */
export function markSeen(entry: AuditEntry) {
  const entries = queryClient.getQueryData<AuditEntry[]>(UNSEEN) ?? [];
  seen.set((known) =>
    known && isUnseen(known, entry) ? shortened(withSeen(known, entry), entries, isTold) : known,
  );
}
