import { onlineManager } from "@tanstack/react-query";
import { CLOSE, type EventMessage } from "../../../contract.ts";
import { heardOfTask } from "../../tasks/events.ts";
import { fetchGlimpses, heardOfSession } from "../../tasks/glimpses.ts";
import { heardOfShell, isShellEvent } from "../../tasks/shells.ts";
import type { Task } from "../../tasks/tasks.ts";
import { createStore } from "../stores/store.ts";
import { isSignedOut, outdate, PROJECTS, queryClient, snapshotId, TASKS, upsert } from "./client.ts";
import { watchNetwork } from "./network.ts";
import type { Project } from "./projects.ts";
import { ReconnectingSocket } from "./reconnecting-socket.ts";

/** How this tab hears of changes. While it is not live, changes wait and are sent once it is again. */
export const connection = createStore<"connecting" | "live" | "lost">("connecting");

/** The server pings every 10 seconds; silence for longer than this means the line is dead. */
const SILENCE_MS = 25_000;
const FIRST_DELAY_MS = 250;
const MOST_DELAY_MS = 4_000;

// Changes wait for the line, not for what the browser thinks of its network: a server that restarts looks the same.
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => setOnline(connection.get() !== "lost")),
);

let lastId: string | undefined;

const socket = new ReconnectingSocket({
  firstDelayMs: FIRST_DELAY_MS,
  mostDelayMs: MOST_DELAY_MS,
  open,
  onOpen() {
    socket.succeeded();
    connection.set("live");
    expectPing();
    fetchGlimpses().catch(lineWentAgain);
  },
  onMessage: (data) => hear(JSON.parse(String(data))),
  onLost(code) {
    if (code === CLOSE.signedOut) isSignedOut.set(true);
    connection.set("lost");
    if (isSignedOut.get()) return "never";
    if (socket.isFailing) void noticeSignOut();
    return "later";
  },
});

/** Listens for every change after the lists that were fetched first. */
export function startLive() {
  lastId = snapshotId();
  watchNetwork({ onBack: reconnectNow, onAway: () => socket.lose() });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && connection.get() === "lost") reconnectNow();
  });
  window.addEventListener("beforeunload", askBeforeLosing);
  // After signing out, nothing more arrives. Signing in loads the page anew.
  isSignedOut.subscribe(() => socket.close());
  socket.connect();
}

/** Changes that wait are known to this page only. */
function askBeforeLosing(event: BeforeUnloadEvent) {
  if (connection.get() === "lost" && queryClient.isMutating() > 0) event.preventDefault();
}

const expectPing = () => socket.expectWithin(SILENCE_MS);

export const reconnectNow = () => socket.connect();

/** Not an EventSource: six tabs with one each would leave no connection for anything else. */
function open(): WebSocket {
  const url = new URL("/api/events", location.href.replace(/^http/, "ws"));
  if (lastId !== undefined) url.searchParams.set("after", lastId);
  expectPing();
  return new WebSocket(url);
}

function hear(message: EventMessage) {
  if (message.type === "ping") return expectPing();
  if (message.id !== undefined) lastId = message.id;
  if (message.type === "reset") void outdate();
  else if (message.type === "task") hearOfTask(message.row as Task);
  else if (message.type === "project") hearOfProject(message.row as Project);
  else hearOfSession(message.row as object);
}

function hearOfTask(task: Task) {
  heardOfTask(task);
  upsert(TASKS, task);
}

function hearOfProject(project: Project) {
  const isBack =
    project.deletedAt === null &&
    !queryClient.getQueryData<Project[]>(PROJECTS)?.some(({ id }) => id === project.id);
  upsert(PROJECTS, project);
  if (isBack) void outdate(TASKS); // a restored project brings its tasks along
}

const hearOfSession = (news: object) => (isShellEvent(news) ? heardOfShell(news) : heardOfSession(news));

/** Then the next connection asks again. */
function lineWentAgain() {}

/** A WebSocket that is not let in does not say why. */
async function noticeSignOut() {
  const response = await fetch("/api/projects").catch(() => undefined); // unreachable: tried again by itself
  if (response?.status === 401) isSignedOut.set(true);
}
