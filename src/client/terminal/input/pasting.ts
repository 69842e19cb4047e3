// Pastes text. Several lines need a confirmation if the program would run each of them.
import { preparePaste } from "../../../vt/paste.ts";
import type { StatusStore } from "../status.ts";
import { asOneLine, isSeveralLines, PASTE_LIMIT } from "./paste-text.ts";

interface PastingOptions {
  status: StatusStore;
  /** The program wants to know what is pasted. */
  isBracketed(): boolean;
  /** False when nothing can be typed now. */
  type(text: string): boolean;
}

export class Pasting {
  readonly #options: PastingOptions;

  constructor(options: PastingOptions) {
    this.#options = options;
  }

  paste(text: string): void {
    const { status, isBracketed } = this.#options;
    if (text === "") return;
    status.patch({ paste: undefined, problem: undefined });
    if (text.length > PASTE_LIMIT) {
      const millions = (text.length / 1e6).toFixed(1);
      const words = `That is too long to paste: ${millions} million characters. Put it into a file instead.`;
      status.patch({ problem: { text: words, isFatal: false } });
    } else if (!isBracketed() && isSeveralLines(text)) status.patch({ paste: text });
    else this.insert(text);
  }

  /** Without a confirmation. */
  insert = (text: string): boolean => {
    const { status, isBracketed, type } = this.#options;
    status.patch({ paste: undefined });
    return type(preparePaste(text, isBracketed()));
  };
  insertAsOneLine = (text: string) => this.insert(asOneLine(text));
  cancel = () => this.#options.status.patch({ paste: undefined });
}
