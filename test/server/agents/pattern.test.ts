import { expect, test } from "bun:test";
import fc from "fast-check";
import { compilePattern } from "../../../src/server/agents/screen-prompts/pattern.ts";
import { DEPTH } from "../../support/depth.ts";

test.each([
  ["^> $", "> ", true],
  ["^> $", "a> ", false],
  ["Allow (once|always)\\?", "│ Allow always?", true],
  ["Allow (?:once|always)\\?", "Allow never?", false],
  ["^\\s*[❯›]\\s*\\d+[.)]", " ❯ 2. No", true],
  ["\\bask\\b", "do ask me", true],
  ["\\bask\\b", "asking", false],
  ["^.{3}$", "日本語", true],
  ["^(🎉|é)+$", "🎉é🎉", true],
  ["[\\p{L}]{2,3}!", "ab!", true],
  ["^(a{2}){2}$", "aaaa", true],
  ["^[\\]x]$", "]", true],
  ["^$", "", true],
  ["(|a)b", "b", true],
])("%p in %p: %p", (pattern, line, isThere) => {
  expect(compilePattern(pattern)(line)).toBe(isThere);
});

test.each([
  ["", "1 to 200"],
  ["x".repeat(201), "1 to 200"],
  ["(a", "a ) is missing"],
  ["a)", "a ) too many"],
  ["*a", "nothing to repeat before *"],
  ["a|+", "nothing to repeat before +"],
  ["(?=a)", "(?= is not supported"],
  ["(?<n>a)", "(?< is not supported"],
  ["(a)\\1", "\\1 is not understood"],
  ["[z-a]", "[z-a] is not understood"],
  ["[a", "[ is not understood"],
  ["a{3,1}", "upside down"],
  ["(a{20}){30}", "too long"],
  ["(".repeat(30) + ")".repeat(30), "too many groups"],
])("%p is refused: %s", (pattern, why) => {
  expect(() => compilePattern(pattern)).toThrow(why);
});

/** Patterns of few letters, so that they often match. */
const { pattern } = fc.letrec<{ pattern: string; sequence: string; piece: string; atom: string }>((tie) => ({
  pattern: fc.array(tie("sequence"), { minLength: 1, maxLength: 3 }).map((all) => all.join("|")),
  sequence: fc.array(tie("piece"), { maxLength: 4 }).map((all) => all.join("")),
  piece: fc
    .tuple(tie("atom"), fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "*?"))
    .map(([atom, quantifier]) => (/^(\^|\$|\\b|\\B)$/.test(atom) ? atom : atom + quantifier)),
  atom: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\W", " ", "^", "$", "\\b", "\\B", "\\."),
    tie("pattern").map((inner) => `(${inner})`),
  ),
}));

test("it finds what JavaScript's expressions find", () => {
  fc.assert(
    fc.property(
      pattern,
      fc.string({ unit: fc.constantFrom("a", "b", " ", "."), maxLength: 12 }),
      (source, line) => {
        fc.pre(source.length > 0 && source.length <= 40);
        expect(compilePattern(source)(line)).toBe(new RegExp(source, "u").test(line));
      },
    ),
    { numRuns: DEPTH.patterns },
  );
}, 120_000);

test.each(["(a+)+$", "(a|a)*$", "(a?){20}a{20}$", "^(.*)*(.*)*x", "(.*a){20}"])(
  "%p takes no longer than its line is long",
  (source) => {
    const pattern = compilePattern(source);
    const began = performance.now();
    pattern(`${"a".repeat(100_000)}!`);
    expect(performance.now() - began).toBeLessThan(500);
  },
);
