import { onlineManager } from "@tanstack/react-query";
import { createStore } from "../state/store.ts";
import { isSignedOut, outdate, PROJECTS, queryClient, snapshotId, TASKS, upsert } from "./client.ts";
import { fetchGlimpses, heardOfSession } from "./glimpses.ts";
import type { Project } from "./projects.ts";
import { heardOfTask } from "./session-news.ts";
import { heardOfShell, isShellEvent } from "./shells.ts";
import type { Task } from "./tasks.ts";

/** How this tab hears of changes. While it is not live, changes wait and are sent once it is again. */
export const connection = createStore<"connecting" | "live" | "lost">("connecting");

/** The server pings every 10 seconds; silence for longer than this means the line is dead. */
const SILENCE_MS = 25_000;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 4_000;

// Changes wait for the stream, not for what the browser thinks of its network: a server that restarts looks the same.
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => setOnline(connection.get() !== "lost")),
);

let source: EventSource | undefined;
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
  isSignedOut.subscribe(hangUp);
  connect();
}

/** Whoever signed out hears nothing more of the board. Signing in loads the page anew. */
function hangUp() {
  clearTimeout(silenceTimer);
  clearTimeout(retryTimer);
  source?.close();
}

export function reconnectNow() {
  delay = FIRST_DELAY_MS;
  connect();
}

function connect() {
  clearTimeout(retryTimer);
  source?.close();
  const query = lastId === undefined ? "" : `?after=${encodeURIComponent(lastId)}`;
  source = new EventSource(`/api/events${query}`);
  source.onopen = () => {
    delay = FIRST_DELAY_MS;
    connection.set("live");
    expectPing();
    fetchGlimpses().catch(lineWentAgain);
  };
  source.onerror = lose;
  source.addEventListener("ping", expectPing);
  source.addEventListener("reset", (event) => {
    lastId = event.lastEventId;
    void outdate();
  });
  source.addEventListener("task", (event) => {
    lastId = event.lastEventId;
    const task = JSON.parse(event.data) as Task;
    heardOfTask(task);
    upsert(TASKS, task);
  });
  source.addEventListener("session", (event) => {
    if (event.lastEventId !== "") lastId = event.lastEventId;
    const news = JSON.parse(event.data);
    if (isShellEvent(news)) heardOfShell(news);
    else heardOfSession(news);
  });
  source.addEventListener("project", (event) => {
    lastId = event.lastEventId;
    const project = JSON.parse(event.data) as Project;
    const isBack =
      project.deletedAt === null &&
      !queryClient.getQueryData<Project[]>(PROJECTS)?.some(({ id }) => id === project.id);
    upsert(PROJECTS, project);
    if (isBack) void outdate(TASKS); // a restored project brings its tasks along
  });
  expectPing();
}

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

/** An EventSource does not say why it failed. */
async function noticeSignOut() {
  const response = await fetch("/api/projects").catch(() => undefined); // unreachable: tried again by itself
  if (response?.status === 401) isSignedOut.set(true);
}
