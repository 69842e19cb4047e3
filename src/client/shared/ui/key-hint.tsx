import { keysFor } from "../stores/keys-for.ts";
import { useStore } from "../stores/store.ts";

/** The shortcut of a button that acts on a task. Hidden while the key does something else; the button keeps its width. */
export function KeyHint({ taskId, children }: { taskId: string; children: string }) {
  const works = useStore(keysFor, (id) => id === taskId);
  return (
    <span
      aria-hidden
      data-key-hint={works ? "works" : "off"}
      className={`w-2 text-center text-xs opacity-70 touch:hidden ${works ? "" : "hidden"}`}
    >
      {children}
    </span>
  );
}
