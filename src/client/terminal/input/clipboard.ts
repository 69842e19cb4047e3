// Copies and pastes, also without the clipboard API, which pages over plain HTTP don't have.

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
  if (!isDone) throw new Error("The browser didn't allow copying.");
}

/** The text, or pictures if there is none. */
export async function readClipboard(): Promise<{ text: string; files: File[] }> {
  if (navigator.clipboard === undefined)
    throw new Error("this browser doesn't let banto read the clipboard here. Paste with the keyboard.");
  // Some browsers can only read text.
  if (navigator.clipboard.read === undefined)
    return { text: await navigator.clipboard.readText(), files: [] };
  const items = await navigator.clipboard.read();
  let text = "";
  const files: File[] = [];
  for (const item of items) {
    for (const type of item.types) {
      if (type === "text/plain") text += await (await item.getType(type)).text();
      else if (type.startsWith("image/")) {
        const name = `pasted.${type.slice("image/".length).replace("jpeg", "jpg").replace("svg+xml", "svg")}`;
        files.push(new File([await item.getType(type)], name, { type }));
      }
    }
  }
  return text === "" ? { text, files } : { text, files: [] };
}
