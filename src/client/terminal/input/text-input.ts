// The hidden text field that keyboards, input methods, dead keys and phones type into. What it came
// to hold since the last look is what was typed: an addition, or a correction of what it held before.

/** Something to delete even when nothing was typed: a phone's backspace is silent on an empty field. */
const FILLER = "\u200b";
const BACKSPACE = "\x7f";
/** Kept, so that a phone can correct the word it is in; not for ever. */
const KEEP = 200;

export interface TextInputEvents {
  onText(text: string): void;
  /** What is being composed; empty when it is over. */
  onComposition(text: string): void;
  /** The next key is to be had at once, not when a word is settled. */
  isKeyAwaited(): boolean;
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

export class TextInput {
  readonly #field: HTMLTextAreaElement;
  readonly #events: TextInputEvents;
  #held = FILLER;
  #isComposing = false;
  readonly #stop = new AbortController();

  constructor(field: HTMLTextAreaElement, events: TextInputEvents) {
    this.#field = field;
    this.#events = events;
    const on = <K extends keyof HTMLElementEventMap>(type: K, act: (event: HTMLElementEventMap[K]) => void) =>
      field.addEventListener(type, act, { signal: this.#stop.signal });
    on("compositionstart", () => {
      this.#isComposing = true;
    });
    on("compositionupdate", (event) => events.onComposition(event.data));
    on("compositionend", () => {
      if (!this.#isComposing) return; // settled before
      this.#isComposing = false;
      events.onComposition("");
      this.#take();
    });
    on("input", () => {
      if (!this.#isComposing) this.#take();
      // Phones compose every word: Ctrl with its first letter is not to wait for the last.
      else if (events.isKeyAwaited()) this.settle();
    });
    this.forget();
  }

  get isComposing(): boolean {
    return this.#isComposing;
  }

  /** What was typed before has nothing to do with what comes: a key was pressed, or the field left. */
  forget(): void {
    if (this.#isComposing) return;
    this.#held = FILLER;
    this.#field.value = FILLER;
    this.#field.setSelectionRange(FILLER.length, FILLER.length);
  }

  /** Ends a composition where it is. */
  settle(): void {
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
