// The text field over the cursor: where an input method shows what it composes, and what the
// browser's own copying, pasting and focus are about.

import { PADDING } from "../picture/fit.ts";
import { filesOf } from "./drop.ts";
import { TextInput } from "./text-input.ts";

export interface FieldEvents {
  onText(text: string): void;
  onFocus(isFocused: boolean): void;
  onPaste(text: string): void;
  onFiles(files: File[]): void;
  /** A paste "as plain text" leaves out what is none: a picture is still on the clipboard. */
  onEmptyPaste(): void;
  /** The next key is to be had at once, not when a word is settled. */
  isKeyAwaited(): boolean;
  /** What the browser's own copying is to take. */
  selectedText(): string;
}

/** In CSS pixels. */
export interface CursorBox {
  left: number;
  top: number;
  height: number;
  fontSize: number;
}

export class Field {
  readonly #field: HTMLTextAreaElement;
  readonly #input: TextInput;
  readonly #listening = new AbortController();
  #cursor: CursorBox | undefined;
  #isSummoning = false;

  constructor(field: HTMLTextAreaElement, events: FieldEvents) {
    this.#field = field;
    this.#input = new TextInput(field, {
      onText: events.onText,
      onComposition: (text) => this.#compose(text),
      isKeyAwaited: events.isKeyAwaited,
    });
    const { signal } = this.#listening;
    const focused = (isFocused: boolean) => () => {
      if (this.#isSummoning) return;
      this.#input.forget();
      events.onFocus(isFocused);
    };
    field.addEventListener("focus", focused(true), { signal });
    field.addEventListener("blur", focused(false), { signal });
    const onPaste = (event: ClipboardEvent) => {
      event.preventDefault();
      const files = filesOf(event.clipboardData);
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (files.length > 0) events.onFiles(files);
      else if (text !== "") events.onPaste(text);
      else events.onEmptyPaste();
    };
    const onCopy = (event: ClipboardEvent) => {
      event.preventDefault();
      event.clipboardData?.setData("text/plain", events.selectedText());
    };
    field.addEventListener("paste", onPaste, { signal });
    field.addEventListener("copy", onCopy, { signal });
  }

  get isComposing(): boolean {
    return this.#input.isComposing;
  }

  focus = () => this.#field.focus({ preventScroll: true });

  /** A keyboard that was put away comes back only for a field that was not focused. */
  summonKeyboard(): void {
    this.#isSummoning = document.activeElement === this.#field;
    if (this.#isSummoning) this.#field.blur();
    this.focus();
    this.#isSummoning = false;
  }

  /** What is being composed is typed as it stands: a key of the bar comes after it. */
  settle = () => this.#input.settle();

  /** A key was pressed that is no text: what was typed before it can't be corrected any more. */
  forget = () => this.#input.forget();

  /** Goes with the cursor, so that candidates are offered beside it. */
  place(cursor: CursorBox): void {
    this.#cursor = cursor;
    const { style } = this.#field;
    style.left = `${cursor.left}px`;
    style.top = `${cursor.top}px`;
    style.height = `${cursor.height}px`;
    // Phones zoom into a field whose letters are smaller.
    const least = matchMedia("(pointer: coarse)").matches ? 16 : 0;
    style.fontSize = `${Math.max(least, cursor.fontSize)}px`;
  }

  dispose(): void {
    this.#listening.abort();
    this.#input.dispose();
  }

  /** What is composed is shown where it will stand. */
  #compose(text: string): void {
    const { left = 0, fontSize = 0 } = this.#cursor ?? {};
    const room = (this.#field.parentElement?.clientWidth ?? 0) - left - PADDING;
    const width = Math.min(room, [...text].length * fontSize * 1.25 + 4);
    this.#field.toggleAttribute("data-composing", text !== "");
    this.#field.style.width = text === "" ? "" : `${width}px`;
  }
}
