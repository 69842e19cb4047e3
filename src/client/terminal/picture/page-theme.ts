import type { ThemeName } from "./palette.ts";

const read = (): ThemeName => (document.documentElement.dataset.theme === "light" ? "light" : "dark");

/** Tells now and whenever the page's theme changes. Returns how to stop. */
export function watchTheme(tell: (theme: ThemeName) => void): () => void {
  const observer = new MutationObserver(() => tell(read()));
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  tell(read());
  return () => observer.disconnect();
}

export const currentTheme = read;
