import { expect } from "bun:test";
import { PHONE } from "../browser.ts";
import { Finger } from "../pointer.ts";
import type { Stage, StageOptions } from "./stage.ts";
import type { withTerminals } from "./with-terminals.ts";

/** A terminal on a phone, and a finger on it. */
export const onPhone =
  (terminals: ReturnType<typeof withTerminals>) =>
  async (argv: string[], options: StageOptions = {}): Promise<{ stage: Stage; finger: Finger }> => {
    const stage = await terminals.run(argv, { screen: PHONE, ...options });
    return { stage, finger: await Finger.on(stage.page) };
  };

export const isTyping = (stage: Stage) =>
  stage.page.evaluate(() => document.activeElement?.getAttribute("aria-label") === "Terminal input");
/** The page itself was neither zoomed nor moved. */
export const expectStill = async (stage: Stage) =>
  expect(
    await stage.page.evaluate(() => [visualViewport?.scale, visualViewport?.offsetTop, scrollY, scrollX]),
  ).toEqual([1, 0, 0, 0]);

export const frames = (stage: Stage, count: number) =>
  stage.page.evaluate(
    (left) =>
      new Promise<void>((resolve) => {
        const next = () => (left-- > 0 ? requestAnimationFrame(next) : resolve());
        next();
      }),
    count,
  );

/** Something to scroll through. */
export async function history(stage: Stage): Promise<void> {
  await stage.type("seq 1 500");
  await stage.press("Enter");
  await stage.sees(/^500\n.*[$#]/m);
}
