// One terminal in the page: its screen, its connection, and everything a person does with them.
// React shows what `status` says; the bytes never come near it.
import { copyText } from "./clipboard.ts";
import type { EngineModule } from "./engine-module.ts";
import { Field } from "./field.ts";
import { FONT_SIZES } from "./font.ts";
import { createGestures } from "./gestures.ts";
import { type Chord, listenToKeys, type Scroll } from "./keyboard.ts";
import type { ThemeName } from "./palette.ts";
import { isSeveralLines, PASTE_LIMIT, preparePaste } from "./paste.ts";
import { listenToPointer } from "./pointer.ts";
import { ResizeWish } from "./resize-wish.ts";
import { Screen } from "./screen.ts";
import { ScreenText } from "./screen-text.ts";
import { TerminalSocket } from "./socket.ts";
import { createStatus, type StatusStore } from "./status.ts";

export interface TerminalElements {
  box: HTMLElement;
  canvas: HTMLCanvasElement;
  field: HTMLTextAreaElement;
  /** For those who listen: the screen as text, and what is new on it. */
  screen: HTMLElement;
  aloud: HTMLElement;
}

export interface TerminalOptions {
  module: EngineModule;
  elements: TerminalElements;
  /** Of the socket; what else there is lies beside it. */
  path: string;
  theme: ThemeName;
  fontSize: number;
  onLeave(): void;
  onFind(): void;
  onFontSize(size: number): void;
  onTitle(title: string): void;
}

const FAILURES_ALLOWED = 3;
const FAILURE_WINDOW_MS = 20_000;
const BELL_MS = 500;

const utf8 = new TextEncoder();
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

export class Terminal {
  readonly status: StatusStore;
  readonly #options: TerminalOptions;
  readonly #screen: Screen;
  readonly #socket: TerminalSocket;
  readonly #wish: ResizeWish;
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
    this.#text = new ScreenText(this.#screen.emulator, elements.screen, elements.aloud);
    this.#field = new Field(elements.field, {
      onText: (text) => this.type(text),
      onFocus: (isFocused) => this.#focused(isFocused),
      onPaste: (text) => this.paste(text),
      selectedText: () => this.#screen.selection.text(),
    });
    this.#socket = new TerminalSocket(path, {
      onState: (connection) => {
        this.status.patch({ connection });
        this.#screen.isOver = connection.kind === "ended";
        this.#screen.draw();
      },
      onBegin: (size) => this.#screen.begin(size),
      onBytes: (bytes, cameAt) => this.#screen.write(bytes, cameAt),
      onSize: (size) => this.#screen.resize(size),
      wish: () => (document.hidden ? undefined : this.#screen.fit()),
    });
    this.#wish = new ResizeWish((size) => this.#socket.resize(size));
    if (document.hidden) this.#socket.pause();
    this.#listen();
    this.#screen.draw();
  }

  type(text: string): void {
    if (!this.#socket.send(utf8.encode(text))) return;
    this.#screen.selection.clear();
    this.#screen.scroll.follow();
    this.#screen.draw();
  }

  /** `isConfirmed`: the person has seen that it is several lines. */
  paste(text: string, isConfirmed = false): void {
    this.status.patch({ paste: undefined, problem: undefined });
    const isBracketed = this.#screen.emulator.mode(2004);
    if (text.length > PASTE_LIMIT) {
      const millions = (text.length / 1e6).toFixed(1);
      this.#warn(`That is too long to paste: ${millions} million characters. Put it into a file instead.`);
    } else if (!isBracketed && !isConfirmed && isSeveralLines(text)) this.status.patch({ paste: text });
    else this.type(preparePaste(text, isBracketed));
  }

  cancelPaste = () => this.status.patch({ paste: undefined });
  dismissProblem = () => this.status.patch({ problem: undefined });
  focus = () => this.#field.focus();
  takeSize = () => {
    this.#socket.takeSize();
    this.#wish.insist(this.#screen.fit());
    this.focus();
  };
  reconnect = () => this.#socket.reconnect();

  restart(): void {
    this.#failures = [];
    this.status.patch({ problem: undefined });
    this.#socket.restart(true);
  }

  copy(): void {
    const text = this.#screen.selection.text();
    if (text === "") return;
    copyText(text).catch((error: Error) => this.#warn(`Copying failed: ${error.message}`));
  }

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
    this.#fitted();
  };
  setFontSize(size: number): void {
    this.#screen.remeasure(size);
    this.#fitted();
  }

  dispose(): void {
    this.#listening.abort();
    for (const stop of this.#stops) stop();
    this.#socket.dispose();
    this.#wish.dispose();
    this.#field.dispose();
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
    const { size, fit } = this.status.get();
    const isForeign = size.cols !== fit.cols || size.rows !== fit.rows;
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

  #fitted(): void {
    if (document.hidden) return;
    const fit = this.#screen.fit();
    this.status.patch({ fit });
    this.#wish.want(fit);
  }

  #chord(chord: Chord): void {
    const { font, selection } = this.#screen;
    if (chord === "copy") this.copy();
    else if (chord === "find") this.#options.onFind();
    else if (chord === "leave") this.#options.onLeave();
    else if (chord === "select-all") selection.all();
    else {
      const size = chord === "usual-size" ? FONT_SIZES.usual : font.size + (chord === "larger" ? 1 : -1);
      this.#options.onFontSize(Math.max(FONT_SIZES.least, Math.min(FONT_SIZES.most, size)));
    }
    this.#screen.draw();
  }

  #scrollBy(scroll: Scroll): void {
    const { rows } = this.#screen.emulator.size();
    if (scroll === "top") this.#screen.scroll.to(0);
    else if (scroll === "bottom") this.#screen.scroll.follow();
    else this.#screen.scroll.by(scroll === "page-up" ? 1 - rows : rows - 1);
    this.#screen.draw();
  }

  #listen(): void {
    const { box, field } = this.#options.elements;
    const { emulator, selection } = this.#screen;
    const { signal } = this.#listening;
    const gestures = createGestures({
      screen: this.#screen,
      canvas: this.#options.elements.canvas,
      focus: this.focus,
      type: (text) => this.type(text),
      report: (bytes) => void this.#socket.send(latin1(bytes)),
    });
    this.#stops.push(
      listenToKeys(field, emulator, {
        onInput: (text) => {
          this.#field.forget();
          this.type(text);
        },
        onChord: (chord) => this.#chord(chord),
        onScroll: (scroll) => this.#scrollBy(scroll),
        hasSelection: () => !selection.isEmpty,
        isComposing: () => this.#field.isComposing,
      }),
      listenToPointer(box, emulator, gestures.events),
      gestures.stop,
    );
    const observer = new ResizeObserver(() => {
      this.#screen.remeasure();
      this.#fitted();
    });
    observer.observe(box);
    this.#stops.push(() => observer.disconnect());
    document.addEventListener("visibilitychange", () => this.#looked(), { signal });
    window.addEventListener("online", () => this.#socket.reconnect(), { signal });
  }

  /** Whoever does not look needs nothing; whoever looks again wants what is there now. */
  #looked(): void {
    if (document.hidden) this.#socket.pause();
    else {
      this.#socket.resume();
      this.#screen.remeasure();
      this.#fitted();
    }
  }
}
