// Watches live sessions: one watcher for each, which passes on titles, screens, signals, bells and the end.

import type { Observation } from "../../agents/reading.ts";
import {
  type HostConnection,
  type HostEvent,
  type HostStatus,
  type Signal,
  within,
} from "../../hosts/connection.ts";
import type { HostTrouble } from "../../hosts/host-trouble.ts";
import { HostWatcher } from "../../hosts/host-watcher.ts";
import type { RunDir } from "../../hosts/run-dir.ts";
import { lastLines } from "./outcome.ts";

export interface SessionIds {
  taskId: string;
  sessionId: string;
}

/** What a card shows of a running terminal. */
export interface Glimpse {
  title: string;
  lines: string[];
}

interface WatchHandlers {
  /** Its host is there, also again. Settles when everything that is told in other ways has been told. */
  connected(session: SessionIds, status: HostStatus): Promise<void>;
  observed(session: SessionIds, observation: Observation): void;
  /** Everything from before the connection has been reported. */
  caughtUp(session: SessionIds): void;
  glimpse(session: SessionIds, glimpse: Glimpse): void;
  bell(session: SessionIds): void;
  /** Its host is running and can't be used, or it can be used again. */
  troubled(session: SessionIds, trouble: HostTrouble | undefined): void;
  /** The program ended, or its host is gone. */
  ended(session: SessionIds): void;
  /** One of the handlers above failed. */
  failed(error: unknown): void;
}

interface WatchedSession {
  session: SessionIds;
  watcher: HostWatcher;
  glimpse: Glimpse | undefined;
}

const PREVIEW_LINES = 3;
/** If it takes longer, the host hangs, or only its mirror. */
const ANSWER_MS = 5_000;

export type SessionWatch = ReturnType<typeof createSessionWatch>;

export function createSessionWatch({ runDir, ...handlers }: WatchHandlers & { runDir: RunDir }) {
  const watched = new Map<string, WatchedSession>();

  function watch(session: SessionIds): WatchedSession {
    const { sessionId } = session;
    const known = watched.get(sessionId);
    if (known !== undefined) return known;
    const watcher = new HostWatcher({
      sessionId,
      files: runDir.files(sessionId),
      event: (event) => guarded(() => tell(one, event)),
      connected: (host) => catchUp(one, host),
      gone: () => handlers.ended(session),
      troubled: (trouble) => guarded(() => handlers.troubled(session, trouble)),
    });
    const one: WatchedSession = { session, watcher, glimpse: undefined };
    watched.set(sessionId, one);
    return one;
  }

  /** A failing handler must not end the connection. */
  function guarded(work: () => void) {
    try {
      work();
    } catch (error) {
      handlers.failed(error);
    }
  }

  function tell(one: WatchedSession, event: HostEvent) {
    const { session } = one;
    const at = Date.now();
    if (event.type === "exit") handlers.ended(session);
    else if (event.type === "bell") handlers.bell(session);
    else if (event.type === "title") {
      tellGlimpse(one, { title: event.title, lines: one.glimpse?.lines ?? [] });
      handlers.observed(session, { type: "title", title: event.title, at });
    } else if (event.type === "programs") {
      handlers.observed(session, { type: "program", reports: event.programs, at });
    } else if (event.type === "output") {
      handlers.observed(session, { type: "output", at });
      void look(one, false);
    } else if (event.type === "quiet") void look(one, true);
    else if (event.type === "signal") handlers.observed(session, { ...event, at: event.signal.at });
    else if (event.type === "over") handlers.observed(session, { ...event, at });
  }

  function tellGlimpse(one: WatchedSession, glimpse: Glimpse) {
    const before = one.glimpse;
    if (before?.title === glimpse.title && before.lines.join("\n") === glimpse.lines.join("\n")) return;
    one.glimpse = glimpse;
    handlers.glimpse(one.session, glimpse);
  }

  /** Resolves when the screen has been read, or can't be. */
  async function look(one: WatchedSession, quiet?: boolean): Promise<void> {
    const { host } = one.watcher;
    if (host === undefined) return;
    const [screen, isQuiet] = await Promise.all([
      within(ANSWER_MS, host.screen()).catch(ignore),
      quiet ?? host.status().then((status) => status.quiet, ignore),
    ]);
    if (screen === undefined || one.watcher.host !== host) return;
    guarded(() => {
      tellGlimpse(one, { title: screen.title, lines: lastLines(screen.text, PREVIEW_LINES) });
      const at = Date.now();
      handlers.observed(one.session, { type: "screen", screen, quiet: isQuiet ?? false, at });
    });
  }

  /** Reports what happened before the connection, as far as the host remembers. */
  async function catchUp(one: WatchedSession, host: HostConnection): Promise<void> {
    const { session } = one;
    try {
      const [status, { latest, asks }] = await within(
        ANSWER_MS,
        Promise.all([host.status(), host.signals()]),
      );
      const at = Date.now();
      const connected = status.exit === null ? handlers.connected(session, status) : undefined;
      for (const signal of inOrder(latest, asks)) guarded(() => tell(one, { type: "signal", signal }));
      handlers.observed(session, { type: "title", title: status.title, at: status.titleAt ?? at });
      if (status.programs !== undefined)
        handlers.observed(session, { type: "program", reports: status.programs, at });
      if (status.exit !== null) {
        handlers.ended(session);
        return;
      }
      if (status.offset > 0) {
        handlers.observed(session, { type: "output", at });
        await look(one, status.quiet);
      }
      await connected;
      handlers.caughtUp(session);
    } catch (error) {
      if (one.watcher.host === host) handlers.failed(error);
      throw error;
    }
  }

  function close(sessionId: string) {
    watched.get(sessionId)?.watcher.close();
    watched.delete(sessionId);
  }

  return {
    /** False if its host is gone. If it is running and doesn't answer, this returns and keeps trying. */
    async open(session: SessionIds, patienceMs = ANSWER_MS): Promise<boolean> {
      const isThere = await watch(session).watcher.isThere(patienceMs);
      if (!isThere) close(session.sessionId);
      return isThere;
    },

    /** Ends the program and everything it started. */
    end: (session: SessionIds) => watch(session).watcher.end(),

    /** Looks at the screen, which leads to an observation. */
    look(sessionId: string) {
      const one = watched.get(sessionId);
      if (one !== undefined) void look(one);
    },

    host: (sessionId: string) => watched.get(sessionId)?.watcher.host,

    trouble: (sessionId: string) => watched.get(sessionId)?.watcher.trouble,

    glimpse: (sessionId: string) => watched.get(sessionId)?.glimpse,

    close,

    dispose() {
      for (const sessionId of watched.keys()) close(sessionId);
    },
  };
}

/** The host is gone, which the watcher notices too. */
const ignore = () => undefined;

/** Without asks that are over. */
const inOrder = (latest: Signal[], asks: Signal[]): Signal[] =>
  [...latest.filter(({ ask }) => ask === undefined), ...asks].toSorted((a, b) => a.serial - b.serial);
