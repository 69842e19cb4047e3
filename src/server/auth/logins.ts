import { inArray, lt } from "drizzle-orm";
import type { Store } from "../../db/open.ts";
import { logins } from "../../db/schema.ts";
import { DomainError } from "../errors.ts";
import { createFailedAttempts } from "./failed-attempts.ts";
import { randomSecret, sameSecret, sha256 } from "./token.ts";

const CODE_LIFE_MS = 60 * 60_000;
const LOGIN_LIFE_MS = 180 * 24 * 60 * 60_000;

export type Logins = ReturnType<typeof createLogins>;

/**
 * What a browser presents. Cookies are sent to every port of a host name, where somebody else may be listening. So they
 * are only half of a login, and the page keeps the other half.
 */
export interface LoginHalves {
  /** Every cookie with our name: pages on other ports can set them too. */
  cookies: string[];
  pageKey: string | undefined;
}

/** Who may come in: the token, one-time codes that are traded for logins, and the logins themselves. */
export function createLogins({ store, token }: { store: Store; token: string }) {
  const codes = new Map<string, number>();
  const listeners = new Set<() => void>();
  const failed = createFailedAttempts();
  // Includes the token, so that a new token ends every login.
  const digest = (cookie: string, pageKey: string) => sha256(`${token}:${cookie}:${pageKey}`);

  const rowsOf = ({ cookies, pageKey = "" }: LoginHalves) =>
    inArray(
      logins.cookieHash,
      cookies.map((cookie) => digest(cookie, pageKey)),
    );

  function current(halves: LoginHalves) {
    const now = new Date().toISOString();
    const found = store.db.select().from(logins).where(rowsOf(halves)).all();
    return found.find(({ expiresAt }) => expiresAt > now);
  }

  const refusal = () => new DomainError("unauthenticated", "That is not a valid login code or token.");

  const idOf = (cookieHash: string) => cookieHash.slice(0, 12);

  function newLogin() {
    const [cookie, pageKey] = [randomSecret(), randomSecret()];
    const cookieHash = digest(cookie, pageKey);
    const expiresAt = new Date(Date.now() + LOGIN_LIFE_MS);
    store.write((tx) => {
      tx.delete(logins).where(lt(logins.expiresAt, new Date().toISOString())).run();
      tx.insert(logins)
        .values({
          cookieHash,
          createdAt: new Date().toISOString(),
          expiresAt: expiresAt.toISOString(),
        })
        .run();
    });
    return { cookie, pageKey, expiresAt, id: idOf(cookieHash) };
  }

  return {
    isToken: (given: string) => sameSecret(given, token),

    isLogin: (halves: LoginHalves): boolean => current(halves) !== undefined,

    /** Tells logins apart in the audit. It lets nobody in. */
    idOf(halves: LoginHalves): string | null {
      const login = current(halves);
      return login === undefined ? null : idOf(login.cookieHash);
    },

    newCode() {
      const now = Date.now();
      for (const [code, expires] of codes) if (expires < now) codes.delete(code);
      const code = randomSecret();
      codes.set(code, now + CODE_LIFE_MS);
      return { code, expiresAt: new Date(now + CODE_LIFE_MS) };
    },

    /** A code works once. Wrong ones are not counted, because nobody can guess one within its hour. */
    redeemCode(code: string) {
      const expires = codes.get(code);
      codes.delete(code);
      if (expires === undefined || expires < Date.now()) throw refusal();
      return newLogin();
    },

    /** For a browser that is signed in already: the link in its history must not work any more. */
    spendCode: (code: string) => void codes.delete(code),

    /**
     * The right token always works, whatever came before: nobody can guess it, and another user of this machine or of
     * the proxy may have the same address.
     */
    redeemToken(given: string, source: string) {
      if (sameSecret(given, token)) return newLogin();
      if (failed.areTooMany(source)) {
        throw new DomainError("too_many", "Too many failed logins; wait a minute and try again.");
      }
      failed.note(source);
      throw refusal();
    },

    signOut(halves: LoginHalves) {
      store.write((tx) => tx.delete(logins).where(rowsOf(halves)).run());
      for (const listener of listeners) listener();
    },

    /** Called when a login has ended early. Returns a function that stops listening. */
    onSignOut(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
