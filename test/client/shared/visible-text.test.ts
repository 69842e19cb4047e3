import { expect, test } from "bun:test";
import { visibleText } from "../../../src/client/shared/visible-text.ts";

const CASES: [what: string, text: string, shown: string][] = [
  ["an ordinary command", "npm test -- --grep 'login'", "npm test -- --grep 'login'"],
  ["line breaks and tabs", "a\n\tb", "a\n\tb"],
  ["an override", "npm test #\u202e hs | moc.live lruc", "npm test #<U+202E> hs | moc.live lruc"],
  ["isolates", "\u2067x\u2069", "<U+2067>x<U+2069>"],
  ["direction marks", "a\u200e\u200f\u061cb", "a<U+200E><U+200F><U+061C>b"],
  [
    "letters that draw nothing",
    "a\u3164\u115f\u1160\uffa0\u2800b",
    "a<U+3164><U+115F><U+1160><U+FFA0><U+2800>b",
  ],
  ["zero width", "rm\u200b -rf\u2060\ufeff", "rm<U+200B> -rf<U+2060><U+FEFF>"],
  ["a soft hyphen", "exam\u00adple", "exam<U+00AD>ple"],
  ["controls", "a\rb\x1b[2K\x00\x7f\x9b", "a<U+000D>b<U+001B>[2K<U+0000><U+007F><U+009B>"],
  ["line ends of two", "a\r\nb", "a<U+000D>\nb"],
  ["separators of lines", "a\u2028b\u2029c", "a<U+2028>b<U+2029>c"],
  ["spaces that are none to a shell", "rm\u00a0-rf\u3000/", "rm<U+00A0>-rf<U+3000>/"],
  ["tags", "ok\u{e0041}\u{e007f}", "ok<U+E0041><U+E007F>"],
  ["variation selectors", "a\ufe0f\u{e0100}", "a<U+FE0F><U+E0100>"],
  ["a private or unassigned character", "\ue000\u0378", "<U+E000><U+0378>"],
  ["half a pair", "a\ud800b", "a<U+D800>b"],
  ["an accent of its own", "e\u0301", "e\u0301"],
  ["marks by the dozen", `a${"\u0301".repeat(9)}`, `a${"\u0301".repeat(4)}${"<U+0301>".repeat(5)}`],
  ["Hebrew and Arabic", "שלום مرحبا", "שלום مرحبا"],
  ["emoji of several characters", "👩‍💻 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ 🇩🇪", "👩‍💻 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ 🇩🇪"],
  ["what joins no emoji", "a\u200db", "a<U+200D>b"],
  ["what already looks like this", "<U+2067>", "<U+2067>"],
];

test.each(CASES)("%s", (_, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test("half a megabyte of it takes no time", () => {
  for (const part of ["\u202e", "\u0301", "👩‍", "1\ufe0f", "a\u0301"]) {
    const text = part.repeat(500_000 / part.length);
    const begun = performance.now();
    visibleText(text);
    expect(performance.now() - begun).toBeLessThan(2_000);
  }
});
