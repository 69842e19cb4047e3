import { Elysia, t } from "elysia";
import { LIMITS } from "../../contract.ts";
import type { Audit } from "../audit/audit.ts";
import { browserName } from "../auth/browser-name.ts";
import type { Logins } from "../auth/logins.ts";
import type { Origins } from "../auth/origins.ts";
import { DomainError } from "../errors.ts";
import { readJson } from "../http/body.ts";
import { answers, unkeyed } from "../http/documentation.ts";
import type { Door } from "../http/door.ts";
import { noContent, resource } from "../http/resource.ts";
import { isThisMachine, sourceOf } from "../http/source.ts";
import type { Log } from "../log.ts";

interface LoginParts {
  logins: Logins;
  origins: Origins;
  door: Door;
}

interface SignInParts extends LoginParts {
  audit: Pick<Audit, "add">;
  log: Log;
}

const secret = t.Optional(t.String({ maxLength: 200 }));

export const loginLink = ({ logins, origins }: Pick<LoginParts, "logins" | "origins">) => {
  const { code, expiresAt } = logins.newCode();
  return { url: `${origins.base()}/login?code=${code}`, expiresAt: expiresAt.toISOString() };
};

/** The only route that reads a body from somebody who hasn't signed in. */
export const signInRoute = ({ logins, origins, door, audit, log }: SignInParts) => {
  function redeem({ code, token }: { code?: string; token?: string }, source: string) {
    if (token !== undefined) return logins.redeemToken(token.trim(), source);
    if (code !== undefined) return logins.redeemCode(code);
    throw new DomainError("invalid", "token: is required, or the code of a login link.");
  }

  function tell(request: Request, source: string, login: string) {
    const name = browserName(request.headers.get("user-agent") ?? "");
    const from = isThisMachine(source) ? null : source;
    log.info(`signed in: ${name}, from ${from ?? "this machine"}`);
    audit.add({ who: { by: "browser", name, login }, action: "sign_in", detail: { from } });
  }

  return new Elysia({ normalize: false }).post(
    "/login",
    ({ request, server, body }) => {
      if (body.code !== undefined && door.admission(request)()) {
        logins.spendCode(body.code);
        return noContent();
      }
      const source = sourceOf(request, server);
      const { cookie, pageKey, expiresAt, id } = redeem(body, source);
      tell(request, source, id);
      return Response.json(
        { pageKey, login: id },
        { headers: cookieHeader({ origins, door }, request, cookie, expiresAt) },
      );
    },
    {
      parse: [({ request }) => readJson(request, LIMITS.loginBytes), "json"],
      body: t.Object({ token: secret, code: secret }),
      detail: { hide: true },
    },
  );
};

export const loginRoutes = ({ logins, origins, door }: LoginParts) =>
  resource("/api")
    .post("/login-links", ({ status }) => status(201, loginLink({ logins, origins })), {
      detail: { ...answers(201), ...unkeyed },
    })
    .post(
      "/logout",
      ({ request }) => {
        logins.signOut(door.loginOf(request));
        const headers = cookieHeader({ origins, door }, request, "", new Date(0));
        return new Response(null, { status: 204, headers });
      },
      { detail: { ...answers(204), ...unkeyed } },
    );

function cookieHeader(
  { origins, door }: Pick<LoginParts, "origins" | "door">,
  request: Request,
  value: string,
  expires: Date,
): Record<string, string> {
  const secure = door.isSecure(request);
  const name = origins.cookieNames()[secure ? "secure" : "plain"];
  const cookie = new Bun.Cookie(name, value, {
    httpOnly: true,
    sameSite: "strict",
    path: "/",
    secure,
    expires,
  });
  // Chromium keeps it before others when a page on another port sets more cookies than there is room for.
  return { "set-cookie": `${cookie.serialize()}; Priority=High` };
}
