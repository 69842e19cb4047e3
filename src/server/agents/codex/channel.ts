// A second client of the app-server beside Codex's terminal program: it hears everything, may answer and prompt, and
// comes back after a break, when it is told again what is being asked.
import { DomainError } from "../../errors.ts";
import type { Channel, ChannelSession, Note } from "../channel.ts";
import { type Connection, connectTo } from "./connection.ts";
import { CHANNEL, type ChannelNote, isHeard, type RequestId, SAID, type ServerMessage } from "./protocol.ts";
import { findSocket, hasClient, isToStart, socketPath } from "./socket.ts";
import { followThread } from "./thread.ts";

/** What a reader's answer says to the channel. */
export interface ChannelAnswer {
  request: RequestId;
  result: unknown;
  /** The agent's words for a refusal are its own, so the person's are sent after it. */
  afterwards?: { threadId: string; text: string };
}

const LOOK_AGAIN_MS = 100;
/** Codex introduces itself right after it has connected. */
const INTRODUCTION_MS = 250;
const TRY_AGAIN_MS = 500;
/** For a prompt that comes right after the start. */
const PATIENCE_MS = 3_000;

export function openCodexChannel(session: ChannelSession, tell: (note: Note) => void): Channel {
  const path = socketPath(session.signalFolder);
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();
  let isClosed = false;
  let connection: Connection | undefined;
  let thread: ReturnType<typeof followThread> | undefined;
  /** Requests that nobody has answered. */
  const open = new Set<RequestId>();

  const found = (note: ChannelNote) => tell({ source: CHANNEL, body: note });

  function hear(message: ServerMessage) {
    if (!isHeard(message)) return;
    if (message.id !== undefined) open.add(message.id);
    if (message.method === "serverRequest/resolved") open.delete(message.params.requestId as RequestId);
    thread?.hear(message);
    tell({ source: SAID, body: message });
  }

  /** Undefined when the channel was closed meanwhile. */
  async function whenIntroduced(): Promise<string | undefined> {
    let wasAlone = false;
    while (!isClosed) {
      const socket = findSocket(path);
      if (socket !== undefined && hasClient(socket)) {
        if (wasAlone) await Bun.sleep(INTRODUCTION_MS);
        return socket;
      }
      wasAlone = true;
      await Bun.sleep(LOOK_AGAIN_MS);
    }
    return undefined;
  }

  /** False when there will be none, because this version of Codex has none. */
  async function hasServer(): Promise<boolean> {
    for (;;) {
      const isThere = isToStart(path, session.pid);
      if (isThere !== undefined || isClosed) return isThere === true;
      await Bun.sleep(LOOK_AGAIN_MS);
    }
  }

  /** Until it is closed. */
  async function follow(): Promise<void> {
    if (!(await hasServer())) {
      delete channel.prompt;
      found({ type: "none" });
      isReady();
      return;
    }
    while (!isClosed) {
      const socket = await whenIntroduced();
      if (socket === undefined) return;
      await followAt(socket).catch(() => {}); // it has just ended, or doesn't listen yet
      if (!isClosed) await Bun.sleep(TRY_AGAIN_MS);
    }
  }

  /** Until the server there has gone. */
  async function followAt(socket: string): Promise<void> {
    open.clear();
    const one = await connectTo(socket, hear);
    if (isClosed) return one.close();
    try {
      connection = one;
      found({ type: "connected", version: one.version });
      thread = followThread(one, found);
      await thread.caughtUp;
      isReady();
      await one.closed;
    } finally {
      one.close();
      connection = undefined;
      thread = undefined;
      found({ type: "lost" });
    }
  }

  function requireThread() {
    const id = thread?.id();
    if (connection === undefined || id === undefined)
      throw new DomainError("conflict", "Codex can't be reached right now. Look at its terminal.");
    return { connection, id };
  }

  const start = (to: Connection, threadId: string, text: string) =>
    to.request("turn/start", { threadId, input: [{ type: "text", text }] });

  const channel: Channel = {
    ready,

    async answer(body) {
      const { request, result, afterwards } = body as ChannelAnswer;
      const to = connection;
      if (to === undefined || !open.delete(request)) return false;
      to.respond(request, result);
      if (afterwards !== undefined)
        await start(to, afterwards.threadId, afterwards.text).catch((error) => refuse(LOST_WORDS, error));
      return true;
    },

    // While it works this joins the turn, as if it had been typed.
    async prompt(text) {
      await Promise.race([ready, Bun.sleep(PATIENCE_MS)]);
      const { connection, id } = requireThread();
      await start(connection, id, text).catch((error) => refuse("Codex didn't take it", error));
    },

    close() {
      isClosed = true;
      connection?.close();
    },
  };
  void follow();
  return channel;
}

const LOST_WORDS = "It was denied, but your words didn't reach Codex. Send them as the next prompt";

function refuse(what: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new DomainError("conflict", `${what} (${reason}).`);
}
