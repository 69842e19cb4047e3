import { createStore } from "./store.ts";

const room = window.matchMedia("(min-width: 1024px)");

/** The window has room for only one thing at a time: a column, or a card's panel. */
export const isNarrow = createStore(!room.matches);

room.addEventListener("change", () => isNarrow.set(!room.matches));
