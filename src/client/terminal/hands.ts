// Everything a person can do to a terminal with keys, mouse and fingers, brought together.
import { type ChordOptions, createChords } from "./chords.ts";
import { listenToDrop } from "./drop.ts";
import type { Field } from "./field.ts";
import { createGestures } from "./gestures.ts";
import type { HandedFiles } from "./handed-files.ts";
import type { HeldKeys } from "./held-keys.ts";
import { listenToKeys } from "./keyboard.ts";
import type { Marks } from "./marks.ts";
import type { Pasting } from "./pasting.ts";
import { listenToPointer } from "./pointer.ts";
import { createReports } from "./reports.ts";
import type { Screen } from "./screen.ts";
import type { StatusStore } from "./status.ts";
import { listenToTouch } from "./touch.ts";
import { createTouchGestures } from "./touch-gestures.ts";

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
