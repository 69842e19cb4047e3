// The find bar's side of finding: what was asked, what there is, and which one is looked at.
import type { Emulator } from "../engine/emulator.ts";
import type { Overlay } from "../picture/renderer.ts";
import { findMatches, type Match } from "./find.ts";

const NONE: Overlay["matches"] = [];

export class Finder {
  readonly #emulator: Emulator;
  #query = "";
  #matches: Match[] = [];
  #current = -1;
  #byLine = new Map<number, Overlay["matches"]>();

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  get count(): number {
    return this.#matches.length;
  }

  get current(): number {
    return this.#current;
  }

  /** The newest one is the one that was probably meant. Gives the line to show. */
  ask(query: string): number | undefined {
    this.#query = query;
    this.#search();
    this.#current = this.#matches.length - 1;
    return this.#show();
  }

  /** Up is towards older ones, and round at the ends. Looks again: there may be more output by now. */
  step(by: 1 | -1): number | undefined {
    const before = this.#matches[this.#current]?.[0];
    this.#search();
    const { length } = this.#matches;
    const at = this.#matches.findIndex(
      ([first]) => first?.line === before?.line && first?.start === before?.start,
    );
    const from = at >= 0 ? at : Math.min(this.#current, length - 1);
    this.#current = length === 0 ? -1 : (from + by + length) % length;
    return this.#show();
  }

  spansOf = (line: number): Overlay["matches"] => this.#byLine.get(line) ?? NONE;

  clear(): void {
    this.ask("");
  }

  #search(): void {
    this.#matches = findMatches(this.#emulator, this.#query);
  }

  #show(): number | undefined {
    const spans = this.#matches.flatMap((match, index) =>
      match.map(({ line, start, end }) => ({ line, start, end, isCurrent: index === this.#current })),
    );
    this.#byLine = Map.groupBy(spans, ({ line }) => line);
    return this.#matches[this.#current]?.[0]?.line;
  }
}
