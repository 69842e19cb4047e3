import { api, isSignedOut, refusal, unwrap } from "./client.ts";
import { pageKey, signedFetch } from "./page-key.ts";

/** The code of the login link this page was opened with. */
export const loginCode = () =>
  location.pathname === "/login" ? new URLSearchParams(location.search).get("code") : null;

/** Takes it out of the address bar. */
const forgetCode = () => history.replaceState(null, "", "/");

export async function signOut() {
  await unwrap(api.logout.post());
  pageKey.forget();
  isSignedOut.set(true);
}

const post = (body: { token: string } | { code: string }) =>
  signedFetch("/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** Trades the token or a link's code for a login, and reloads into the board. False if the secret is wrong. */
export async function signIn(secret: { token: string } | { code: string }): Promise<boolean> {
  const response = await post(secret);
  if (response.status === 401) return false;
  if (!response.ok) throw refusal(response.status, await response.json().catch(() => null));
  if (response.status === 200) {
    const given = (await response.json()) as { pageKey: string; login: string };
    pageKey.keep(given.pageKey, given.login);
  }
  forgetCode();
  location.reload();
  return true;
}

/** Uses up a link that was opened in a signed-in browser, so that it can't work for somebody else later. */
export function spendLoginCode() {
  const code = loginCode();
  if (code === null) return;
  forgetCode();
  void post({ code }).catch(() => {}); // it ends within the hour
}

/** A one-time link that signs another browser in. */
export const newLoginLink = () => unwrap(api["login-links"].post());
