// What a page's program finds in place of globals: a window without a picture, and timers, requests and sockets that end
// with the page. Each page has its own, so several can be open in one process, beside the server.
import { Window } from "happy-dom";
import type { DomContext } from "./context.ts";
import { watchRequests } from "./requests.ts";

export type Scope = Record<string, unknown>;

/** A view of its window: width, fingers or mouse, colours. */
export interface DomView {
  width: number;
  height: number;
  isPhone: boolean;
  theme: "dark" | "light";
}

export class DomScope {
  readonly window: Window;
  readonly values: Scope;
  private readonly names: string[];
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  private readonly sockets = new Set<WebSocket>();
  private readonly queries = new Set<() => void>();
  private isOver = false;

  constructor(
    url: string,
    readonly context: DomContext,
    readonly view: DomView,
  ) {
    this.window = new Window({ url, width: view.width, height: view.height });
    const { window } = this;
    const own = {
      ...this.time(),
      fetch: watchRequests(context, url, () => this.isOver),
      WebSocket: this.socketClass(url),
      matchMedia: (query: string) => this.mediaQuery(query),
      ResizeObserver: NoObserver,
      IntersectionObserver: SeesAll,
      reportError: (error: unknown) => context.emit("weberror", { error: () => error }),
      console: { ...console, error: (...parts: unknown[]) => context.complain(parts.map(String).join(" ")) },
    };
    prepare(window, context);
    Object.assign(window, own);
    this.values = { ...ofWindow(window), ...own };
    this.names = Object.keys(this.values);
  }

  /** Runs code in which the page's names mean the page's things. */
  run(code: string, ...args: unknown[]): unknown {
    const make = new Function(...this.names, code) as (...values: unknown[]) => unknown;
    const result = make(...this.names.map((name) => this.values[name]));
    return typeof result === "function" ? result(...args) : result;
  }

  resize(width: number, height: number): void {
    Object.assign(this.view, { width, height });
    this.window.happyDOM.setViewport({ width, height });
    for (const change of this.queries) change();
    this.window.dispatchEvent(new this.window.Event("resize"));
  }

  private time() {
    const { timers } = this;
    const later = (run: () => void, ms?: number) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (!this.isOver) run();
      }, ms);
      timers.add(timer);
      return timer;
    };
    const clear = (timer: ReturnType<typeof setTimeout>) => {
      timers.delete(timer);
      clearTimeout(timer);
    };
    return {
      setTimeout: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
        later(() => run(...args), ms),
      clearTimeout: clear,
      setInterval: (run: () => void, ms: number) => {
        const timer = setInterval(() => this.isOver || run(), ms);
        timers.add(timer);
        return timer;
      },
      clearInterval: clear,
      requestAnimationFrame: (run: (now: number) => void) => later(() => run(performance.now()), 4),
      cancelAnimationFrame: clear,
    };
  }

  private socketClass(url: string) {
    const { sockets, context } = this;
    return class extends WebSocket {
      constructor(path: string, protocols?: string | string[]) {
        const { origin } = new URL(url);
        const headers = { origin, cookie: context.cookies(url) };
        // Bun's own takes headers; a browser adds these itself.
        const options = { headers, ...(protocols !== undefined && { protocols: [protocols].flat() }) };
        super(new URL(path, origin.replace(/^http/, "ws")), options as never);
        sockets.add(this);
      }
    };
  }

  private mediaQuery(query: string) {
    const asks = this.view;
    const matches = () =>
      query.split(/\band\b/).every((part) => {
        const width = /\((min|max)-width:\s*([\d.]+)px\)/.exec(part);
        if (width)
          return width[1] === "min" ? asks.width >= Number(width[2]) : asks.width <= Number(width[2]);
        if (part.includes("prefers-reduced-motion")) return true;
        if (part.includes("prefers-color-scheme")) return part.includes(asks.theme);
        return asks.isPhone === /pointer:\s*coarse|hover:\s*none/.test(part);
      });
    const target = new EventTarget();
    let was = matches();
    this.queries.add(() => {
      if (was === matches()) return;
      was = !was;
      target.dispatchEvent(new Event("change"));
    });
    return Object.defineProperties(target, { matches: { get: matches }, media: { value: query } });
  }

  close(): void {
    this.isOver = true;
    for (const timer of this.timers) clearTimeout(timer);
    for (const socket of this.sockets) socket.close();
    this.queries.clear();
    void this.window.happyDOM.close();
  }
}

const FONTS = { ready: Promise.resolve(), load: async () => [], check: () => true };

/** Takes whatever is drawn; a letter is eight pixels wide. */
const NO_PICTURE = new Proxy({} as Scope, {
  get: (kept, name: string) =>
    kept[name] ??
    (name === "measureText"
      ? (text: string) => ({
          width: text.length * 8,
          actualBoundingBoxAscent: 10,
          actualBoundingBoxDescent: 4,
          fontBoundingBoxAscent: 12,
          fontBoundingBoxDescent: 4,
        })
      : name === "getImageData" || name === "createImageData"
        ? () => ({ data: new Uint8ClampedArray(4), width: 1, height: 1 })
        : () => ({ addColorStop() {} })),
  set: (kept, name: string, value) => {
    kept[name] = value;
    return true;
  },
});

/** Nothing has a size here, so none changes. */
class NoObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Everything is in sight. */
class SeesAll extends NoObserver {
  constructor(private readonly tell: (entries: unknown[]) => void) {
    super();
  }
  override observe(target?: unknown) {
    const rect = { x: 0, y: 0, top: 0, left: 0, right: 400, bottom: 60, width: 400, height: 60 };
    const entry = { target, isIntersecting: true, intersectionRatio: 1 };
    const rects = { intersectionRect: rect, boundingClientRect: rect, rootBounds: rect };
    queueMicrotask(() => this.tell([{ ...entry, ...rects }]));
  }
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Those of Bun's that are as good as a browser's, and that the server in the same process shares. */
const isShared = (name: string) => name in globalThis && !DOM_NAMES.has(name);
const DOM_NAMES = new Set(
  "Event CustomEvent EventTarget MessageEvent CloseEvent ErrorEvent navigator self addEventListener removeEventListener dispatchEvent onmessage onerror Node FormData".split(
    " ",
  ),
);

function ofWindow(window: Window): Scope {
  const names = new Set<string>();
  for (let at: object | null = window; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  const values: Scope = {};
  for (const name of names) {
    if (!IDENTIFIER.test(name) || isShared(name) || name === "constructor" || name === "eval") continue;
    const value = (window as unknown as Scope)[name];
    const isMethod = typeof value === "function" && /^[a-z]/.test(name);
    values[name] = isMethod ? (value as () => void).bind(window) : value;
  }
  return { ...values, window, self: window, globalThis: window };
}

const FOCUSABLE =
  "input:not([disabled]), textarea:not([disabled]), select:not([disabled]), button:not([disabled]), a[href], [tabindex], summary, [contenteditable]";

/** What the window lacks of a browser. */
function prepare(window: Window, context: DomContext): void {
  const { HTMLElement, HTMLDialogElement, document } = window;
  const size = (name: string, of: (element: Element) => number) =>
    Object.defineProperty(HTMLElement.prototype, name, {
      configurable: true,
      get(this: Element) {
        return of(this);
      },
    });
  const height = (element: Element) => (element.hasAttribute("data-index") ? 60 : window.innerHeight);
  for (const name of ["offsetHeight", "clientHeight"]) size(name, height);
  for (const name of ["offsetWidth", "clientWidth"]) size(name, () => 400);
  const focus = HTMLElement.prototype.focus;
  HTMLElement.prototype.focus = function () {
    if (this.matches(FOCUSABLE)) focus.call(this);
  };
  const before = new WeakMap<object, { focus(): void } | null>();
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: InstanceType<typeof HTMLDialogElement>) {
      before.set(this, document.activeElement);
      this.setAttribute("open", "");
      (this.querySelector(FOCUSABLE) as { focus(): void } | null)?.focus();
    },
    close(this: InstanceType<typeof HTMLDialogElement>) {
      if (!this.hasAttribute("open")) return;
      this.removeAttribute("open");
      before.get(this)?.focus();
      this.dispatchEvent(new window.Event("close"));
    },
  });
  Object.defineProperty(window.navigator, "locks", { value: context.locks });
  Object.defineProperty(document, "fonts", { value: Object.assign(new EventTarget(), FONTS) });
  Object.assign(document, { getAnimations: () => [] });
  window.HTMLCanvasElement.prototype.getContext = (() => NO_PICTURE) as never;
}
