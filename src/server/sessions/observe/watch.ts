// One connection per live session that only listens: what the program shows and says, bell, end.

import { connectHost, type HostClient, type HostEvent } from "../../../host/client.ts";
import type { Signal, SignalsNow } from "../../../host/signals.ts";
import type { News } from "../../agents/reading.ts";
import { within } from "../../hosts/ask-host.ts";
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
  news(session: Watched, news: News): void;
  /** Everything that happened before has been told. */
  opened(session: Watched): void;
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
/** A host that says nothing for so long hangs; its mirror may, on its own. */
const ANSWER_MS = 5_000;

export type Watch = ReturnType<typeof createWatch>;

export function createWatch(handlers: WatchHandlers) {
  const clients = new Map<string, HostClient>();
  const glimpses = new Map<string, Glimpse>();
  const opening = new Map<string, Promise<boolean>>();

  /** Done when the screen has been seen, or can't be. */
  async function look(session: Watched, quiet?: boolean): Promise<void> {
    const client = clients.get(session.sessionId);
    if (client === undefined) return;
    const [screen, isQuiet] = await Promise.all([
      within(ANSWER_MS, client.screen()).catch(hostWentAway),
      quiet ?? client.status().then((status) => status.quiet, hostWentAway),
    ]);
    if (screen === undefined || clients.get(session.sessionId) !== client) return;
    try {
      tell(session, { title: screen.title, lines: lastLines(screen.text, PREVIEW_LINES) });
      handlers.news(session, { type: "screen", screen, quiet: isQuiet ?? false, at: Date.now() });
    } catch (error) {
      handlers.failed(error);
    }
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
    const at = Date.now();
    if (event.type === "exit") handlers.exit(session);
    else if (event.type === "bell") handlers.bell(session);
    else if (event.type === "title") {
      tell(session, { title: event.title, lines: glimpses.get(session.sessionId)?.lines ?? [] });
      handlers.news(session, { type: "title", title: event.title, at });
    } else if (event.type === "output") {
      handlers.news(session, { type: "output", at });
      void look(session, false);
    } else if (event.type === "quiet") void look(session, true);
    else if (event.type === "signal") handlers.news(session, { ...event, at: event.signal.at });
    else if (event.type === "over") handlers.news(session, { ...event, at });
  };

  function forget(sessionId: string) {
    clients.delete(sessionId);
    glimpses.delete(sessionId);
  }

  /** What happened before anybody listened, as far as the host remembers it. */
  async function catchUp(session: Watched, client: HostClient): Promise<void> {
    const [status, signals] = await within(ANSWER_MS, Promise.all([client.status(), client.signals()]));
    const at = Date.now();
    for (const signal of inOrder(signals)) hear(session, { type: "signal", signal });
    handlers.news(session, { type: "title", title: status.title, at: status.titleAt ?? at });
    if (status.exit !== null) {
      handlers.exit(session);
      return;
    }
    if (status.offset > 0) {
      handlers.news(session, { type: "output", at });
      await look(session, status.quiet);
    }
    handlers.opened(session);
  }

  async function connect(session: Watched, socketPath: string): Promise<boolean> {
    if (clients.has(session.sessionId)) return true;
    let client: HostClient | undefined;
    try {
      client = await connectHost(socketPath, {
        event: (event) => hear(session, event),
        closed() {
          if (client === undefined || clients.get(session.sessionId) !== client) return;
          forget(session.sessionId);
          handlers.lost(session);
        },
      });
    } catch {
      return false; // nobody listens there, or not any more
    }
    clients.set(session.sessionId, client);
    client.subscribe();
    try {
      await catchUp(session, client);
      return clients.get(session.sessionId) === client;
    } catch (error) {
      if (clients.get(session.sessionId) !== client) return false;
      handlers.failed(error);
      forget(session.sessionId);
      client.close();
      return false;
    }
  }

  return {
    /** False when no host answers there. */
    open(session: Watched, socketPath: string): Promise<boolean> {
      const { sessionId } = session;
      const attempt =
        opening.get(sessionId) ?? connect(session, socketPath).finally(() => opening.delete(sessionId));
      opening.set(sessionId, attempt);
      return attempt;
    },

    /** The screen becomes news. */
    look: (session: Watched) => void look(session),

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
function hostWentAway(): undefined {
  return undefined;
}

/** What was asked and is over already is no question any more. */
function inOrder({ latest, asks }: SignalsNow): Signal[] {
  const told = latest.filter(({ ask }) => ask === undefined);
  return [...told, ...asks].toSorted((a, b) => a.serial - b.serial);
}
