// Finds out what was typed from how the input field's text changed. Keyboards, input methods, dead keys and phones each
// change it in their own way.

/** A phone's backspace does nothing in an empty field, so the field is never empty. */
const FILLER = "\u200b";
const BACKSPACE = "\x7f";
/** How much text stays in the field, so that a phone can correct the last words. */
const KEEP = 200;

export interface TypedTextEvents {
  onText(text: string): void;
  /** What is being composed; empty when it is over. */
  onComposition(text: string): void;
  /** The next character is needed at once, before its word is complete. */
  needsSingleKey(): boolean;
}

/** What to type for a field that held `before` and now holds `after`. */
export function difference(before: string, after: string): string {
  const a = [...before.replaceAll(FILLER, "")];
  const b = [...after.replaceAll(FILLER, "")];
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  const typed = BACKSPACE.repeat(a.length - same) + b.slice(same).join("").replaceAll("\n", "\r");
  const isFillerGone = before.includes(FILLER) && !after.includes(FILLER);
  return typed === "" && isFillerGone ? BACKSPACE : typed;
}

export class TypedText {
  readonly #field: HTMLTextAreaElement;
  readonly #events: TypedTextEvents;
  #held = FILLER;
  #isComposing = false;
  readonly #stop = new AbortController();

  constructor(field: HTMLTextAreaElement, events: TypedTextEvents) {
    this.#field = field;
    this.#events = events;
    const on = <K extends keyof HTMLElementEventMap>(type: K, act: (event: HTMLElementEventMap[K]) => void) =>
      field.addEventListener(type, act, { signal: this.#stop.signal });
    on("compositionstart", () => {
      this.#isComposing = true;
    });
    on("compositionupdate", (event) => events.onComposition(event.data));
    on("compositionend", () => {
      if (!this.#isComposing) return; // committed before
      this.#isComposing = false;
      events.onComposition("");
      this.#take();
    });
    on("input", () => {
      if (!this.#isComposing) this.#take();
      // Phones compose whole words, but Ctrl with the first letter must not wait for the rest.
      else if (events.needsSingleKey()) this.commit();
    });
    this.forget();
  }

  get isComposing(): boolean {
    return this.#isComposing;
  }

  /** What was typed before can't be corrected any more. */
  forget(): void {
    if (this.#isComposing) return;
    this.#held = FILLER;
    this.#field.value = FILLER;
    this.#field.setSelectionRange(FILLER.length, FILLER.length);
  }

  /** Ends a composition where it is. */
  commit(): void {
    if (!this.#isComposing) return;
    this.#isComposing = false;
    this.#events.onComposition("");
    this.#take();
    this.forget();
  }

  dispose(): void {
    this.#stop.abort();
  }

  #take(): void {
    const { value } = this.#field;
    const typed = difference(this.#held, value);
    this.#held = value;
    if (typed !== "") this.#events.onText(typed);
    if (!value.startsWith(FILLER) || value.length > KEEP || typed.includes("\r")) this.forget();
  }
}
