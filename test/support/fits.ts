import { expect } from "bun:test";
import type { Tab } from "./visitor.ts";

const THUMB_PX = 44;

/** What a finger must hit, and is too small for it. */
const smallTargets = (tab: Tab) =>
  tab.page.locator("button, [role=tab], [role=option], select, fieldset label, label:has(input)").evaluateAll(
    (elements, least) =>
      elements
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.height < least || box.width < least))
        .map(({ element, box }) => `${element.ariaLabel ?? element.textContent}: ${box.width}×${box.height}`),
    THUMB_PX,
  );

/** Boxes that scroll sideways, and single lines of text that are cut off without an ellipsis. */
export const overflows = (tab: Tab) =>
  tab.page.evaluate(() => {
    const wide = [...document.querySelectorAll<HTMLElement>("body, body *")].filter(
      (element) =>
        element.scrollWidth > element.clientWidth + 1 &&
        element.clientWidth > 1 &&
        element.checkVisibility() &&
        !element.querySelector("[data-column]") && // the strip of columns is meant to be swiped,
        !element.matches("[data-strip], [role=toolbar] > *") && // and so are those of tabs and of keys
        !["INPUT", "SELECT"].includes(element.tagName) &&
        getComputedStyle(element).display !== "inline" &&
        getComputedStyle(element).textOverflow !== "ellipsis",
    );
    return [
      ...(document.documentElement.scrollWidth > innerWidth
        ? [`page: ${document.documentElement.scrollWidth}`]
        : []),
      ...wide.map((element) => `${element.tagName}.${element.className}: ${element.scrollWidth}`),
    ];
  });

/** What comes in is between two pixels on its way. */
export const atRest = (tab: Tab) =>
  tab.waitFor(
    () =>
      document
        .getAnimations() // what follows a scroll position runs for ever
        .every(
          ({ playState, timeline }) => playState !== "running" || !(timeline instanceof DocumentTimeline),
        ),
    null,
  );

/** Buttons and fields that lie under a toast. */
export const coveredByToasts = (tab: Tab) =>
  tab.page.evaluate(() => {
    const region = document.querySelector<HTMLElement>("section[aria-label=Notifications]");
    const toasts = [...(region?.firstElementChild?.children ?? [])].map((toast) =>
      toast.getBoundingClientRect(),
    );
    if (region === null || toasts.length === 0) return ["there is no toast"];
    const covered = [
      ...document.querySelectorAll<HTMLElement>("button, [role=tab], input, textarea, select, a"),
    ]
      .filter((element) => !region.contains(element))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) =>
        toasts.some(
          (toast) =>
            box.left < toast.right &&
            box.right > toast.left &&
            box.top < toast.bottom &&
            box.bottom > toast.top,
        ),
      )
      // Not what lies under something else anyway.
      .filter(({ element, box }) => {
        const under = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        const first = under.find((each) => !region.contains(each));
        return first !== undefined && (element.contains(first) || first.contains(element));
      });
    return covered.map(({ element }) => element.ariaLabel ?? element.textContent);
  });

export async function expectFits(tab: Tab): Promise<void> {
  await atRest(tab);
  expect(await smallTargets(tab)).toEqual([]);
  expect(await overflows(tab)).toEqual([]);
}
