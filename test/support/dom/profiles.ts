import type { BrowserContext } from "playwright-core";
import type { Screen, Theme } from "../browser.ts";
import type { Profile, TakenProfile } from "../profiles.ts";
import { DomContext } from "./context.ts";

/** Someone without a browser: see page.ts. */
export function takeDomProfile({ width, height, isPhone = false }: Screen, theme: Theme): TakenProfile {
  const context = new DomContext({ width, height, isPhone, theme });
  return {
    profile: { context: context as unknown as BrowserContext } as Profile,
    giveBack: async () => context.close(),
  };
}
