// The text field over the cursor. It has the focus, shows what an input method composes, and receives the browser's
// copy and paste events.
import { filesOf } from "../../shared/ui/transferred-files.ts";
import { PADDING } from "../picture/fit.ts";
import { TypedText } from "./typed-text.ts";

export interface InputFieldEvents {
  onText(text: string): void;
  onFocus(isFocused: boolean): void;
  onPaste(text: string): void;
  onFiles(files: File[]): void;
  /** "Paste as plain text" with a picture in the clipboard pastes nothing. */
  onEmptyPaste(): void;
  /** The next character is needed at once, before its word is complete. */
  needsSingleKey(): boolean;
  selectedText(): string;
}

/** In CSS pixels. */
export interface CursorBox {
  left: number;
  top: number;
  height: number;
  fontSize: number;
}

export class InputField {
  readonly #field: HTMLTextAreaElement;
  readonly #input: TypedText;
  readonly #listening = new AbortController();
  #cursor: CursorBox | undefined;
  #isRefocusing = false;

  constructor(field: HTMLTextAreaElement, events: InputFieldEvents) {
    this.#field = field;
    this.#input = new TypedText(field, {
      onText: events.onText,
      onComposition: (text) => this.#compose(text),
      needsSingleKey: events.needsSingleKey,
    });
    const { signal } = this.#listening;
    const focused = (isFocused: boolean) => () => {
      if (this.#isRefocusing) return;
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

  /** A phone's keyboard that was dismissed comes back only when the field gets the focus again. */
  showKeyboard(): void {
    this.#isRefocusing = document.activeElement === this.#field;
    if (this.#isRefocusing) this.#field.blur();
    this.focus();
    this.#isRefocusing = false;
  }

  toggleKeyboard(): void {
    if (document.activeElement === this.#field) this.#field.blur();
    else this.focus();
  }

  /** Types what is being composed, as it is. */
  commit = () => this.#input.commit();

  /** After a key that isn't text, what was typed before can't be corrected any more. */
  forget = () => this.#input.forget();

  /** Moves with the cursor, so that an input method shows its candidates there. */
  place(cursor: CursorBox): void {
    this.#cursor = cursor;
    const { style } = this.#field;
    style.left = `${cursor.left}px`;
    style.top = `${cursor.top}px`;
    style.height = `${cursor.height}px`;
    this.#field.parentElement?.style.setProperty("--cursor-end", `${cursor.top + cursor.height}px`);
    // Phones zoom into fields with smaller letters.
    const least = matchMedia("(pointer: coarse)").matches ? 16 : 0;
    style.fontSize = `${Math.max(least, cursor.fontSize)}px`;
  }

  dispose(): void {
    this.#listening.abort();
    this.#input.dispose();
  }

  /** Shows what is being composed at the cursor. */
  #compose(text: string): void {
    const { left = 0, fontSize = 0 } = this.#cursor ?? {};
    const room = (this.#field.parentElement?.clientWidth ?? 0) - left - PADDING;
    const width = Math.min(room, [...text].length * fontSize * 1.25 + 4);
    this.#field.toggleAttribute("data-composing", text !== "");
    this.#field.style.width = text === "" ? "" : `${width}px`;
  }
}
