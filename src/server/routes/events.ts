import { t } from "elysia";
import { EVENT_PROTOCOL } from "../../contract.ts";
import type { Logins } from "../auth/logins.ts";
import type { Events } from "../events/events.ts";
import { type Line, listen } from "../events/listen.ts";
import type { Door } from "../http/door.ts";
import { eventSocket, eventStream } from "../http/event-lines.ts";
import { resource } from "../http/resource.ts";
import { asksForWebSocket, chooseProtocol, upgrade } from "../http/web-socket.ts";

interface EventParts {
  events: Events;
  logins: Pick<Logins, "onSignOut">;
  door: Pick<Door, "admission">;
}

export const eventRoutes = ({ events, logins, door }: EventParts) =>
  resource("/api/events").get(
    "",
    ({ request, server, headers, query }) => {
      const after = headers["last-event-id"] ?? query.after;
      const listener = { after, isWelcome: door.admission(request), onSignOut: logins.onSignOut };
      const listenOn = (line: Line) => listen(events, listener, line);
      if (asksForWebSocket(request)) {
        return upgrade(request, server, chooseProtocol(request, EVENT_PROTOCOL), eventSocket(listenOn));
      }
      // Nobody would ever close a stream for HEAD.
      return new Response(request.method === "HEAD" ? null : eventStream(listenOn), {
        headers: {
          "content-type": "text/event-stream",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
        },
      });
    },
    {
      headers: t.Object({ "last-event-id": t.Optional(t.String()) }),
      query: t.Object({ after: t.Optional(t.String()) }),
      detail: {
        description:
          'Every change, as server-sent events or, after an upgrade, a WebSocket whose frames are {"type", "id"?, "row"?}',
      },
    },
  );
