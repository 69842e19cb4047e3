import type { Page } from "playwright-core";
import { PAGE_KEY_HEADER } from "../../src/contract.ts";
import type { Answer, TestServer } from "./server.ts";

/** A browser's login, as it travels with requests. */
export interface BrowserLogin {
  /** Name and value. */
  cookie: string;
  pageKey: string;
  /** What tells it apart from others. */
  login: string;
  /** Both halves. */
  headers: Record<string, string>;
}

/** What a press on the sign-in page's button sends. */
export const followLink = (on: TestServer, link: string, headers: Record<string, string> = {}) => {
  const code = new URL(link).searchParams.get("code");
  return on.request<{ pageKey: string; login: string }>("POST", "/login", {
    anonymous: true,
    body: { code },
    headers,
  });
};

export const newLink = async (on: TestServer) =>
  (await on.post<{ url: string }>("/api/login-links")).body.url;

export function loginOf({ headers, body }: Answer<{ pageKey: string; login: string }>): BrowserLogin {
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  return {
    cookie,
    pageKey: body.pageKey,
    login: body.login,
    headers: { cookie, [PAGE_KEY_HEADER]: body.pageKey },
  };
}

export const signIn = async (on: TestServer) => loginOf(await followLink(on, await newLink(on)));

/** Gives the page's browser a login, as the sign-in page would. The page is left at something light. */
export async function signInPage(page: Page, server: TestServer): Promise<void> {
  const { cookie, pageKey, login } = await signIn(server);
  const [name = "", value = ""] = cookie.split("=");
  await page.context().addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: "Strict" }]);
  await page.goto(new URL("/api/health", server.url).href);
  await page.evaluate(
    (halves) => {
      localStorage.setItem("banto.page-key", halves.pageKey);
      localStorage.setItem("banto.login", halves.login);
    },
    { pageKey, login },
  );
}
