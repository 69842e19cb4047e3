import { createStore } from "./store.ts";

/** The card the keys act on. `wanted` asks its element to take the focus as soon as it is there. */
export const focus = createStore<{ id: string | null; wanted: boolean }>({ id: null, wanted: false });

export const focusTask = (id: string | null) => focus.set({ id, wanted: id !== null });

/** A person types elsewhere now: a card that was to have the keyboard may come only much later. */
export const withdrawFocus = () => focus.set(({ id }) => ({ id, wanted: false }));
