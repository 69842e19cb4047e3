import { type Actor, PAGE_KEY_HEADER, PAGE_KEY_PROTOCOL } from "../../contract.ts";
import { browserName } from "../auth/browser-name.ts";
import type { LoginHalves, Logins } from "../auth/logins.ts";
import type { Origins } from "../auth/origins.ts";
import { DomainError } from "../errors.ts";
import { forwarded } from "./forwarded.ts";

export interface Door {
  /** Throws unless the request may reach a handler. Runs before routing, for every method, stream and socket. */
  check(request: Request): void;
  loginOf(request: Request): LoginHalves;
  /** The browser uses TLS, at least up to a proxy. */
  isSecure(request: Request): boolean;
  /** Who sends it, for the audit. */
  actorOf(request: Request): Actor;
  /** For asking later whether this request would still be let in: sockets outlive their requests. */
  admission(request: Request): () => boolean;
}

interface DoorParts {
  origins: Origins;
  logins: Logins;
  /** Paths anyone may GET: the page and its assets. */
  isPublicAsset(path: string): boolean;
}

/** The one place that decides who comes in. Anything that isn't listed as public here is closed. */
export function createDoor({ origins, logins, isPublicAsset }: DoorParts): Door {
  function isPublic(method: string, path: string): boolean {
    if (path === "/login" && method === "POST") return true;
    return (method === "GET" || method === "HEAD") && (path === "/api/health" || isPublicAsset(path));
  }

  function refuseForeignSite(request: Request, path: string) {
    const origin = request.headers.get("origin");
    if (origin !== null && !origins.isOrigin(origin)) {
      throw new DomainError("forbidden_origin", `Requests from ${origin} are not accepted.`);
    }
    // A page on another port of this machine is same-site, so its requests would carry the cookie.
    const isForeign = !OWN_SITES.includes(request.headers.get("sec-fetch-site"));
    const isNavigation = request.headers.get("sec-fetch-mode") === "navigate" && request.method === "GET";
    if (isForeign && !(isNavigation && !path.startsWith("/api/"))) {
      throw new DomainError("forbidden_origin", "Requests from other sites are not accepted.");
    }
  }

  function loginOf({ headers }: Request): LoginHalves {
    const cookies = listed(headers.get("cookie"), ";").map((pair) => pair.split("=", 2));
    const protocols = listed(headers.get("sec-websocket-protocol"), ",");
    const names = Object.values(origins.cookieNames());
    const inProtocol = protocols.find((name) => name.startsWith(PAGE_KEY_PROTOCOL));
    return {
      cookies: cookies.flatMap(([name, value = ""]) => (names.includes(name ?? "") ? [value] : [])),
      pageKey: headers.get(PAGE_KEY_HEADER) ?? inProtocol?.slice(PAGE_KEY_PROTOCOL.length),
    };
  }

  function isSecure(request: Request): boolean {
    const { headers } = request;
    const proxy = forwarded(request);
    const isByHost = [headers.get("host"), proxy?.host ?? null].some((host) => origins.isSecure(host));
    return proxy?.isTls === true || isByHost || headers.get("origin")?.startsWith("https:") === true;
  }

  /** A proxy that changes the Host has to pass on the original one, or we don't know our own address in the browser. */
  function isUnderstood(request: Request): boolean {
    const proxy = forwarded(request);
    if (proxy === undefined || origins.isPublicHost(request.headers.get("host"))) return true;
    return proxy.host === undefined ? proxy.isTls : origins.isHost(proxy.host);
  }

  const bearerOf = ({ headers }: Request) => /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];

  function actorOf(request: Request): Actor {
    if (bearerOf(request) !== undefined) return { by: "token", name: "a script with the token", login: null };
    const name = browserName(request.headers.get("user-agent") ?? "");
    return { by: "browser", name, login: logins.idOf(loginOf(request)) };
  }

  function admission(request: Request): () => boolean {
    const bearer = bearerOf(request);
    if (bearer !== undefined) return () => logins.isToken(bearer);
    const login = loginOf(request);
    return () => login.cookies.length > 0 && login.pageKey !== undefined && logins.isLogin(login);
  }

  function refuseStranger(request: Request): never {
    const { cookies, pageKey } = loginOf(request);
    if (cookies.length > 0 && pageKey === undefined) {
      throw new DomainError(
        "half_login",
        `The cookie is half of a login; send the page key with it, as ${PAGE_KEY_HEADER}.`,
      );
    }
    throw new DomainError(
      "unauthenticated",
      "Sign in with the link that banto printed, or send the token as a bearer.",
    );
  }

  return {
    loginOf,
    isSecure,
    actorOf,
    admission,
    check(request) {
      if (!origins.isHost(request.headers.get("host"))) {
        throw new DomainError(
          "misdirected",
          "banto isn't served at this address. Use the address it printed, or add this one to BANTO_PUBLIC_ORIGIN.",
        );
      }
      if (!isUnderstood(request)) {
        throw new DomainError(
          "misdirected",
          "The proxy in front of banto doesn't pass on the Host header. Make it do so (nginx: proxy_set_header Host $host).",
        );
      }
      const path = rawPath(request.url);
      refuseForeignSite(request, path);
      if (!isPublic(request.method, path) && !admission(request)()) refuseStranger(request);
    },
  };
}

/** Values of Sec-Fetch-Site for requests by our own page or the person; null for clients that don't send it. */
const OWN_SITES: (string | null)[] = [null, "same-origin", "none"];

const listed = (header: string | null, separator: string) =>
  (header ?? "").split(separator).map((part) => part.trim());

/**
 * The path exactly as the router finds it, computed in the same way. A target may be a full URL, and reading it in two
 * ways would check one path and serve another.
 */
export function rawPath(url: string): string {
  const start = url.indexOf("/", AFTER_SCHEME);
  const end = url.indexOf("?", start + 1);
  return url.substring(start, end === -1 ? undefined : end);
}

/** Where Elysia starts looking too, with `standardHostname` off. */
const AFTER_SCHEME = 7;
