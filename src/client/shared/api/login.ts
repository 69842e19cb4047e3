import { api, isSignedOut, unwrap } from "./client.ts";

export async function signOut() {
  await unwrap(api.logout.post());
  isSignedOut.set(true);
}

/** Trades the token for a cookie. False when it is not the right one. */
export async function signIn(token: string): Promise<boolean> {
  const response = await fetch("/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  if (response.status === 429) throw new Error("Too many attempts. Wait a minute.");
  return response.ok;
}

/** A one-time link that signs another browser in. */
export const newLoginLink = () => unwrap(api["login-links"].post());
