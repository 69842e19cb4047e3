import { createStore } from "../../shared/stores/store.ts";
import type { Switches } from "./need.ts";

const KEY = "banto.notify";

/** Off until a person turns them on. */
const OFF: Switches = { desktop: false, sound: false, ends: true };

function read(): Switches {
  try {
    return { ...OFF, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return OFF; // something else wrote it, or it is broken
  }
}

/** Shared by all windows of this browser. */
export const switches = createStore(read());

export function setSwitch(name: keyof Switches, isOn: boolean) {
  switches.set((current) => ({ ...current, [name]: isOn }));
  localStorage.setItem(KEY, JSON.stringify(switches.get()));
}

window.addEventListener("storage", ({ key }) => {
  if (key === KEY) switches.set(read());
});
