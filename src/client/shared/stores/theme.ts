import { createStore } from "./store.ts";

export const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
const saved = /(?:^|; )banto_theme=(light|dark)/.exec(document.cookie)?.[1] as Theme | undefined;

export const theme = createStore<Theme>(saved ?? "system");
/** The theme in effect. */
export const shownTheme = createStore<"light" | "dark">("dark");

function apply() {
  const chosen = theme.get();
  const isDark = chosen === "system" ? prefersDark.matches : chosen === "dark";
  shownTheme.set(isDark ? "dark" : "light");
  document.documentElement.dataset.theme = shownTheme.get();
}

/** A cookie, because the server writes the theme into the page before its first paint. */
export function setTheme(next: Theme) {
  const life = next === "system" ? 0 : 31_536_000;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `banto_theme=${next}; path=/; max-age=${life}; samesite=strict`;
  theme.set(next);
  apply();
}

export function cycleTheme() {
  setTheme(THEMES[(THEMES.indexOf(theme.get()) + 1) % THEMES.length] ?? "system");
}

prefersDark.addEventListener("change", apply);
apply();
