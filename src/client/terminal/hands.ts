// Everything a person can do to a terminal with keys, mouse and fingers, brought together.
import { type ChordOptions, createChords } from "./input/chords.ts";
import { listenToDrop } from "./input/drop.ts";
import type { Field } from "./input/field.ts";
import type { HandedFiles } from "./input/handed-files.ts";
import type { HeldKeys } from "./input/held-keys.ts";
import { listenToKeys } from "./input/keyboard.ts";
import type { Pasting } from "./input/pasting.ts";
import { createGestures } from "./pointer-and-touch/gestures.ts";
import type { Marks } from "./pointer-and-touch/marks.ts";
import { listenToPointer } from "./pointer-and-touch/pointer.ts";
import { createReports } from "./pointer-and-touch/reports.ts";
import { listenToTouch } from "./pointer-and-touch/touch.ts";
import { createTouchGestures } from "./pointer-and-touch/touch-gestures.ts";
import type { Screen } from "./screen.ts";
import type { StatusStore } from "./status.ts";

interface HandsParts {
  elements: { box: HTMLElement; canvas: HTMLCanvasElement; field: HTMLTextAreaElement };
  screen: Screen;
  status: StatusStore;
  field: Field;
  held: HeldKeys;
  pasting: Pasting;
  files: HandedFiles;
  marks: Marks;
  chords: ChordOptions;
  type(text: string): void;
  /** Latin-1, one character per byte. */
  report(bytes: string): void;
}

/** Gives how to stop each. */
export function listenToHands(parts: HandsParts): (() => void)[] {
  const { elements, screen, status, field, held, pasting, files, marks, type, report } = parts;
  const { box, canvas } = elements;
  const { emulator, selection } = screen;
  const gestures = createGestures({ screen, canvas, focus: field.focus, type, report });
  const reports = createReports(emulator, gestures.events);
  const touches = createTouchGestures({
    screen,
    box,
    status,
    mouse: gestures.events,
    reports,
    focus: () => field.summonKeyboard(),
    setFontSize: parts.chords.onFontSize,
  });
  return [
    listenToKeys(elements.field, emulator, {
      onInput: (text) => {
        field.forget();
        type(text);
      },
      onAside: report,
      ...createChords(screen, marks.copy, parts.chords),
      join: (key) => held.join(key),
      hasSelection: () => !selection.isEmpty,
      isComposing: () => field.isComposing,
    }),
    listenToPointer(box, emulator, gestures.events, reports),
    gestures.stop,
    listenToTouch(box, touches),
    // Around the picture, so that what lies over it does not take the drop away.
    listenToDrop(box.parentElement ?? box, {
      onOver: (isOver) => status.patch({ isOver }),
      onFiles(dropped) {
        field.focus();
        files.give(dropped);
      },
      onText(text) {
        field.focus();
        pasting.paste(text);
      },
    }),
  ];
}
