import { createStore } from "./store.ts";

/**
 * The task whose terminal takes the focus as soon as it exists: until then its panel has to open, the engine to load,
 * perhaps an agent to start. Null when nobody asked for one.
 */
export const wantedTerminal = createStore<string | null>(null);
