// What the pages of one profile share: cookies, what they store, and what a test hears of them.
import type { DomPage } from "./page.ts";
import { globToRegExp, type RouteHandler } from "./requests.ts";
import type { DomView } from "./scope.ts";

type Listener = (event: never) => void;

export class DomContext {
  readonly open: DomPage[] = [];
  isOffline = false;
  private readonly jar = new Map<string, string>();
  private readonly stored = new Map<string, Map<string, string>>();
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly routes: { pattern: string; handler: RouteHandler }[] = [];

  constructor(readonly view: DomView) {}

  readonly locks = {
    async request(_name: string, ...rest: unknown[]) {
      return (rest.at(-1) as (lock: object) => unknown)({});
    },
    query: async () => ({ held: [], pending: [] }),
  };

  setDefaultTimeout(): void {}

  on(event: string, listener: Listener): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(listener));
  }

  off(event: string, listener: Listener): void {
    this.listeners.get(event)?.delete(listener);
  }

  emit(event: string, value: unknown): void {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(value as never);
  }

  /** Said on the console as an error. */
  complain(text: string, url = ""): void {
    this.emit("console", { type: () => "error", text: () => text, location: () => ({ url }) });
  }

  pages = (): DomPage[] => this.open;

  async newPage(): Promise<DomPage> {
    const { DomPage } = await import("./page.ts");
    const page = new DomPage(this);
    this.open.push(page);
    return page;
  }

  async addCookies(cookies: { name: string; value: string }[]): Promise<void> {
    for (const { name, value } of cookies) this.jar.set(name, value);
  }

  async clearCookies(): Promise<void> {
    this.jar.clear();
  }

  cookies = (_url: string): string => [...this.jar].map(([name, value]) => `${name}=${value}`).join("; ");

  takeCookies(_url: string, { headers }: Response): void {
    for (const cookie of headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
      if (/max-age=0/i.test(cookie)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
  }

  storage(origin: string): Map<string, string> {
    const stored = this.stored.get(origin) ?? new Map<string, string>();
    this.stored.set(origin, stored);
    return stored;
  }

  route(pattern: string, handler: RouteHandler): void {
    this.routes.unshift({ pattern, handler });
  }

  unroute(pattern?: string): void {
    for (const route of [...this.routes])
      if (pattern === undefined || route.pattern === pattern)
        this.routes.splice(this.routes.indexOf(route), 1);
  }

  routeFor = (url: string): RouteHandler | undefined =>
    this.routes.find(({ pattern }) => globToRegExp(pattern).test(url))?.handler;

  async setOffline(isOffline: boolean): Promise<void> {
    this.isOffline = isOffline;
  }

  close(): void {
    for (const page of this.open.splice(0)) page.end();
  }
}
