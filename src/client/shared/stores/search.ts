import { createStore } from "./store.ts";

/** What is typed into the search field, which every page follows. */
export const search = createStore("");
