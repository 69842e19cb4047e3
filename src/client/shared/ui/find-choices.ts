// Which choices fit what was typed, the best first. Pure.
import { LIMITS } from "../../../contract.ts";

export interface Findable {
  id: string;
  label: string;
  detail?: string;
  group?: string;
  /** Other words for it. */
  words?: string;
}

/**
 * Every word typed must occur. What a choice is called counts for more than other words for it, and those for more than
 * where it is; the start of a word counts for more than its middle. `recent` are the ids of what was used, the last one first.
 */
export function findChoices<T extends Findable>(
  choices: readonly T[],
  typed: string,
  recent: readonly string[],
): T[] {
  const query = simple(typed.slice(0, LIMITS.query)).trim();
  if (query === "") return [...choices];
  const words = query.split(/\s+/);
  const ages = new Map(recent.map((id, index) => [id, index]));
  return choices
    .map((choice) => ({
      choice,
      rank: rankOf(choice, query, words),
      age: ages.get(choice.id) ?? recent.length,
    }))
    .filter(({ rank }) => rank < NOT_FOUND)
    .sort((a, b) => a.rank - b.rank || a.age - b.age)
    .map(({ choice }) => choice);
}

const NOT_FOUND = 1_000;

function rankOf({ label, detail = "", group = "", words = "" }: Findable, query: string, typed: string[]) {
  const [name, others, where] = [label, words, `${detail} ${group}`].map(simple) as [string, string, string];
  const ranks = typed.map((word) =>
    Math.min(rankIn(name, word, 0, 1), rankIn(others, word, 2, 4), rankIn(where, word, 3, 4)),
  );
  return ranks.reduce((sum, rank) => sum + rank, name.startsWith(query) ? -0.5 : 0);
}

function rankIn(text: string, word: string, atStart: number, inside: number): number {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !LETTER.test(text.charAt(at - 1))) return atStart;
  }
  return text.includes(word) ? inside : NOT_FOUND;
}

const LETTER = /[\p{L}\p{N}]/u;

const simple = (text: string) => text.normalize("NFKC").toLocaleLowerCase();
