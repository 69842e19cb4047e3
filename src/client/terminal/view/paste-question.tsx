import type { KeyboardEvent } from "react";
import { Button } from "../../shared/ui/button.tsx";
import { countLines, splitLines } from "../input/paste-text.ts";
import type { Terminal } from "../terminal.ts";

const LINES_SHOWN = 6;

/** Asks before several lines go to a program that would run each of them. */
export function PasteQuestion({ terminal, text }: { terminal: Terminal; text: string }) {
  const { pasting } = terminal.input;
  const lines = splitLines(text.slice(0, 4_000));
  const count = countLines(text);
  const answer = (act: () => void) => () => {
    act();
    terminal.focus();
  };

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    event.stopPropagation();
    if (event.key === "Escape") answer(pasting.cancel)();
    if (event.key !== "Tab") return;
    // The focus stays in the question.
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons.at((at + (event.shiftKey ? -1 : 1)) % buttons.length)?.focus();
    event.preventDefault();
  }

  return (
    <div
      role="alertdialog"
      aria-label={`Paste ${count} lines?`}
      aria-describedby="paste-question"
      onKeyDown={onKeyDown}
      className="enter absolute inset-x-0 bottom-0 flex flex-col gap-2 border-t border-line bg-raised px-4 py-3 text-sm"
    >
      <p id="paste-question">
        Paste {count} lines? This program takes each line as if you had pressed Enter after it.
      </p>
      <pre className="overflow-hidden rounded-md border border-line bg-card p-2 font-mono text-xs text-ellipsis text-muted">
        {lines.slice(0, LINES_SHOWN).join("\n")}
        {count > LINES_SHOWN && `\n… and ${count - LINES_SHOWN} more`}
      </pre>
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="quiet" onClick={answer(pasting.cancel)}>
          Cancel
        </Button>
        <Button onClick={answer(() => pasting.insertAsOneLine(text))}>Paste as one line</Button>
        <Button look="primary" autoFocus onClick={answer(() => pasting.insert(text))}>
          Paste
        </Button>
      </div>
    </div>
  );
}
