// Files and text that are dragged onto the terminal.
import { filesOf } from "../../shared/ui/transferred-files.ts";

export interface DropEvents {
  onOver(isOver: boolean): void;
  onFiles(files: File[]): void;
  onText(text: string): void;
}

const isAccepted = ({ dataTransfer }: DragEvent) =>
  dataTransfer?.types.some((type) => type === "Files" || type === "text/plain") ?? false;

export function listenToDrop(surface: HTMLElement, events: DropEvents): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  /** Elements nest, and the inner one is entered before the outer one is left. */
  let depth = 0;
  const over = (change: number) => {
    depth = Math.max(0, depth + change);
    events.onOver(depth > 0);
  };
  const accept = (event: DragEvent) => {
    if (!isAccepted(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "copy";
  };
  surface.addEventListener("dragenter", (event) => isAccepted(event) && over(1), { signal });
  surface.addEventListener("dragleave", (event) => isAccepted(event) && over(-1), { signal });
  surface.addEventListener("dragover", accept, { signal });
  surface.addEventListener(
    "drop",
    (event) => {
      accept(event);
      over(-depth);
      const files = filesOf(event.dataTransfer);
      if (files.length > 0) events.onFiles(files);
      else events.onText(event.dataTransfer?.getData("text/plain") ?? "");
    },
    { signal },
  );
  // A file that just misses the terminal would otherwise replace the page.
  const refuse = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files") || event.defaultPrevented) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  window.addEventListener("dragover", refuse, { signal });
  window.addEventListener("drop", refuse, { signal });
  return () => stop.abort();
}
