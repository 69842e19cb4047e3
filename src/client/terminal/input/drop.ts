// Files and text that are dragged onto the terminal.

export interface DropEvents {
  onOver(isOver: boolean): void;
  onFiles(files: File[]): void;
  onText(text: string): void;
}

const isWelcome = ({ dataTransfer }: DragEvent) =>
  dataTransfer?.types.some((type) => type === "Files" || type === "text/plain") ?? false;

/** The files of a paste or a drop; none where they only picture the text that comes with them. */
export function filesOf(data: DataTransfer | null): File[] {
  const files = [...(data?.files ?? [])];
  const text = data?.getData("text/plain").trim() ?? "";
  // Spreadsheets and editors add a picture of what was copied; file managers add the names.
  const isNames = files.length > 0 && text.split(/\r?\n/).every((line) => files.some(isNamed(line)));
  return text === "" || isNames ? files : [];
}

const isNamed = (line: string) => (file: File) => line === file.name || line.endsWith(`/${file.name}`);

export function listenToDrop(surface: HTMLElement, events: DropEvents): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  /** Entering a part of the surface comes before leaving the one around it. */
  let depth = 0;
  const over = (change: number) => {
    depth = Math.max(0, depth + change);
    events.onOver(depth > 0);
  };
  const accept = (event: DragEvent) => {
    if (!isWelcome(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "copy";
  };
  surface.addEventListener("dragenter", (event) => isWelcome(event) && over(1), { signal });
  surface.addEventListener("dragleave", (event) => isWelcome(event) && over(-1), { signal });
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
