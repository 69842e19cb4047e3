// Everything that is typed, pasted or dropped into a terminal.
import type { Screen } from "../screen/screen.ts";
import type { StatusStore } from "../status.ts";
import { listenToDrop } from "./drop.ts";
import { createEditActions, type EditActions } from "./edit-actions.ts";
import { encodeKey } from "./encode-key.ts";
import { InputField } from "./input-field.ts";
import type { Key } from "./key.ts";
import { keyModes, listenToKeys } from "./keyboard.ts";
import { Pasting } from "./pasting.ts";
import { createShortcuts, type ShortcutOptions } from "./shortcuts.ts";
import { StickyModifiers } from "./sticky-modifiers.ts";
import { Uploads } from "./uploads.ts";

interface TerminalInputOptions {
  screen: Screen;
  status: StatusStore;
  field: HTMLTextAreaElement;
  dropTarget: HTMLElement;
  /** Where dropped and pasted files are stored. */
  filesPath: string;
  shortcuts: ShortcutOptions;
  /** False when nothing can be typed now. */
  type(text: string): boolean;
  /** Sends what nobody typed: key releases, for instance. */
  report(text: string): void;
  onFocus(isFocused: boolean): void;
}

export class TerminalInput {
  readonly modifiers = new StickyModifiers();
  readonly pasting: Pasting;
  readonly uploads: Uploads;
  readonly edit: EditActions;
  readonly field: InputField;
  readonly #options: TerminalInputOptions;
  readonly #stops: (() => void)[];

  constructor(options: TerminalInputOptions) {
    const { screen, status, type } = options;
    this.#options = options;
    this.pasting = new Pasting({ status, isBracketed: () => screen.emulator.mode(2004), type });
    this.uploads = new Uploads({ url: options.filesPath, status, insert: this.pasting.insert });
    this.edit = createEditActions({ screen, status, pasting: this.pasting, uploads: this.uploads });
    this.field = new InputField(options.field, {
      onText: (text) => this.#typed(text),
      onFocus: options.onFocus,
      onPaste: (text) => this.pasting.paste(text),
      onFiles: (files) => this.uploads.add(files),
      onEmptyPaste: () => this.edit.paste(),
      needsSingleKey: () => this.modifiers.isAny,
      selectedText: () => screen.selection.text(),
    });
    this.#stops = [this.#listenToKeys(), this.#listenToDrop()];
  }

  /** A key of the key bar. */
  press(key: Key): void {
    this.field.commit();
    this.field.forget();
    this.#options.type(this.#encode(this.modifiers.apply(key)) ?? key.key);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.field.dispose();
    this.uploads.dispose();
  }

  #encode = (key: Key) => encodeKey(key, keyModes(this.#options.screen.emulator));

  #typed(text: string): void {
    const key = this.modifiers.keyOf(text);
    this.#options.type((key && this.#encode(key)) ?? text);
  }

  #listenToKeys(): () => void {
    const { field, screen, shortcuts, type, report } = this.#options;
    return listenToKeys(field, screen.emulator, {
      onInput: (text) => {
        this.field.forget();
        type(text);
      },
      onReport: report,
      onShortcut: createShortcuts(screen, this.edit.copy, shortcuts),
      applyModifiers: (key) => this.modifiers.apply(key),
      hasSelection: () => !screen.selection.isEmpty,
      isComposing: () => this.field.isComposing,
    });
  }

  #listenToDrop(): () => void {
    const { dropTarget, status } = this.#options;
    return listenToDrop(dropTarget, {
      onOver: (isDropTarget) => status.patch({ isDropTarget }),
      onFiles: (files) => {
        this.field.focus();
        this.uploads.add(files);
      },
      onText: (text) => {
        this.field.focus();
        this.pasting.paste(text);
      },
    });
  }
}
