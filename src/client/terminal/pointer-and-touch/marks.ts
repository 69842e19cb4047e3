// What is done with what is marked, and what a finger's menu offers.
import { copyText, readClipboard } from "../input/clipboard.ts";
import type { HandedFiles } from "../input/handed-files.ts";
import type { Pasting } from "../input/pasting.ts";
import type { Screen } from "../screen.ts";
import type { StatusStore } from "../status.ts";

interface MarksParts {
  screen: Screen;
  status: StatusStore;
  pasting: Pasting;
  files: HandedFiles;
}

export type Marks = ReturnType<typeof createMarks>;

export function createMarks({ screen, status, pasting, files }: MarksParts) {
  const fail = (doing: string) => (error: Error) =>
    status.patch({ problem: { text: `${doing} failed: ${error.message}`, isFatal: false } });
  return {
    copy(): void {
      const text = screen.selection.text();
      if (text !== "") copyText(text).catch(fail("Copying"));
    },
    paste(): void {
      readClipboard().then(({ text, files: pictures }) => {
        pasting.paste(text);
        files.give(pictures);
      }, fail("Pasting"));
    },
    all(): void {
      screen.selection.all();
      screen.draw();
    },
    /** The menu has done its work, and so has the mark. */
    close(): void {
      status.patch({ menu: undefined });
      screen.selection.clear();
      screen.hover(undefined);
    },
  };
}
