// Ctrl and Alt of the key bar. A tap holds one for the next key, a second tap locks it until a third.
import { createStore } from "../../shared/stores/store.ts";
import type { Key } from "./key.ts";

export type Hold = "off" | "once" | "locked";
export type Modifier = "ctrl" | "alt";

const NEXT: Record<Hold, Hold> = { off: "once", once: "locked", locked: "off" };
/** Keys that phones report as text. */
const NAMED: Record<string, string> = { "\r": "Enter", "\x7f": "Backspace", "\t": "Tab" };

/** A key without modifiers. */
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

export class StickyModifiers {
  readonly store = createStore<Record<Modifier, Hold>>({ ctrl: "off", alt: "off" });

  get isAny(): boolean {
    const { ctrl, alt } = this.store.get();
    return ctrl !== "off" || alt !== "off";
  }

  tap(name: Modifier): void {
    this.store.set((holds) => ({ ...holds, [name]: NEXT[holds[name]] }));
  }

  /** The key with the modifiers applied. They are released unless they are locked. */
  apply(key: Key): Key {
    if (!this.isAny) return key;
    const { ctrl, alt } = this.store.get();
    this.store.set({ ctrl: ctrl === "once" ? "off" : ctrl, alt: alt === "once" ? "off" : alt });
    return { ...key, ctrlKey: key.ctrlKey || ctrl !== "off", altKey: key.altKey || alt !== "off" };
  }

  /** The key for text that was typed with modifiers; undefined without modifiers, or if it isn't one key. */
  keyOf(text: string): Key | undefined {
    if (!this.isAny || [...text].length !== 1) return undefined;
    // Phones capitalise the first letter, but Ctrl with a capital is a different key.
    return this.apply(plainKey(NAMED[text] ?? (this.store.get().ctrl === "off" ? text : text.toLowerCase())));
  }
}
