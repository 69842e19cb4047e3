// The half of a login that isn't a cookie. Browsers send cookies to every port of a host name, but a page's storage
// belongs to its own port.

import { PAGE_KEY_HEADER, PAGE_KEY_PROTOCOL } from "../../../contract.ts";

const NAME = "banto.page-key";
const LOGIN = "banto.login";

export const pageKey = {
  /** `login`: what tells this login apart from others. It lets nobody in. */
  keep(key: string, login: string) {
    localStorage.setItem(LOGIN, login);
    localStorage.setItem(NAME, key);
  },
  forget() {
    localStorage.removeItem(NAME);
    localStorage.removeItem(LOGIN);
  },
  /** Called when another tab has signed in. Returns a function that stops listening. */
  onKept(listener: () => void): () => void {
    const look = ({ key, newValue }: StorageEvent) => key === NAME && newValue !== null && listener();
    window.addEventListener("storage", look);
    return () => window.removeEventListener("storage", look);
  },
};

/** Which login this browser has; null if an older banto gave it. */
export const ownLogin = () => localStorage.getItem(LOGIN);

/** Read each time: another tab may have signed in or out. */
const kept = () => localStorage.getItem(NAME);

export function pageKeyHeader(): Record<string, string> {
  const key = kept();
  return key === null ? {} : { [PAGE_KEY_HEADER]: key };
}

/** Like `fetch`, with the page key. */
export const signedFetch = (url: string, init: RequestInit = {}) =>
  fetch(url, { ...init, headers: { ...init.headers, ...pageKeyHeader() } });

/** Opens a socket to this server, with the page key among its subprotocols. */
export function signedSocket(url: URL, protocol: string): WebSocket {
  const key = kept();
  return new WebSocket(url, key === null ? [protocol] : [protocol, PAGE_KEY_PROTOCOL + key]);
}
