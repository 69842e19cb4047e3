// One terminal in the page: its screen, its connection and its input. React shows `status`, and never sees the bytes.
import { TerminalSocket } from "./connection/socket.ts";
import { WindowSize } from "./connection/window-size.ts";
import type { ShortcutOptions } from "./input/shortcuts.ts";
import { TerminalInput } from "./input/terminal-input.ts";
import type { ThemeName } from "./picture/palette.ts";
import { listenToPointerAndTouch } from "./pointer-and-touch/listen.ts";
import { ScreenText } from "./read-aloud/screen-text.ts";
import { Screen } from "./screen/screen.ts";
import { createStatus, type StatusStore } from "./status.ts";

export interface TerminalElements {
  box: HTMLElement;
  canvas: HTMLCanvasElement;
  field: HTMLTextAreaElement;
  /** For screen readers: the screen as text, and its new lines. */
  screen: HTMLElement;
  aloud: HTMLElement;
}

export interface TerminalOptions extends ShortcutOptions {
  module: WebAssembly.Module;
  elements: TerminalElements;
  socketPath: string;
  filesPath: string;
  theme: ThemeName;
  fontSize: number;
  isReadOnly: boolean;
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
  readonly input: TerminalInput;
  readonly #screen: Screen;
  readonly #socket: TerminalSocket;
  readonly #size: WindowSize;
  readonly #text: ScreenText;
  readonly #box: HTMLElement;
  readonly #stops: (() => void)[];
  /** When the engine failed recently. */
  #failures: number[] = [];
  #rangAt = 0;

  constructor(options: TerminalOptions) {
    const { elements, isReadOnly } = options;
    this.#box = elements.box;
    this.#screen = new Screen({
      ...options,
      ...elements,
      onTitle: (title) => {
        this.status.patch({ title });
        options.onTitle(title);
      },
      onBell: () => this.#ring(),
      onFailure: (reason) => this.#failed(reason),
      onPainted: () => this.#updateSurroundings(),
    });
    const screen = this.#screen;
    this.status = createStatus(screen.fit());
    this.#size = new WindowSize({
      isReadOnly,
      measure: screen.fit,
      shown: () => this.status.get().size,
      viewer: () => this.#socket.viewer,
      onChange: (fit) => this.status.patch({ fit }),
      send: (size) => this.#socket.resize(size),
    });
    this.#text = new ScreenText(screen.emulator, elements.screen, elements.aloud);
    const type = (text: string) => this.#type(text);
    const report = (bytes: string) => void this.#socket.send(latin1(bytes));
    this.input = new TerminalInput({
      screen,
      status: this.status,
      field: elements.field,
      // Not the box, because something on top of the picture could catch the drop.
      dropTarget: elements.box.parentElement ?? elements.box,
      filesPath: options.filesPath,
      shortcuts: options,
      type,
      report,
      onFocus: (isFocused) => this.#focused(isFocused),
    });
    this.#socket = new TerminalSocket(options.socketPath, {
      onState: (connection) => {
        this.status.patch({ connection });
        screen.isOver = connection.kind === "ended";
        if (connection.kind === "live") this.#size.connected();
        screen.draw();
      },
      onStart: (size) => screen.clear(size),
      onBytes: (bytes, arrivedAt) => screen.write(bytes, arrivedAt),
      onSize: (size) => screen.resize(size),
      initialSize: () => this.#size.initial,
    });
    if (document.hidden) this.#socket.pause();
    this.setReadOnly(isReadOnly);
    const stopPointer = listenToPointerAndTouch({
      ...elements,
      screen,
      status: this.status,
      focus: this.focus,
      showKeyboard: () => this.input.field.showKeyboard(),
      setFontSize: options.onFontSize,
      type,
      report,
    });
    this.#stops = [stopPointer, this.#watchBox(), this.#watchVisibility()];
    screen.draw();
  }

  /** Read-only terminals take turns, and have no say in the size. */
  setReadOnly(isReadOnly: boolean): void {
    this.#size.isReadOnly = isReadOnly;
    this.#socket.setInTurn(isReadOnly, this.#screen.drawNow);
    this.#size.changed();
  }

  dismissProblem = () => this.status.patch({ problem: undefined });
  focus = () => this.input.field.focus();
  /** Brings up a phone's keyboard, or puts it away. */
  toggleKeyboard = () => this.input.field.toggleKeyboard();
  takeSize = () => {
    this.#socket.takeSize();
    this.#size.take();
    this.focus();
  };
  /** `since`: when the network may have changed, if not now. */
  reconnect = (since?: number) => this.#socket.reconnect(since);

  restart(): void {
    this.#failures = [];
    this.status.patch({ problem: undefined });
    this.#socket.restart();
  }

  /** The history and the screen. */
  allText = () => this.#text.all();

  scrollToBottom(): void {
    this.#screen.scroll.follow();
    this.#screen.draw();
    this.focus();
  }

  find(query: string): void {
    this.#showLine(this.#screen.finder.search(query));
  }

  findNext(by: 1 | -1): void {
    this.#showLine(this.#screen.finder.step(by));
  }

  setTheme = (theme: ThemeName) => this.#screen.setTheme(theme);
  fontLoaded = () => {
    this.#screen.remeasureFont();
    this.#size.changed();
  };
  setFontSize(size: number): void {
    this.#screen.remeasure(size);
    this.#size.changed();
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.input.dispose();
    this.#socket.dispose();
    this.#size.dispose();
    this.#text.dispose();
    this.#screen.dispose();
  }

  /** False when it could not be sent. */
  #type(text: string): boolean {
    if (!this.#socket.send(utf8.encode(text))) return false;
    this.#size.typed();
    this.#text.typed();
    this.status.patch({ menu: undefined });
    this.#screen.selection.clear();
    this.#screen.scroll.follow();
    this.#screen.draw();
    return true;
  }

  #updateSurroundings(): void {
    const { emulator, scroll, link, background, finder } = this.#screen;
    this.status.patch({
      size: emulator.size(),
      below: scroll.below,
      link: link && { address: link.address, claims: link.claims },
      matches: { count: finder.count, current: finder.current },
    });
    const { isForeign } = this.#size;
    this.#box.toggleAttribute("data-foreign", isForeign);
    this.#box.style.backgroundColor = isForeign ? "" : background;
    this.input.field.place(this.#screen.cursorBox());
    this.#text.changed();
  }

  #failed(reason: string): void {
    const now = performance.now();
    this.#failures = [...this.#failures.filter((at) => now - at < FAILURE_WINDOW_MS), now];
    if (this.#failures.length <= FAILURES_ALLOWED) this.#socket.restart();
    else {
      const text = `This output can't be shown (${reason}). The program keeps running.`;
      this.status.patch({ problem: { text, isFatal: true } });
    }
  }

  /** Programs can ring more often than anyone wants to know. */
  #ring(): void {
    const now = performance.now();
    if (now - this.#rangAt < BELL_MS) return;
    this.#rangAt = now;
    this.status.patch({ bells: this.status.get().bells + 1 });
  }

  #focused(isFocused: boolean): void {
    this.status.patch({ isFocused });
    this.#screen.isFocused = isFocused;
    this.#text.isAloud = isFocused;
    if (this.#screen.emulator.mode(1004)) this.#socket.send(utf8.encode(isFocused ? "\x1b[I" : "\x1b[O"));
    this.#screen.draw();
  }

  #showLine(line: number | undefined): void {
    if (line !== undefined) this.#screen.scroll.show(line, this.#screen.emulator.size().rows);
    this.#screen.draw();
  }

  #watchBox(): () => void {
    const observer = new ResizeObserver(() => this.#measure());
    observer.observe(this.#box);
    return () => observer.disconnect();
  }

  /** A hidden page reads nothing. When it is shown again, it needs the current screen and size. */
  #watchVisibility(): () => void {
    const follow = () => {
      if (document.hidden) this.#socket.pause();
      else {
        this.#socket.resume();
        this.#measure();
      }
    };
    document.addEventListener("visibilitychange", follow);
    return () => document.removeEventListener("visibilitychange", follow);
  }

  #measure(): void {
    this.#screen.remeasure();
    this.#size.changed();
  }
}
