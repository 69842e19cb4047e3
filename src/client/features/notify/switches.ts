import { createStore } from "../../shared/stores/store.ts";
import type { Switches } from "./need.ts";

const KEY = "banto.notify";

/** Nothing asks for attention until a person wants it to. */
const OFF: Switches = { desktop: false, sound: false, ends: true };

function read(): Switches {
  try {
    return { ...OFF, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return OFF; // somebody else's, or broken
  }
}

/** For this browser, in all of its windows. */
export const switches = createStore(read());

export function setSwitch(name: keyof Switches, isOn: boolean) {
  switches.set((current) => ({ ...current, [name]: isOn }));
  localStorage.setItem(KEY, JSON.stringify(switches.get()));
}

window.addEventListener("storage", ({ key }) => {
  if (key === KEY) switches.set(read());
});
