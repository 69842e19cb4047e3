import { createStore } from "./store.ts";

/**
 * The task whose terminal is to have the keyboard as soon as it is there: its panel has to open, the engine
 * to load, perhaps an agent to start. Null when nobody asked for one.
 */
export const wantedTerminal = createStore<string | null>(null);
