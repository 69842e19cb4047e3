// One connection per live session that only listens: first output, silence, title, bell, end.

import { connectHost, type HostClient, type HostEvent } from "../../host/client.ts";
import type { Screen } from "../../host/mirror/terminal.ts";
import { lastLines } from "./outcome.ts";

export interface Watched {
  taskId: string;
  sessionId: string;
}

/** What a card shows of a running terminal. */
export interface Glimpse {
  title: string;
  lines: string[];
}

export interface WatchHandlers {
  output(session: Watched): void;
  /** Nothing was written for a moment: this is what the screen has come to rest at. */
  rest(session: Watched, screen: Screen): void;
  glimpse(session: Watched, glimpse: Glimpse): void;
  bell(session: Watched): void;
  /** The program ended. */
  exit(session: Watched): void;
  /** The host went away without a word, or the connection to it did. */
  lost(session: Watched): void;
  /** One of the above could not do its part. */
  failed(error: unknown): void;
}

const PREVIEW_LINES = 3;

export type Watch = ReturnType<typeof createWatch>;

export function createWatch(handlers: WatchHandlers) {
  const clients = new Map<string, HostClient>();
  const glimpses = new Map<string, Glimpse>();

  function look(session: Watched, isQuiet: boolean) {
    const client = clients.get(session.sessionId);
    client?.screen().then((screen) => {
      if (clients.get(session.sessionId) !== client) return;
      try {
        tell(session, { title: screen.title, lines: lastLines(screen.text, PREVIEW_LINES) });
        if (isQuiet) handlers.rest(session, screen);
      } catch (error) {
        handlers.failed(error);
      }
    }, hostWentAway);
  }

  function tell(session: Watched, glimpse: Glimpse) {
    const before = glimpses.get(session.sessionId);
    if (before?.title === glimpse.title && before.lines.join("\n") === glimpse.lines.join("\n")) return;
    glimpses.set(session.sessionId, glimpse);
    handlers.glimpse(session, glimpse);
  }

  /** What goes wrong here must not end the connection it came by. */
  const hear = (session: Watched, event: HostEvent) => {
    try {
      pass(session, event);
    } catch (error) {
      handlers.failed(error);
    }
  };

  const pass = (session: Watched, event: HostEvent) => {
    if (event.type === "exit") handlers.exit(session);
    else if (event.type === "bell") handlers.bell(session);
    else if (event.type === "title") {
      tell(session, { title: event.title, lines: glimpses.get(session.sessionId)?.lines ?? [] });
    } else if (event.type === "output") {
      handlers.output(session);
      look(session, false);
    } else if (event.type === "quiet") look(session, true);
  };

  function forget(sessionId: string) {
    clients.delete(sessionId);
    glimpses.delete(sessionId);
  }

  return {
    /** False when no host answers there. */
    async open(session: Watched, socketPath: string): Promise<boolean> {
      if (clients.has(session.sessionId)) return true;
      let client: HostClient;
      try {
        client = await connectHost(socketPath, {
          event: (event) => hear(session, event),
          closed() {
            if (clients.get(session.sessionId) !== client) return;
            forget(session.sessionId);
            handlers.lost(session);
          },
        });
      } catch {
        return false; // nobody listens there, or not any more
      }
      clients.set(session.sessionId, client);
      client.subscribe();
      const status = await client.status().catch(() => undefined);
      if (status === undefined) return clients.has(session.sessionId);
      if (status.offset > 0) hear(session, { type: "output" });
      if (status.exit !== null) handlers.exit(session);
      else if (status.offset > 0) look(session, status.quiet);
      return true;
    },

    client: (sessionId: string) => clients.get(sessionId),

    glimpse: (sessionId: string) => glimpses.get(sessionId),

    close(sessionId: string) {
      const client = clients.get(sessionId);
      forget(sessionId);
      client?.close();
    },

    dispose() {
      const open = [...clients.values()];
      clients.clear();
      for (const client of open) client.close();
    },
  };
}

/** `closed` tells it where it matters. */
function hostWentAway() {}
