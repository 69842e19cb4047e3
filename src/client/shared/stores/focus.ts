import { createStore } from "./store.ts";

/** The card the keys act on. With `wanted`, its element takes the focus as soon as it exists. */
export const focus = createStore<{ id: string | null; wanted: boolean }>({ id: null, wanted: false });

export const focusTask = (id: string | null) => focus.set({ id, wanted: id !== null });

/** The person is typing elsewhere now: a card that was to take the focus must not steal it later. */
export const withdrawFocus = () => focus.set(({ id }) => ({ id, wanted: false }));
