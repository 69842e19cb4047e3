import { Elysia, t } from "elysia";
import type { Logins } from "../auth/logins.ts";
import type { Origins } from "../auth/origins.ts";
import { DomainError } from "../errors.ts";
import type { Assets } from "../http/assets.ts";
import { answers, unkeyed } from "../http/documentation.ts";
import type { Door } from "../http/door.ts";
import { resource } from "../http/resource.ts";

interface LoginParts {
  logins: Logins;
  origins: Origins;
  assets: Assets;
  door: Door;
}

export const loginLink = ({ logins, origins }: Pick<LoginParts, "logins" | "origins">) => {
  const { code, expiresAt } = logins.newCode();
  return { url: `${origins.base()}/login?code=${code}`, expiresAt: expiresAt.toISOString() };
};

export const loginRoutes = ({ logins, origins, assets, door }: LoginParts) => {
  function cookieHeader(request: Request, value: string, expires: Date): Record<string, string> {
    const cookie = new Bun.Cookie(origins.cookieName(), value, {
      httpOnly: true,
      sameSite: "strict",
      path: "/",
      secure: origins.isSecure(request.headers.get("host")),
      expires,
    });
    return { "set-cookie": cookie.serialize() };
  }

  function openWithCode(request: Request, code: string): Response {
    const known = door.cookieOf(request);
    if (known !== undefined && logins.isCookie(known)) return Response.redirect("/", 303);
    try {
      const { cookie, expiresAt } = logins.redeemCode(code);
      const headers = {
        location: "/",
        "cache-control": "no-store",
        ...cookieHeader(request, cookie, expiresAt),
      };
      return new Response(null, { status: 303, headers });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return assets.respond(request, "/login", 401); // the page explains it
    }
  }

  return new Elysia({ normalize: false })
    .get(
      "/login",
      ({ request, query }) =>
        // Whoever only looks where a link leads must not use it up.
        query.code === undefined || request.method === "HEAD"
          ? assets.respond(request, "/login")
          : openWithCode(request, query.code),
      { query: t.Object({ code: t.Optional(t.String()) }), detail: { hide: true } },
    )
    .post(
      "/login",
      ({ request, body }) => {
        const { cookie, expiresAt } = logins.redeemToken(body.token.trim());
        return new Response(null, { status: 204, headers: cookieHeader(request, cookie, expiresAt) });
      },
      { body: t.Object({ token: t.String({ maxLength: 200 }) }), detail: { hide: true } },
    )
    .use(
      resource("/api")
        .post("/login-links", ({ status }) => status(201, loginLink({ logins, origins })), {
          detail: { ...answers(201), ...unkeyed },
        })
        .post(
          "/logout",
          ({ request }) => {
            const cookie = door.cookieOf(request);
            if (cookie !== undefined) logins.signOut(cookie);
            return new Response(null, { status: 204, headers: cookieHeader(request, "", new Date(0)) });
          },
          { detail: { ...answers(204), ...unkeyed } },
        ),
    );
};
