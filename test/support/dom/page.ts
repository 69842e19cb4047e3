// The page without a browser: its real program in a document without a picture, talking to a real server. As much of
// Playwright's page as the tests use, so that a test of words, menus and keys reads the same and costs a tenth. What has
// to do with size, place, drawing or the browser itself belongs to test/e2e.
import type { DomContext } from "./context.ts";
import { DomKeyboard, settle } from "./keyboard.ts";
import { DomLocator, until } from "./locator.ts";
import { pageProgram } from "./program.ts";
import { type DomRequest, globToRegExp, type RouteHandler } from "./requests.ts";
import { DomScope } from "./scope.ts";

type Sent = DomRequest;
type Wanted = string | ((sent: Sent) => boolean);

function keep(storage: Storage, stored: Map<string, string>): void {
  stored.clear();
  for (let index = 0; index < storage.length; index += 1) {
    const key = storage.key(index) ?? "";
    stored.set(key, storage.getItem(key) ?? "");
  }
}

function bringBack(storage: Storage, stored: Map<string, string>): void {
  for (const [key, value] of stored) storage.setItem(key, value);
}

/** Methods are written without the word. */
function asFunction(check: (...args: never[]) => unknown): string {
  const text = check.toString().replace(/;\s*$/, "");
  return /^(async\s+)?(function\b|\(|[\w$]+\s*=>)/.test(text)
    ? text
    : text.replace(/^(async\s+)?/, "$1function ");
}

export class DomPage {
  readonly keyboard = new DomKeyboard(() => this.scope);
  private current: DomScope | undefined;
  private address = "about:blank";
  /** What it stores as long as it is open. */
  private readonly session = new Map<string, string>();

  constructor(private readonly owner: DomContext) {}

  get scope(): DomScope {
    if (this.current === undefined) throw new Error("the page is at no address yet");
    return this.current;
  }

  get view() {
    return this.owner.view;
  }

  context = () => this.owner;
  url = () => (this.current === undefined ? this.address : this.current.window.location.href);
  title = async () => this.scope.window.document.title;

  async goto(url: string): Promise<void> {
    this.leave();
    this.address = new URL(url, this.url() === "about:blank" ? undefined : this.url()).href;
    await this.load();
  }

  async reload(): Promise<void> {
    this.address = this.url();
    this.leave();
    await this.load();
  }

  async goBack(): Promise<void> {
    this.scope.window.history.back();
    await settle();
  }

  async goForward(): Promise<void> {
    this.scope.window.history.forward();
    await settle();
  }

  async bringToFront(): Promise<void> {}

  private async load(): Promise<void> {
    const scope = new DomScope(this.address, this.owner, { ...this.owner.view });
    this.current = scope;
    bringBack(scope.window.localStorage, this.owner.storage(scope.window.location.origin));
    bringBack(scope.window.sessionStorage, this.session);
    scope.window.document.body.innerHTML = '<div id="root"></div>';
    if (!new URL(this.address).pathname.startsWith("/api/")) scope.run(await pageProgram());
    await settle();
  }

  /** What it stored stays with the context. */
  private leave(): void {
    if (this.current === undefined) return;
    const { window } = this.current;
    window.dispatchEvent(new window.Event("beforeunload", { cancelable: true }));
    keep(window.localStorage, this.owner.storage(window.location.origin));
    keep(window.sessionStorage, this.session);
    this.current.close();
    this.current = undefined;
  }

  /** It is gone for good. */
  end(): void {
    this.current?.close();
    this.current = undefined;
  }

  async close(): Promise<void> {
    this.leave();
    this.owner.open.splice(this.owner.open.indexOf(this), 1);
  }

  private root = () => new DomLocator(this, () => [this.scope.window.document as unknown as Element], "page");
  locator = (selector: string, options?: Parameters<DomLocator["locator"]>[1]) =>
    this.root().locator(selector, options);
  getByRole = (...args: Parameters<DomLocator["getByRole"]>) => this.root().getByRole(...args);
  getByLabel = (...args: Parameters<DomLocator["getByLabel"]>) => this.root().getByLabel(...args);
  getByText = (...args: Parameters<DomLocator["getByText"]>) => this.root().getByText(...args);
  getByTitle = (...args: Parameters<DomLocator["getByTitle"]>) => this.root().getByTitle(...args);
  getByPlaceholder = (...args: Parameters<DomLocator["getByPlaceholder"]>) =>
    this.root().getByPlaceholder(...args);

  /** In the page's scope: what it names is the page's. */
  evaluateWith<T>(check: (...args: unknown[]) => T, ...args: unknown[]): T {
    return this.scope.run(`return (${asFunction(check)});`, ...args) as T;
  }

  evaluate = async <T>(check: (argument: never) => T, argument?: unknown): Promise<T> =>
    this.evaluateWith(check as (...args: unknown[]) => T, argument);

  waitForFunction = (check: (argument: never) => unknown, argument?: unknown) =>
    until(
      () => this.evaluateWith(check as (...args: unknown[]) => unknown, argument) || undefined,
      () => check.toString(),
    );

  async setViewportSize({ width, height }: { width: number; height: number }): Promise<void> {
    Object.assign(this.owner.view, { width, height });
    this.scope.resize(width, height);
  }

  async route(pattern: string, handler: RouteHandler): Promise<void> {
    this.owner.route(pattern, handler);
  }
  async unroute(pattern?: string): Promise<void> {
    this.owner.unroute(pattern);
  }
  unrouteAll = () => this.unroute();

  waitForRequest = (wanted: Wanted) => this.next("request", wanted);
  waitForResponse = (wanted: Wanted) => this.next("response", wanted);
  private next(event: string, wanted: Wanted): Promise<Sent> {
    const isWanted =
      typeof wanted === "string" ? ({ url }: Sent) => globToRegExp(wanted).test(url()) : wanted;
    const { promise, resolve } = Promise.withResolvers<Sent>();
    const listen = (value: Sent) => {
      if (!isWanted(value)) return;
      this.owner.off(event, listen as never);
      resolve(value);
    };
    this.owner.on(event, listen as never);
    return promise;
  }

  send(element: Element, type: string): boolean {
    const { window } = this.scope;
    const kind = type.startsWith("pointer")
      ? window.PointerEvent
      : type.startsWith("mouse")
        ? window.MouseEvent
        : window.Event;
    const init = {
      bubbles: true,
      cancelable: true,
      composed: true,
      button: 0,
      pointerType: "mouse",
      detail: 1,
    };
    return element.dispatchEvent(new kind(type, init as never) as unknown as Event);
  }

  /** The main button of a mouse, down and up. */
  press(element: HTMLElement): void {
    this.send(element, "pointerdown");
    if (this.send(element, "mousedown")) {
      const target = element.closest<HTMLElement>(
        "button, a[href], input, textarea, select, summary, [tabindex]",
      );
      if (target !== null) target.focus();
      else (this.scope.window.document.activeElement as unknown as HTMLElement | null)?.blur();
    }
    this.send(element, "pointerup");
    this.send(element, "mouseup");
    element.click();
  }
}
