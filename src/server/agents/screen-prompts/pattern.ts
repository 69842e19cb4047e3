// A person's pattern for a line of the screen. It is a regular expression whose time grows with the line's length and no
// faster: what is on the screen an agent has written, and must not be able to hold up the server. So there is nothing in
// it that would need to go back: no look-around, no back-reference.

/** Does a line contain it? */
export type Pattern = (line: string) => boolean;

export class PatternError extends Error {}

type Node =
  | { type: "char"; test(char: string): boolean }
  | { type: "assert"; holds(before: string | undefined, after: string | undefined): boolean }
  | { type: "all" | "any"; nodes: Node[] }
  | { type: "repeat"; node: Node; least: number; most: number };

type Step =
  | Extract<Node, { type: "char" | "assert" }>
  /** Goes on at each of these. */
  | { type: "go"; to: number[] };

const MOST_LENGTH = 200;
const MOST_STEPS = 250;
const MOST_DEPTH = 20;
/** Of a line; nobody's terminal is wider. */
const MOST_CHARS = 500;

const TOKEN = /^(?:\[(?:\\.|[^\]\\])*\]|\\[pPu]\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\.|[\s\S])/u;
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/;
const isWord = (char: string | undefined) => char !== undefined && /\w/.test(char);

/** Throws a PatternError that says what is wrong with it. */
export function compilePattern(source: string): Pattern {
  if (source === "" || source.length > MOST_LENGTH)
    throw new PatternError(`expected 1 to ${MOST_LENGTH} characters`);
  const steps: Step[] = [];
  emit(parse(source), steps);
  return (line) => matches(steps, [...line].slice(0, MOST_CHARS));
}

function parse(source: string): Node {
  let rest = source;
  const take = (expression: RegExp) => {
    const found = expression.exec(rest);
    if (found !== null) rest = rest.slice(found[0].length);
    return found;
  };

  function alternatives(depth: number): Node {
    if (depth > MOST_DEPTH) throw new PatternError("too many groups inside each other");
    const first = sequence(depth);
    const others: Node[] = [];
    while (take(/^\|/)) others.push(sequence(depth));
    return others.length === 0 ? first : { type: "any", nodes: [first, ...others] };
  }

  function sequence(depth: number): Node {
    const nodes: Node[] = [];
    while (rest !== "" && !/^[|)]/.test(rest)) nodes.push(repeated(atom(depth)));
    return { type: "all", nodes };
  }

  function repeated(node: Node): Node {
    const found = take(QUANTIFIER);
    if (found === null) return node;
    const [, sign, least, range, most] = found;
    if (sign !== undefined) return { type: "repeat", node, ...SIGNS[sign as keyof typeof SIGNS] };
    const last = range === undefined ? least : most || Number.POSITIVE_INFINITY;
    return { type: "repeat", node, least: Number(least), most: Number(last) };
  }

  function atom(depth: number): Node {
    if (/^[*+?]/.test(rest)) throw new PatternError(`nothing to repeat before ${rest[0]}`);
    if (take(/^\((?:\?:)?/)) {
      if (rest.startsWith("?")) throw new PatternError(`(${rest.slice(0, 2)} is not supported`);
      const node = alternatives(depth + 1);
      if (!take(/^\)/)) throw new PatternError("a ) is missing");
      return node;
    }
    const [token = ""] = take(TOKEN) ?? [];
    return ASSERTIONS[token] ?? { type: "char", test: charTest(token) };
  }

  const node = alternatives(0);
  if (rest !== "") throw new PatternError("there is a ) too many");
  return node;
}

const SIGNS = {
  "*": { least: 0, most: Number.POSITIVE_INFINITY },
  "+": { least: 1, most: Number.POSITIVE_INFINITY },
  "?": { least: 0, most: 1 },
};

const atEdge: Extract<Node, { type: "assert" }>["holds"] = (before, after) =>
  isWord(before) !== isWord(after);

const ASSERTIONS: Record<string, Node> = {
  "^": { type: "assert", holds: (before) => before === undefined },
  $: { type: "assert", holds: (_, after) => after === undefined },
  "\\b": { type: "assert", holds: atEdge },
  "\\B": { type: "assert", holds: (before, after) => !atEdge(before, after) },
};

/** One character at a time JavaScript's own expressions are safe, and know all about classes. */
function charTest(token: string): (char: string) => boolean {
  if (token === ".") return () => true;
  if (token.length === 1 && !/[[\]{}\\]/.test(token)) return (char) => char === token;
  try {
    const expression = new RegExp(`^${token}$`, "u");
    return (char) => expression.test(char);
  } catch {
    throw new PatternError(`${token} is not understood`);
  }
}

function emit(node: Node, steps: Step[]): void {
  if (steps.length > MOST_STEPS)
    throw new PatternError("it is too long once its repetitions are written out");
  switch (node.type) {
    case "char":
    case "assert":
      steps.push(node);
      break;
    case "all":
      for (const one of node.nodes) emit(one, steps);
      break;
    case "any": {
      const choice: number[] = [];
      const ends: { to: number[] }[] = [];
      steps.push({ type: "go", to: choice });
      for (const one of node.nodes) {
        choice.push(steps.length);
        emit(one, steps);
        const end = { type: "go" as const, to: [] };
        ends.push(end);
        steps.push(end);
      }
      for (const { to } of ends) to.push(steps.length);
      break;
    }
    case "repeat": {
      const { least, most } = node;
      if (most < least) throw new PatternError(`{${least},${most}} is upside down`);
      for (let i = 0; i < least; i++) emit(node.node, steps);
      const skips: { to: number[] }[] = [];
      const isEndless = most === Number.POSITIVE_INFINITY;
      for (let i = 0; i < (isEndless ? 1 : most - least); i++) {
        const skip = { type: "go" as const, to: [steps.length + 1] };
        const start = steps.push(skip) - 1;
        skips.push(skip);
        emit(node.node, steps);
        if (isEndless) steps.push({ type: "go", to: [start] });
      }
      for (const { to } of skips) to.push(steps.length);
    }
  }
}

/** All ways through at once, a character at a time: none is ever gone back to. */
function matches(steps: Step[], chars: string[]): boolean {
  /** At which character each step was come to last. */
  const seen = new Int32Array(steps.length).fill(-1);
  let reached: number[] = [];
  for (let i = 0; i <= chars.length; i++) {
    const [before, after] = [chars[i - 1], chars[i]];
    const waiting = [...reached, 0];
    reached = [];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      const step = steps[index];
      if (step === undefined) return true;
      if (seen[index] === i) continue;
      seen[index] = i;
      if (step.type === "go") waiting.push(...step.to);
      else if (step.type === "assert") {
        if (step.holds(before, after)) waiting.push(index + 1);
      } else if (after !== undefined && step.test(after)) reached.push(index + 1);
    }
  }
  return false;
}
