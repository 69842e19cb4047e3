// Of what a program tells in a flood only the newest of each kind is worth passing on, in the order it was told.
import type { Happening } from "../vt/sticky.ts";

/** Each says something of its own, so a few of them are kept. */
const NOTIFICATIONS = 20;

export class Newest<T> {
  #items: T[] = [];
  readonly #kindOf: (item: T) => Happening["type"];

  constructor(kindOf: (item: T) => Happening["type"]) {
    this.#kindOf = kindOf;
  }

  add(item: T): void {
    const kind = this.#kindOf(item);
    const alike = this.#items.filter((other) => this.#kindOf(other) === kind);
    const limit = kind === "notification" ? NOTIFICATIONS : 1;
    const [oldest] = alike;
    if (oldest !== undefined && alike.length >= limit) this.#items.splice(this.#items.indexOf(oldest), 1);
    this.#items.push(item);
  }

  take(): T[] {
    return this.#items.splice(0);
  }
}
