// One terminal in the page: its screen, its connection, and everything a person does with them.
// React shows what `status` says; the bytes never come near it.

import { OwnSize } from "./connection/own-size.ts";
import { TerminalSocket } from "./connection/socket.ts";
import type { EngineModule } from "./engine/engine-module.ts";
import { listenToHands } from "./hands.ts";
import type { ChordOptions } from "./input/chords.ts";
import { Field } from "./input/field.ts";
import { HandedFiles } from "./input/handed-files.ts";
import { HeldKeys } from "./input/held-keys.ts";
import { keyModes } from "./input/keyboard.ts";
import { encodeKey, type Key } from "./input/keys.ts";
import { Pasting } from "./input/pasting.ts";
import type { ThemeName } from "./picture/palette.ts";
import { createMarks, type Marks } from "./pointer-and-touch/marks.ts";
import { ScreenText } from "./read-aloud/screen-text.ts";
import { Screen } from "./screen.ts";
import { createStatus, type StatusStore } from "./status.ts";

export interface TerminalElements {
  box: HTMLElement;
  canvas: HTMLCanvasElement;
  field: HTMLTextAreaElement;
  /** For those who listen: the screen as text, and what is new on it. */
  screen: HTMLElement;
  aloud: HTMLElement;
}

export interface TerminalOptions extends ChordOptions {
  module: EngineModule;
  elements: TerminalElements;
  /** Of the socket; what else there is lies beside it. */
  path: string;
  /** Where files go that are handed to the program. */
  filesPath: string;
  theme: ThemeName;
  fontSize: number;
  /** Only looked at, among others. */
  isWatched: boolean;
  leastCols?: number;
  onTitle(title: string): void;
}

const FAILURES_ALLOWED = 3;
const FAILURE_WINDOW_MS = 20_000;
const BELL_MS = 500;

const utf8 = new TextEncoder();
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

export class Terminal {
  readonly status: StatusStore;
  readonly pasting: Pasting;
  readonly files: HandedFiles;
  readonly marks: Marks;
  /** Ctrl and Alt of the key bar. */
  readonly held = new HeldKeys();
  readonly #options: TerminalOptions;
  readonly #screen: Screen;
  readonly #socket: TerminalSocket;
  readonly #size: OwnSize;
  readonly #field: Field;
  readonly #text: ScreenText;
  readonly #listening = new AbortController();
  readonly #stops: (() => void)[] = [];
  #failures: number[] = [];
  #rang = 0;

  constructor(options: TerminalOptions) {
    const { elements, path } = options;
    this.#options = options;
    this.#screen = new Screen({
      ...options,
      ...elements,
      onTitle: (title) => {
        this.status.patch({ title });
        options.onTitle(title);
      },
      onBell: () => this.#ring(),
      onFailure: (reason) => this.#fail(reason),
      onDrawn: () => this.#agree(),
    });
    this.status = createStatus(this.#screen.fit());
    this.#size = new OwnSize({
      status: this.status,
      fit: this.#screen.fit,
      viewer: () => this.#socket.viewer,
      say: (size) => this.#socket.resize(size),
    });
    this.#size.isWatched = options.isWatched;
    this.#text = new ScreenText(this.#screen.emulator, elements.screen, elements.aloud);
    const { status } = this;
    this.pasting = new Pasting({
      status,
      isBracketed: () => this.#screen.emulator.mode(2004),
      type: (text) => this.type(text),
    });
    this.files = new HandedFiles({ url: options.filesPath, status, insert: this.pasting.insert });
    this.marks = createMarks({ screen: this.#screen, status, pasting: this.pasting, files: this.files });
    this.#field = new Field(elements.field, {
      onText: (text) => this.#entered(text),
      onFocus: (isFocused) => this.#focused(isFocused),
      onPaste: (text) => this.pasting.paste(text),
      onFiles: (files) => this.files.give(files),
      onEmptyPaste: () => this.marks.paste(),
      isKeyAwaited: () => this.held.isAny,
      selectedText: () => this.#screen.selection.text(),
    });
    this.#socket = new TerminalSocket(path, {
      onState: (connection) => {
        this.status.patch({ connection });
        this.#screen.isOver = connection.kind === "ended";
        if (connection.kind === "live") this.#size.connected();
        this.#screen.draw();
      },
      onBegin: (size) => this.#screen.begin(size),
      onBytes: (bytes, cameAt) => this.#screen.write(bytes, cameAt),
      onSize: (size) => this.#screen.resize(size),
      wish: this.#size.wish,
    });
    if (document.hidden) this.#socket.pause();
    this.watch(options.isWatched);
    this.#listen();
    this.#screen.draw();
  }

  /** False when it could not be sent. */
  type(text: string): boolean {
    if (!this.#socket.send(utf8.encode(text))) return false;
    this.#size.typed();
    this.#text.typed();
    this.status.patch({ menu: undefined });
    this.#screen.selection.clear();
    this.#screen.scroll.follow();
    this.#screen.draw();
    return true;
  }

  /** Whoever only watches shares the page's time with the others who do. */
  watch(isWatched: boolean): void {
    this.#size.isWatched = isWatched;
    this.#socket.hold(isWatched, this.#screen.drawNow);
    this.#size.changed();
  }

  /** A key of the bar. */
  press(key: Key): void {
    this.#field.settle();
    this.#field.forget();
    this.type(encodeKey(this.held.join(key), keyModes(this.#screen.emulator)) ?? key.key);
  }

  dismissProblem = () => this.status.patch({ problem: undefined });
  focus = () => this.#field.focus();
  takeSize = () => {
    this.#socket.takeSize();
    this.#size.take();
    this.focus();
  };
  /** `since`: when the network was last known to be in doubt, if not now. */
  reconnect = (since?: number) => this.#socket.reconnect(since);

  restart(): void {
    this.#failures = [];
    this.status.patch({ problem: undefined });
    this.#socket.restart(true);
  }

  /** The history and the screen. */
  allText = () => this.#text.whole();

  scrollToBottom(): void {
    this.#screen.scroll.follow();
    this.#screen.draw();
    this.focus();
  }

  find(query: string): void {
    this.#show(this.#screen.finder.ask(query));
  }

  findNext(by: 1 | -1): void {
    this.#show(this.#screen.finder.step(by));
  }

  setTheme = (theme: ThemeName) => this.#screen.setTheme(theme);
  fontLoaded = () => {
    this.#screen.refont();
    this.#size.changed();
  };
  setFontSize(size: number): void {
    this.#screen.remeasure(size);
    this.#size.changed();
  }

  dispose(): void {
    this.#listening.abort();
    for (const stop of this.#stops) stop();
    this.#socket.dispose();
    this.#size.dispose();
    this.#field.dispose();
    this.files.dispose();
    this.#text.dispose();
    this.#screen.dispose();
  }

  /** The picture has changed: what stands around it follows. */
  #agree(): void {
    const { emulator, scroll, link, background, finder } = this.#screen;
    this.status.patch({
      size: emulator.size(),
      below: scroll.below,
      link: link?.address,
      matches: { count: finder.count, current: finder.current },
    });
    const { box } = this.#options.elements;
    const { isForeign } = this.#size;
    box.toggleAttribute("data-foreign", isForeign);
    box.style.backgroundColor = isForeign ? "" : background;
    this.#field.place(this.#screen.cursorBox());
    this.#text.changed();
  }

  #fail(reason: string): void {
    const now = performance.now();
    this.#failures = [...this.#failures.filter((at) => now - at < FAILURE_WINDOW_MS), now];
    if (this.#failures.length <= FAILURES_ALLOWED) this.#socket.restart(true);
    else this.#warn(`This output can't be shown (${reason}). The program goes on.`, true);
  }

  /** A program can ring more often than anyone wants to know. */
  #ring(): void {
    const now = performance.now();
    if (now - this.#rang < BELL_MS) return;
    this.#rang = now;
    this.status.patch({ bells: this.status.get().bells + 1 });
  }

  #warn(text: string, isFatal = false): void {
    this.status.patch({ problem: { text, isFatal } });
  }

  #focused(isFocused: boolean): void {
    this.#screen.isFocused = isFocused;
    this.#text.isHeard = isFocused;
    if (this.#screen.emulator.mode(1004)) this.#socket.send(utf8.encode(isFocused ? "\x1b[I" : "\x1b[O"));
    this.#screen.draw();
  }

  #show(line: number | undefined): void {
    if (line !== undefined) this.#screen.scroll.show(line, this.#screen.emulator.size().rows);
    this.#screen.draw();
  }

  #entered(text: string): void {
    const key = this.held.keyOf(text);
    this.type((key && encodeKey(key, keyModes(this.#screen.emulator))) ?? text);
  }

  #listen(): void {
    const { elements } = this.#options;
    const { signal } = this.#listening;
    this.#stops.push(
      ...listenToHands({
        ...this,
        elements,
        screen: this.#screen,
        field: this.#field,
        chords: this.#options,
        type: (text) => this.type(text),
        report: (bytes) => void this.#socket.send(latin1(bytes)),
      }),
    );
    const observer = new ResizeObserver(() => {
      this.#screen.remeasure();
      this.#size.changed();
    });
    observer.observe(elements.box);
    this.#stops.push(() => observer.disconnect());
    document.addEventListener("visibilitychange", () => this.#looked(), { signal });
    // A line that the network took along says nothing; one to this very machine is there again at once.
    for (const change of ["online", "offline"])
      window.addEventListener(change, () => this.#socket.reconnect(), { signal });
  }

  /** Whoever does not look needs nothing; whoever looks again wants what is there now. */
  #looked(): void {
    if (document.hidden) this.#socket.pause();
    else {
      this.#socket.resume();
      this.#screen.remeasure();
      this.#size.changed();
    }
  }
}
