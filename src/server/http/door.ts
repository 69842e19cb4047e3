import type { Logins } from "../auth/logins.ts";
import type { Origins } from "../auth/origins.ts";
import { DomainError } from "../errors.ts";

export interface Door {
  /** Throws unless the request may reach a handler. Runs before routing, for every method, stream and socket. */
  check(request: Request): void;
  cookieOf(request: Request): string | undefined;
  /** Asks again, later, whether what let this request in still would: a socket outlives its request. */
  admission(request: Request): () => boolean;
}

interface DoorParts {
  origins: Origins;
  logins: Logins;
  /** Paths anyone may GET: the page and its assets. */
  isPublicAsset(path: string): boolean;
}

/** The one place that decides who comes in. Whatever is not named as public here is closed. */
export function createDoor({ origins, logins, isPublicAsset }: DoorParts): Door {
  function isPublic(method: string, path: string): boolean {
    if (path === "/login") return method === "GET" || method === "POST" || method === "HEAD";
    return (method === "GET" || method === "HEAD") && (path === "/api/health" || isPublicAsset(path));
  }

  function refuseForeignSite(request: Request, path: string) {
    const origin = request.headers.get("origin");
    if (origin !== null && !origins.isOrigin(origin)) {
      throw new DomainError("forbidden_origin", `Requests from ${origin} are not accepted.`);
    }
    // A page on another port of this machine is same-site and would bring the cookie along.
    const site = request.headers.get("sec-fetch-site");
    const isForeign = site === "cross-site" || site === "same-site";
    const isNavigation = request.headers.get("sec-fetch-mode") === "navigate" && request.method === "GET";
    if (isForeign && !(isNavigation && !path.startsWith("/api/"))) {
      throw new DomainError("forbidden_origin", "Requests from other sites are not accepted.");
    }
  }

  function cookieOf(request: Request): string | undefined {
    return new Bun.CookieMap(request.headers.get("cookie") ?? "").get(origins.cookieName()) ?? undefined;
  }

  function admission(request: Request): () => boolean {
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (bearer !== undefined) return () => logins.isToken(bearer);
    const cookie = cookieOf(request);
    return () => cookie !== undefined && logins.isCookie(cookie);
  }

  return {
    cookieOf,
    admission,
    check(request) {
      if (!origins.isHost(request.headers.get("host"))) {
        throw new DomainError(
          "misdirected",
          "This address is not one banto serves; open it by the address it printed, or add this one to BANTO_PUBLIC_ORIGIN.",
        );
      }
      const path = rawPath(request.url);
      refuseForeignSite(request, path);
      if (isPublic(request.method, path) || admission(request)()) return;
      throw new DomainError(
        "unauthenticated",
        "Sign in with the link that banto printed, or send the token as a bearer.",
      );
    },
  };
}

/**
 * The path exactly as the router finds it, by the same arithmetic: a target may be a whole address, and whoever reads
 * that differently here and there lets one path in and serves another.
 */
export function rawPath(url: string): string {
  const start = url.indexOf("/", AFTER_SCHEME);
  const end = url.indexOf("?", start + 1);
  return url.substring(start, end === -1 ? undefined : end);
}

/** Where Elysia begins to look too, with `standardHostname` off. */
const AFTER_SCHEME = 7;
