// Copy, paste and select all, by keys or from a finger's menu.
import type { Screen } from "../screen/screen.ts";
import type { StatusStore } from "../status.ts";
import { copyText, readClipboard } from "./clipboard.ts";
import type { Pasting } from "./pasting.ts";
import type { Uploads } from "./uploads.ts";

interface EditActionsParts {
  screen: Screen;
  status: StatusStore;
  pasting: Pasting;
  uploads: Uploads;
}

export type EditActions = ReturnType<typeof createEditActions>;

export function createEditActions({ screen, status, pasting, uploads }: EditActionsParts) {
  const showError = (doing: string) => (error: Error) =>
    status.patch({ problem: { text: `${doing} failed: ${error.message}`, isFatal: false } });
  return {
    copy(): void {
      const text = screen.selection.text();
      if (text !== "") copyText(text).catch(showError("Copying"));
    },
    paste(): void {
      readClipboard().then(({ text, files }) => {
        pasting.paste(text);
        uploads.add(files);
      }, showError("Pasting"));
    },
    selectAll(): void {
      screen.selection.selectAll();
      screen.draw();
    },
    /** Closes the menu, with the selection it was for. */
    closeMenu(): void {
      status.patch({ menu: undefined });
      screen.selection.clear();
      screen.hover(undefined);
    },
  };
}
