import { eq, lt } from "drizzle-orm";
import type { Store } from "../../db/open.ts";
import { logins } from "../../db/schema.ts";
import { DomainError } from "../errors.ts";
import { randomSecret, sameSecret, sha256 } from "./token.ts";

const CODE_LIFE_MS = 60 * 60_000;
const LOGIN_LIFE_MS = 180 * 24 * 60 * 60_000;
const MAX_FAILURES_PER_MINUTE = 20;

export type Logins = ReturnType<typeof createLogins>;

/** Who may come in: the token, a one-time code that turns into a cookie, and the cookies handed out so far. */
export function createLogins({ store, token }: { store: Store; token: string }) {
  const codes = new Map<string, number>();
  const listeners = new Set<() => void>();
  let failures: number[] = [];
  // With the token in it, so that a new token ends every login.
  const digest = (cookie: string) => sha256(`${token}:${cookie}`);

  const refusal = () => new DomainError("unauthenticated", "That is not a valid login code or token.");

  function refuseWhenHammered() {
    const minuteAgo = Date.now() - 60_000;
    failures = failures.filter((at) => at > minuteAgo);
    if (failures.length < MAX_FAILURES_PER_MINUTE) return;
    throw new DomainError("too_many", "Too many failed logins; wait a minute and try again.");
  }

  function issueCookie() {
    const cookie = randomSecret();
    const expiresAt = new Date(Date.now() + LOGIN_LIFE_MS);
    store.write((tx) => {
      tx.delete(logins).where(lt(logins.expiresAt, new Date().toISOString())).run();
      tx.insert(logins)
        .values({
          cookieHash: digest(cookie),
          createdAt: new Date().toISOString(),
          expiresAt: expiresAt.toISOString(),
        })
        .run();
    });
    return { cookie, expiresAt };
  }

  return {
    isToken: (given: string) => sameSecret(given, token),

    isCookie(cookie: string): boolean {
      const login = store.db
        .select()
        .from(logins)
        .where(eq(logins.cookieHash, digest(cookie)))
        .get();
      return login !== undefined && login.expiresAt > new Date().toISOString();
    },

    newCode() {
      const now = Date.now();
      for (const [code, expires] of codes) if (expires < now) codes.delete(code);
      const code = randomSecret();
      codes.set(code, now + CODE_LIFE_MS);
      return { code, expiresAt: new Date(now + CODE_LIFE_MS) };
    },

    /** A code works once. Wrong ones are not counted: any page can send its visitors here with one. */
    redeemCode(code: string) {
      const expires = codes.get(code);
      codes.delete(code);
      if (expires === undefined || expires < Date.now()) throw refusal();
      return issueCookie();
    },

    redeemToken(given: string) {
      refuseWhenHammered();
      if (sameSecret(given, token)) return issueCookie();
      failures.push(Date.now());
      throw refusal();
    },

    signOut(cookie: string) {
      store.write((tx) =>
        tx
          .delete(logins)
          .where(eq(logins.cookieHash, digest(cookie)))
          .run(),
      );
      for (const listener of listeners) listener();
    },

    /** Told when a login has ended before its time. Gives the way to stop listening. */
    onSignOut(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
