// A search in the terminal: the query, its matches, and the current one.
import type { LineSource, Span } from "../engine/lines.ts";
import { findMatches, type Match } from "./find.ts";

type MatchSpans = readonly (Span & { isCurrent: boolean })[];

const NONE: MatchSpans = [];

export class Finder {
  readonly #source: LineSource;
  #query = "";
  #matches: Match[] = [];
  #current = -1;
  #byLine = new Map<number, MatchSpans>();

  constructor(source: LineSource) {
    this.#source = source;
  }

  get count(): number {
    return this.#matches.length;
  }

  get current(): number {
    return this.#current;
  }

  /** Starts at the newest match. Returns the line to show. */
  search(query: string): number | undefined {
    this.#query = query;
    this.#find();
    this.#current = this.#matches.length - 1;
    return this.#show();
  }

  /** Wraps around at the ends. Searches again, as there may be new output. */
  step(by: 1 | -1): number | undefined {
    const before = this.#matches[this.#current]?.[0];
    this.#find();
    const { length } = this.#matches;
    const at = this.#matches.findIndex(
      ([first]) => first?.line === before?.line && first?.start === before?.start,
    );
    const from = at >= 0 ? at : Math.min(this.#current, length - 1);
    this.#current = length === 0 ? -1 : (from + by + length) % length;
    return this.#show();
  }

  spansOf = (line: number): MatchSpans => this.#byLine.get(line) ?? NONE;

  #find(): void {
    this.#matches = findMatches(this.#source, this.#query);
  }

  #show(): number | undefined {
    const spans = this.#matches.flatMap((match, index) =>
      match.map(({ line, start, end }) => ({ line, start, end, isCurrent: index === this.#current })),
    );
    this.#byLine = Map.groupBy(spans, ({ line }) => line);
    return this.#matches[this.#current]?.[0]?.line;
  }
}
