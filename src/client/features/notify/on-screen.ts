import { view } from "../../shared/stores/view.ts";

/** Whether a person is looking at this window and can see the task's panel, card or tile. */
export async function isOnScreen(taskId: string): Promise<boolean> {
  if (!document.hasFocus()) return false;
  await drawn(); // its card may be about to move
  return view.get().taskId === taskId || places(taskId).some(isVisible);
}

const places = (taskId: string) => [
  ...document.querySelectorAll(`[data-card="${CSS.escape(taskId)}"], [data-tile^="${CSS.escape(taskId)}:"]`),
];

/** Neither scrolled out of view nor covered by something. */
function isVisible(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const middle = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 40));
  return middle !== null && element.contains(middle);
}

/** A window that has just been hidden draws no more frames. */
const LATEST_MS = 200;
const frame = () =>
  new Promise<unknown>((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, LATEST_MS);
  });
const drawn = () => frame().then(frame);
