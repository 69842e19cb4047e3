// Whether a person can see all of a request. One that is cut off has to be reviewed before it can be allowed.

import { type RefCallback, useCallback, useState } from "react";
import type { Ask } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { createStore } from "../../shared/stores/store.ts";
import { wantedTerminal } from "../../shared/stores/terminal-focus.ts";
import { openTask, view } from "../../shared/stores/view.ts";

export type Place = "card" | "panel";

/** Each request that is on the page, by place; whether all of it is in sight. */
const wholes = new Map<string, boolean>();
const keyOf = (place: Place, askId: string) => `${place} ${askId}`;

/** To a pixel. A column that is pushed aside hides a part of every line. */
const isInSight = ({
  isIntersecting,
  intersectionRect: seen,
  boundingClientRect: all,
}: IntersectionObserverEntry) =>
  isIntersecting && seen.width >= all.width - 1 && seen.height >= all.height - 1;

/**
 * `end` marks the end of the text, inside the box that may cut it off. Null until the browser has said. In the panel,
 * where it scrolls, it is enough to have been at the end once.
 */
export function useInSight(place: Place, askId: string) {
  const [isWhole, setWhole] = useState<boolean | null>(null);
  const end: RefCallback<HTMLElement> = useCallback(
    (element) => {
      if (element === null) return;
      const key = keyOf(place, askId);
      const seen = new Map<Element, boolean>();
      const observer = new IntersectionObserver(
        (entries) => {
          for (const entry of entries) seen.set(entry.target, isInSight(entry));
          const isNow = [...seen.values()].every(Boolean) || (place === "panel" && wholes.get(key) === true);
          wholes.set(key, isNow);
          setWhole(isNow);
        },
        { threshold: [0, 0.9, 0.99, 1] },
      );
      // Its beginning may be above the column's upper edge.
      for (const each of [element, element.parentElement]) if (each !== null) observer.observe(each);
      return () => {
        observer.disconnect();
        wholes.delete(key);
      };
    },
    [place, askId],
  );
  return { end, isWhole };
}

/** Whether all of it is visible where people read it: in the panel if that is open. */
export const isWhole = (task: Task, ask: Ask) =>
  wholes.get(keyOf(view.get().taskId === task.id ? "panel" : "card", ask.id)) === true;

/** The request that the panel was opened to review. */
export const reviewed = createStore<string | null>(null);

/** Opens the whole request in the panel, or scrolls on if it is open already. */
export function review(task: Task, ask: Ask) {
  const box = document.querySelector<HTMLElement>(
    `[data-panel] [data-ask="${CSS.escape(ask.id)}"] [data-scrolls]`,
  );
  if (box === null) {
    reviewed.set(ask.id);
    openTask(task.id);
    wantedTerminal.set(null);
  } else {
    box.focus({ preventScroll: true });
    box.scrollBy({ top: box.clientHeight * 0.9 });
  }
}
