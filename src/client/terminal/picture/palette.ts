// The engine gives fixed colours for "default" and the sixteen named ones. They become the theme's, unless the program
// set its own; all other colours stay as they are.
import { BACKGROUND, FOREGROUND, PALETTE } from "../../../vt/colours.ts";
import { createCache } from "./cache.ts";

export type ThemeName = "dark" | "light";

interface Theme {
  foreground: number;
  background: number;
  cursor: number;
  selection: string;
  match: string;
  currentMatch: string;
  named: readonly number[];
}

const THEMES: Record<ThemeName, Theme> = {
  dark: {
    foreground: 0xd7d8de,
    background: 0x131418,
    cursor: 0xc6c8f0,
    selection: "rgb(112 118 230 / 0.42)",
    match: "rgb(226 176 80 / 0.32)",
    currentMatch: "rgb(240 186 70 / 0.7)",
    named: [
      0x2a2c34, 0xf0717b, 0x7fc98b, 0xdcb768, 0x7aa8f5, 0xc792ea, 0x68c3cf, 0xc3c6d0, 0x767a88, 0xff8f97,
      0x9be0a5, 0xf1d08a, 0x9cc0ff, 0xdab0f6, 0x8cdbe5, 0xf3f4f8,
    ],
  },
  light: {
    foreground: 0x26282f,
    background: 0xfbfbfd,
    cursor: 0x4b4bb0,
    selection: "rgb(92 98 220 / 0.25)",
    match: "rgb(226 168 30 / 0.3)",
    currentMatch: "rgb(240 170 20 / 0.65)",
    named: [
      0x2b2d35, 0xc22f3a, 0x1f7a37, 0x8a5c00, 0x2a5fc4, 0x8a3fb5, 0x0f7480, 0x6b6f7b, 0x5b5f6b, 0xd83a46,
      0x26893f, 0x9a6900, 0x356fdd, 0x9c4ccb, 0x14828f, 0x1b1c21,
    ],
  },
};

/** WCAG's ratio. Text with less contrast than the first is given the second. */
const LEAST_CONTRAST = 3;
const GOOD_CONTRAST = 4.5;
const REMEMBERED = 4_096;

const hex = (rgb: number) => `#${rgb.toString(16).padStart(6, "0")}`;

/** `rgb:ff/80/00`, `rgb:ffff/8080/0000` or `#ff8000`, as OSC 4, 10, 11 and 12 have it. */
export function parseColour(text: string): number | undefined {
  const short = /^#([0-9a-f]{6})$/i.exec(text)?.[1];
  if (short !== undefined) return Number.parseInt(short, 16);
  const parts = /^rgb:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})$/i.exec(text)?.slice(1);
  return parts?.reduce((rgb, part) => {
    const share = Number.parseInt(part, 16) / (16 ** part.length - 1);
    return (rgb << 8) | Math.round(share * 255);
  }, 0);
}

function luminance(rgb: number): number {
  const linear = (channel: number) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(rgb >> 16) + 0.7152 * linear((rgb >> 8) & 0xff) + 0.0722 * linear(rgb & 0xff);
}

export function contrast(one: number, other: number): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

const mix = (from: number, to: number, share: number) =>
  [16, 8, 0].reduce((rgb, shift) => {
    const start = (from >> shift) & 0xff;
    return rgb | (Math.round(start + (((to >> shift) & 0xff) - start) * share) << shift);
  }, 0);

/** The colour itself if it can be read, else the nearest one towards white or black that can. */
export function legible(foreground: number, background: number): number {
  if (contrast(foreground, background) >= LEAST_CONTRAST) return foreground;
  const end = contrast(0xffffff, background) > contrast(0, background) ? 0xffffff : 0;
  for (let share = 0.1; share < 1; share += 0.1) {
    const mixed = mix(foreground, end, share);
    if (contrast(mixed, background) >= GOOD_CONTRAST) return mixed;
  }
  return end;
}

export interface Palette extends Omit<Theme, "foreground" | "background" | "cursor" | "named"> {
  background: string;
  cursor: string;
  /** The colour that the engine's stands for. */
  css(rgb: number): string;
  /** The same for text on a background. */
  ink(foreground: number, background: number): string;
}

/** `chosen` returns what the program set, by OSC number. */
export function createPalette(name: ThemeName, chosen: (key: string) => string | undefined): Palette {
  const theme = THEMES[name];
  const own = (key: string) => parseColour(chosen(key) ?? "");
  const meant = new Map<number, number>([
    [FOREGROUND, own("10") ?? theme.foreground],
    [BACKGROUND, own("11") ?? theme.background],
    ...PALETTE.map((rgb, i) => [rgb, own(`4;${i}`) ?? theme.named[i] ?? 0] as const),
  ]);
  const resolve = (rgb: number) => meant.get(rgb) ?? rgb;
  const inks = createCache(REMEMBERED, (pair: number) =>
    hex(legible(resolve(Math.floor(pair / 0x1000000)), resolve(pair % 0x1000000))),
  );
  return {
    ...theme,
    background: hex(resolve(BACKGROUND)),
    cursor: hex(own("12") ?? theme.cursor),
    css: createCache(REMEMBERED, (rgb: number) => hex(resolve(rgb))),
    ink: (foreground, background) => inks(foreground * 0x1000000 + background),
  };
}
