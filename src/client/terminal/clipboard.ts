// Copying, with or without the clipboard's own interface, which pages over plain HTTP don't have.

export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("copy", fill, { once: true, capture: true });
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", fill, { capture: true });
  if (!isDone) throw new Error("The browser did not let banto copy.");
}
