// Ctrl and Alt of the key bar: one tap holds them for the next key, a second one until a third.
import { createStore } from "../../shared/stores/store.ts";
import type { Key } from "./keys.ts";

export type Hold = "off" | "once" | "locked";
export type HeldKey = "ctrl" | "alt";

const NEXT: Record<Hold, Hold> = { off: "once", once: "locked", locked: "off" };
/** Keys that a phone's keyboard brings as text. */
const NAMED: Record<string, string> = { "\r": "Enter", "\x7f": "Backspace", "\t": "Tab" };

/** A key as it would be pressed alone. */
export const plainKey = (key: string): Key => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  repeat: false,
  isRelease: false,
  isTyping: false,
});

export class HeldKeys {
  readonly store = createStore<Record<HeldKey, Hold>>({ ctrl: "off", alt: "off" });

  get isAny(): boolean {
    const { ctrl, alt } = this.store.get();
    return ctrl !== "off" || alt !== "off";
  }

  tap(name: HeldKey): void {
    this.store.set((held) => ({ ...held, [name]: NEXT[held[name]] }));
  }

  /** The key together with what is held; what was held for one key is let go. */
  join(key: Key): Key {
    if (!this.isAny) return key;
    const { ctrl, alt } = this.store.get();
    this.store.set({ ctrl: ctrl === "once" ? "off" : ctrl, alt: alt === "once" ? "off" : alt });
    return { ...key, ctrlKey: key.ctrlKey || ctrl !== "off", altKey: key.altKey || alt !== "off" };
  }

  /** The key behind a text that was typed while something is held; undefined when it is no single key. */
  keyOf(text: string): Key | undefined {
    if (!this.isAny || [...text].length !== 1) return undefined;
    // Phones like to begin with a capital; Ctrl with it would be another key.
    return this.join(plainKey(NAMED[text] ?? (this.store.get().ctrl === "off" ? text : text.toLowerCase())));
  }
}
