import { onlineManager } from "@tanstack/react-query";
import { CLOSE, EVENT_PROTOCOL, type EventMessage } from "../../../contract.ts";
import { createStore } from "../stores/store.ts";
import { isSignedOut, queryClient } from "./client.ts";
import { firstEventId } from "./lists.ts";
import { watchNetwork } from "./network.ts";
import { signedFetch, signedSocket } from "./page-key.ts";
import { ReconnectingSocket } from "./reconnecting-socket.ts";

/** How this tab hears of changes. While it is not live, changes wait and are sent once it is again. */
export const connection = createStore<"connecting" | "live" | "lost">("connecting");

export type LiveEvent = Exclude<EventMessage, { type: "ping" }>;

interface Listener {
  /** Also each time the connection is back. */
  onConnected(): void;
  onEvent(event: LiveEvent): void;
}

/** The server pings every 10 seconds; silence for longer than this means the connection is dead. */
const SILENCE_MS = 25_000;
const FIRST_DELAY_MS = 250;
const MOST_DELAY_MS = 4_000;

// Changes wait for this connection, not for the browser's idea of its network: it can't see a server restart.
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => setOnline(connection.get() !== "lost")),
);

let listener: Listener | undefined;
let lastId: string | undefined;

const socket = new ReconnectingSocket({
  firstDelayMs: FIRST_DELAY_MS,
  mostDelayMs: MOST_DELAY_MS,
  open,
  onOpen() {
    socket.succeeded();
    connection.set("live");
    expectPing();
    listener?.onConnected();
  },
  onMessage: (data) => receive(JSON.parse(String(data))),
  onLost(code) {
    if (code === CLOSE.signedOut) isSignedOut.set(true);
    connection.set("lost");
    if (isSignedOut.get()) return "never";
    if (socket.isFailing) void checkSignedOut();
    return "later";
  },
});

/** Listens for every change since the lists were fetched. */
export function startLive(listening: Listener) {
  listener = listening;
  lastId = firstEventId();
  watchNetwork({ onBack: reconnectNow, onAway: () => socket.lose() });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && connection.get() === "lost") reconnectNow();
  });
  window.addEventListener("beforeunload", askBeforeLosingChanges);
  // Signed out, the page hears nothing more. Signing in reloads it.
  isSignedOut.subscribe(() => socket.close());
  socket.connect();
}

/** Changes that wait exist only in this page. */
function askBeforeLosingChanges(event: BeforeUnloadEvent) {
  if (connection.get() === "lost" && queryClient.isMutating() > 0) event.preventDefault();
}

const expectPing = () => socket.expectWithin(SILENCE_MS);

export const reconnectNow = () => socket.connect();

/** Not an EventSource: six tabs with one each would leave no connection for anything else. */
function open(): WebSocket {
  const url = new URL("/api/events", location.href.replace(/^http/, "ws"));
  if (lastId !== undefined) url.searchParams.set("after", lastId);
  expectPing();
  return signedSocket(url, EVENT_PROTOCOL);
}

function receive(message: EventMessage) {
  if (message.type === "ping") return expectPing();
  if (message.id !== undefined) lastId = message.id;
  listener?.onEvent(message);
}

/** A browser does not say why a WebSocket was refused. */
async function checkSignedOut() {
  const response = await signedFetch("/api/projects").catch(() => undefined); // unreachable: the next connect tries again
  if (response?.status === 401) isSignedOut.set(true);
}
