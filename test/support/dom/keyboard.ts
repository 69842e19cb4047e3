// What a browser does with a key after the page has seen it.
import type { DomScope } from "./scope.ts";

interface Field extends HTMLInputElement {
  value: string;
}

const CODES: Record<string, { key: string; code: string }> = {
  Backquote: { key: "`", code: "Backquote" },
  Space: { key: " ", code: "Space" },
};
const MODIFIERS = ["Control", "Shift", "Alt", "Meta"];
const TABBABLE =
  "input:not([disabled]), textarea:not([disabled]), select:not([disabled]), button:not([disabled]), a[href], summary, [tabindex]";

export class DomKeyboard {
  constructor(private readonly scope: () => DomScope) {}

  /** As Playwright names keys: `Control+Shift+a`. */
  async press(chord: string): Promise<void> {
    const parts = chord.split(/\+(?=.)/);
    const name = parts.pop() ?? "";
    const { key, code } = CODES[name] ?? { key: name, code: codeOf(name) };
    const held = new Set(parts);
    const shown = held.has("Shift") && key.length === 1 ? key.toUpperCase() : key;
    await this.strike(shown, code, held);
  }

  async type(text: string): Promise<void> {
    for (const key of text) await this.strike(key === "\n" ? "Enter" : key, codeOf(key), new Set());
  }

  private async strike(key: string, code: string, held: Set<string>): Promise<void> {
    const { window } = this.scope();
    const { document } = window;
    const init = {
      ...{ key, code, bubbles: true, cancelable: true, composed: true },
      ...Object.fromEntries(
        MODIFIERS.map((name) => [`${name === "Control" ? "ctrl" : name.toLowerCase()}Key`, held.has(name)]),
      ),
    };
    const target = () => (document.activeElement ?? document.body) as unknown as HTMLElement;
    const send = (type: string) =>
      target().dispatchEvent(new window.KeyboardEvent(type, init) as unknown as Event);
    if (send("keydown")) this.act(target(), key, held);
    send("keyup");
    await settle();
  }

  private act(target: HTMLElement, key: string, held: Set<string>): void {
    const isText = isTextField(target);
    const hasCommand = held.has("Control") || held.has("Meta") || held.has("Alt");
    const isButton = target.matches("button, summary, a[href]") && !hasCommand;
    const presses = key === "Enter" || (key === " " && !target.matches("a[href]"));
    if (key === "Tab") this.moveFocus(held.has("Shift") ? -1 : 1);
    else if (key === "Escape") this.cancelDialog();
    else if (isText && key === "a" && held.has("Control")) (target as Field).select();
    else if (isText && !hasCommand) this.edit(target as Field, key);
    else if (isButton && presses) target.click();
    else if (target.matches("input[type=checkbox], input[type=radio]") && key === " ") target.click();
  }

  private edit(field: Field, key: string): void {
    const { value } = field;
    const from = field.selectionStart ?? value.length;
    const to = field.selectionEnd ?? value.length;
    const put = (text: string, start = from, end = to) => {
      this.setValue(field, value.slice(0, start) + text + value.slice(end));
      field.setSelectionRange(start + text.length, start + text.length);
    };
    const move = (to: number) => field.setSelectionRange(to, to);
    if (key.length === 1) put(key);
    else if (key === "Backspace") put("", from === to ? Math.max(0, from - 1) : from);
    else if (key === "Delete") put("", from, from === to ? to + 1 : to);
    else if (key === "ArrowLeft") move(Math.max(0, from - 1));
    else if (key === "ArrowRight") move(Math.min(value.length, to + 1));
    else if (key === "Home") move(0);
    else if (key === "End") move(value.length);
    else if (key === "Enter" && field.matches("textarea")) put("\n");
    else if (key === "Enter") this.submit(field);
  }

  private submit(field: Field): void {
    const button = field.form?.querySelector<HTMLElement>("button:not([type=button]):not([disabled])");
    if (button) button.click();
    else field.form?.requestSubmit();
  }

  /** As if it had been typed: React hears of it. */
  setValue(field: Field, value: string): void {
    const { window } = this.scope();
    const kind = field.tagName === "TEXTAREA" ? window.HTMLTextAreaElement : window.HTMLInputElement;
    Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(field, value);
    field.dispatchEvent(new window.InputEvent("input", { bubbles: true }) as unknown as Event);
  }

  private moveFocus(by: number): void {
    const { document } = this.scope().window;
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
    const all = [...(dialog ?? document).querySelectorAll(TABBABLE)] as unknown as HTMLElement[];
    const stops = all.filter((element) => element.tabIndex >= 0 && element.closest("[inert]") === null);
    const at = stops.indexOf(document.activeElement as unknown as HTMLElement);
    stops.at((at + by + stops.length) % stops.length)?.focus();
  }

  private cancelDialog(): void {
    const { document, Event } = this.scope().window;
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
    if (dialog === undefined) return;
    if (dialog.dispatchEvent(new Event("cancel", { cancelable: true })))
      (dialog as unknown as HTMLDialogElement).close();
  }
}

export const isTextField = (element: Element): element is Field =>
  element.matches("textarea, input:not([type=checkbox]):not([type=radio]):not([type=file])");

const codeOf = (key: string): string => {
  if (/^[a-z]$/i.test(key)) return `Key${key.toUpperCase()}`;
  return /^\d$/.test(key) ? `Digit${key}` : key;
};

/** What React and promises do right after an event. */
export const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
