import { expect, test } from "bun:test";
import {
  contrast,
  createPalette,
  legible,
  parseColour,
} from "../../../../src/client/terminal/picture/palette.ts";
import { BACKGROUND, FOREGROUND, PALETTE } from "../../../../src/vt/colours.ts";

test("colours as programs write them", () => {
  expect(
    ["#ff8000", "rgb:ff/80/00", "rgb:ffff/8080/0000", "rgb:f/8/0", "red", "rgb:1/2"].map(parseColour),
  ).toEqual([0xff8000, 0xff8000, 0xff8000, 0xff8800, undefined, undefined]);
});

test("the theme's colours are readable, each on its background", () => {
  for (const theme of ["dark", "light"] as const) {
    const palette = createPalette(theme, () => undefined);
    const rgb = (css: string) => Number.parseInt(css.slice(1), 16);
    const ground = rgb(palette.background);
    expect(contrast(rgb(palette.css(FOREGROUND)), ground)).toBeGreaterThan(7);
    for (const named of PALETTE.slice(1)) {
      expect(contrast(rgb(palette.ink(named, BACKGROUND)), ground)).toBeGreaterThanOrEqual(3);
    }
  }
});

test("text that can't be read on its background is made to be, and the rest is left alone", () => {
  expect(legible(0xffffff, 0x000000)).toBe(0xffffff);
  expect(contrast(legible(0xfafafa, 0xffffff), 0xffffff)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(legible(0x101010, 0x000000), 0x000000)).toBeGreaterThanOrEqual(4.5);
});

test("what a program chose goes before the theme", () => {
  const chosen: Record<string, string> = { "11": "#102030", "4;1": "rgb:12/34/56" };
  const palette = createPalette("dark", (key) => chosen[key]);
  expect(palette.background).toBe("#102030");
  expect(palette.css(PALETTE[1] ?? 0)).toBe("#123456");
});
