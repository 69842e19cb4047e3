import { onlineManager } from "@tanstack/react-query";
import { CLOSE, type EventMessage } from "../../../contract.ts";
import { fetchGlimpses, heardOfSession } from "../../tasks/glimpses.ts";
import { heardOfTask } from "../../tasks/session-news.ts";
import { heardOfShell, isShellEvent } from "../../tasks/shells.ts";
import type { Task } from "../../tasks/tasks.ts";
import { createStore } from "../stores/store.ts";
import { isSignedOut, outdate, PROJECTS, queryClient, snapshotId, TASKS, upsert } from "./client.ts";
import type { Project } from "./projects.ts";

/** How this tab hears of changes. While it is not live, changes wait and are sent once it is again. */
export const connection = createStore<"connecting" | "live" | "lost">("connecting");

/** The server pings every 10 seconds; silence for longer than this means the line is dead. */
const SILENCE_MS = 25_000;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 4_000;

// Changes wait for the line, not for what the browser thinks of its network: a server that restarts looks the same.
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => setOnline(connection.get() !== "lost")),
);

let socket: WebSocket | undefined;
let lastId: string | undefined;
let delay = FIRST_DELAY_MS;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
let silenceTimer: ReturnType<typeof setTimeout> | undefined;

/** Listens for every change after the lists that were fetched first. */
export function startLive() {
  lastId = snapshotId();
  window.addEventListener("online", reconnectNow);
  window.addEventListener("offline", lose);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && connection.get() === "lost") reconnectNow();
  });
  window.addEventListener("beforeunload", askBeforeLosing);
  isSignedOut.subscribe(hangUp);
  connect();
}

/** Changes that wait are known to this page only. */
function askBeforeLosing(event: BeforeUnloadEvent) {
  if (connection.get() === "lost" && queryClient.isMutating() > 0) event.preventDefault();
}

/** Whoever signed out hears nothing more of the board. Signing in loads the page anew. */
function hangUp() {
  clearTimeout(silenceTimer);
  clearTimeout(retryTimer);
  const line = socket;
  socket = undefined;
  line?.close();
}

export function reconnectNow() {
  delay = FIRST_DELAY_MS;
  connect();
}

/** Not an EventSource: six tabs with one each would leave no connection for anything else. */
function connect() {
  hangUp();
  const url = new URL("/api/events", location.href.replace(/^http/, "ws"));
  if (lastId !== undefined) url.searchParams.set("after", lastId);
  const line = new WebSocket(url);
  socket = line;
  line.onopen = () => {
    delay = FIRST_DELAY_MS;
    connection.set("live");
    expectPing();
    fetchGlimpses().catch(lineWentAgain);
  };
  line.onmessage = ({ data }: MessageEvent<string>) => hear(JSON.parse(data));
  line.onclose = ({ code }) => {
    if (line !== socket) return;
    if (code === CLOSE.signedOut) isSignedOut.set(true);
    lose();
  };
  expectPing();
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

function expectPing() {
  clearTimeout(silenceTimer);
  silenceTimer = setTimeout(lose, SILENCE_MS);
}

function lose() {
  hangUp();
  connection.set("lost");
  if (isSignedOut.get()) return;
  if (delay > FIRST_DELAY_MS) void noticeSignOut();
  // The jitter keeps many tabs from knocking at once when a server comes back.
  retryTimer = setTimeout(connect, delay * (0.75 + Math.random() / 2));
  delay = Math.min(delay * 2, MAX_DELAY_MS);
}

/** A WebSocket that is not let in does not say why. */
async function noticeSignOut() {
  const response = await fetch("/api/projects").catch(() => undefined); // unreachable: tried again by itself
  if (response?.status === 401) isSignedOut.set(true);
}
