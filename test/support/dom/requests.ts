// A page's requests, as a browser sends them; a test may stand in between.
import type { DomContext } from "./context.ts";

/** As much of Playwright's as the tests use. */
export interface DomRequest {
  url(): string;
  method(): string;
  postData(): string | null;
  postDataJSON(): unknown;
}

interface DomRoute {
  request(): DomRequest;
  continue(): Promise<void>;
  fulfill(answer: { status?: number; json?: unknown; body?: string }): Promise<void>;
  abort(): Promise<void>;
}

export type RouteHandler = (route: DomRoute) => unknown;

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export function watchRequests(context: DomContext, pageUrl: string, isOver: () => boolean): Fetch {
  const { origin } = new URL(pageUrl);
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, pageUrl).href;
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
    const method = init.method ?? (input instanceof Request ? input.method : "GET");
    headers.set("cookie", context.cookies(url));
    headers.set("sec-fetch-site", "same-origin");
    if (method !== "GET" && method !== "HEAD") headers.set("origin", origin);
    const request = requestOf(url, method, init.body);
    context.emit("request", request);
    const send = () => fetch(input instanceof Request ? input : url, { ...init, headers });
    const response = await answer(context, request, send);
    if (isOver()) return new Promise(() => {}); // the page is gone
    context.takeCookies(url, response);
    context.emit("response", { ...request, status: () => response.status, request: () => request });
    if (response.status >= 400)
      context.complain(`the server responded with a status of ${response.status}`, url);
    return response;
  };
}

async function answer(context: DomContext, request: DomRequest, send: () => Promise<Response>) {
  if (context.isOffline) throw new TypeError("Failed to fetch");
  const handler = context.routeFor(request.url());
  if (handler === undefined) return send();
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const route: DomRoute = {
    request: () => request,
    async continue() {
      await send().then(resolve, reject);
    },
    async fulfill({ status = 200, json, body = JSON.stringify(json) }) {
      resolve(new Response(body, { status, headers: { "content-type": "application/json" } }));
    },
    async abort() {
      reject(new TypeError("Failed to fetch"));
    },
  };
  await handler(route);
  return promise;
}

function requestOf(url: string, method: string, body: unknown): DomRequest {
  const text = typeof body === "string" ? body : null;
  return {
    url: () => url,
    method: () => method,
    postData: () => text,
    postDataJSON: () => JSON.parse(text ?? "null"),
  };
}

/** As Playwright reads them: two stars go across slashes. */
export function globToRegExp(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\?]/g, "\\$&")
    .replaceAll("**", "\0")
    .replaceAll("*", "[^/]*");
  return new RegExp(`^${source.replaceAll("\0", ".*")}$`);
}
