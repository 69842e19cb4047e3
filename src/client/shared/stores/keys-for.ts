import { createStore } from "./store.ts";

/** The task that single-key shortcuts act on now; null while typing goes elsewhere. */
export const keysFor = createStore<string | null>(null);
