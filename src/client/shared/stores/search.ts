import { createStore } from "./store.ts";

/** The text in the search field. Every page filters by it. */
export const search = createStore("");
