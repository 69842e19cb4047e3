import { view } from "../state/view.ts";

/** Whether a person who looks at this window has the task before their eyes: its panel, or its card. */
export async function isOnScreen(taskId: string): Promise<boolean> {
  if (!document.hasFocus()) return false;
  await drawn(); // its card may be on its way to another place
  return view.get().taskId === taskId || isCardVisible(taskId);
}

function isCardVisible(taskId: string): boolean {
  const card = document.querySelector(`[data-card="${CSS.escape(taskId)}"]`);
  if (card === null) return false;
  const { left, top, width, height } = card.getBoundingClientRect();
  const middle = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 40));
  return middle !== null && card.contains(middle);
}

const frame = () => new Promise<unknown>((resolve) => requestAnimationFrame(resolve));
const drawn = () => frame().then(frame);
