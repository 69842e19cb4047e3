import { expect, test } from "bun:test";
import fc from "fast-check";
import { asOneLine, countLines, isSeveralLines } from "../../../../src/client/terminal/input/paste-text.ts";
import { difference } from "../../../../src/client/terminal/input/typed-text.ts";
import { preparePaste } from "../../../../src/vt/paste.ts";

test("a field that changed was typed into, deleted from or corrected", () => {
  expect(difference("", "a")).toBe("a");
  expect(difference("teh", "the ")).toBe("\x7f\x7fhe ");
  expect(difference("ab", "a")).toBe("\x7f");
  expect(difference("🎉", "")).toBe("\x7f");
  expect(difference("e", "é")).toBe("\x7fé");
  expect(difference("a", "a\n")).toBe("\r");
});

test("the filler is no text: it is deleted only where nothing else was", () => {
  expect(difference("\u200b", "\u200bx")).toBe("x");
  expect(difference("\u200b", "x\u200b")).toBe("x");
  expect(difference("\u200babc", "x\u200babc")).toBe("\x7f\x7f\x7fxabc");
  expect(difference("\u200babc", "")).toBe("\x7f\x7f\x7f");
  expect(difference("\u200b", "")).toBe("\x7f");
  expect(difference("\u200babc", "abc")).toBe("\x7f");
});

test("typing the difference always leads from the one to the other", () => {
  const text = fc.string({ unit: "grapheme" }).map((value) => value.replaceAll(/[\u200b\n\r\x7f]/g, ""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      let held = [...before];
      for (const character of difference(before, after)) {
        if (character === "\x7f") held = held.slice(0, -1);
        else held.push(character);
      }
      expect(held.join("")).toBe(after);
    }),
  );
});

test("nothing in a paste can press a key or end its brackets", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const pasted = preparePaste(text, true);
      expect(pasted.slice(6, -6)).not.toMatch(/(?![\t\r])\p{Cc}/u);
      expect(pasted).toStartWith("\x1b[200~");
      expect(pasted).toEndWith("\x1b[201~");
    }),
  );
  expect(preparePaste("a\r\nb\nc\rd\te", false)).toBe("a\rb\rc\rd\te");
});

test("several lines are more than one line and its end", () => {
  expect(["one", "one\n", "one\r\n  ", "one\ntwo", "\n\none\rtwo"].map(isSeveralLines)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
  expect(countLines("a\r\nb\n\nc\n")).toBe(4);
});

test("whatever is sent as Enter is a line break to the question as well", () => {
  for (const end of ["\r\n", "\n", "\r", "\u2028", "\u2029"]) {
    const text = `echo a${end}rm b${end}`;
    expect(preparePaste(text, false)).toBe("echo a\rrm b\r");
    expect([isSeveralLines(text), countLines(text), asOneLine(text)]).toEqual([true, 2, "echo a rm b"]);
  }
});
