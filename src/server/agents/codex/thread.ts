// Which of the server's threads is the conversation in the terminal, and what it was doing before we came.
import type { Connection } from "./connection.ts";
import {
  type ChannelNote,
  type Fields,
  fields,
  isConversation,
  list,
  number,
  type ServerMessage,
  text,
} from "./protocol.ts";

/** For a thread that has only just been made: it can't be read yet, or nothing was said in it. */
const LOOK_AGAIN_MS = 100;
const LOOKS = 50;
const LOOK_LATER_MS = 2_000;

/** `hear` has to be given everything that the server says. */
export function followThread({ request }: Connection, found: (note: ChannelNote) => void) {
  let current: string | undefined;
  /** The thread to which we have subscribed, or are about to. */
  let subscribed: string | undefined;
  /** Subagents, and in what Codex thinks of titles. */
  const others = new Set<string>();

  /** Until it is there; undefined when it takes too long. */
  async function patiently(method: string, params: object): Promise<Fields | undefined> {
    for (let look = 1; look <= LOOKS; look += 1) {
      if (look > 1) await Bun.sleep(LOOK_AGAIN_MS);
      const answer = await request(method, params).catch(() => undefined);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  /** To a thread in which nothing was said yet nobody can subscribe. */
  async function subscribe(threadId: string): Promise<void> {
    if (subscribed === threadId) return;
    subscribed = threadId;
    const answer = await patiently("thread/resume", { threadId, excludeTurns: true });
    if (answer === undefined) subscribed = undefined; // later, when it becomes active
    if (answer === undefined || threadId !== current) return;
    const { approvalPolicy, approvalsReviewer, sandbox: sandboxPolicy } = answer;
    const settings = { approvalPolicy, approvalsReviewer, sandboxPolicy };
    found({ type: "thread", thread: fields(answer.thread), model: text(answer.model) || null, settings });
    // In its first moments it can't list any, and tells what follows.
    const turns = await request("thread/turns/list", { threadId, limit: 1 }).catch(() => undefined);
    const [last] = list(turns?.data);
    if (last !== undefined && threadId === current) found({ type: "turn", turn: last });
    // What has begun or ended while nobody listened. Older versions can't say.
    const running = await request("thread/backgroundTerminals/list", { threadId }).catch(() => undefined);
    if (running !== undefined && threadId === current)
      found({ type: "commands", commands: list(running.data) });
  }

  async function become(thread: Fields, subagents: Fields[] = []): Promise<void> {
    current = text(thread.id);
    found({ type: "thread", thread, model: text(thread.model) || null });
    for (const one of subagents) found({ type: "subagent", thread: one });
    await subscribe(current);
    // What they ask is told to who has subscribed to them.
    const ids = subagents.map(({ id }) => ({ threadId: text(id), excludeTurns: true }));
    await Promise.all(ids.map((one) => request("thread/resume", one).catch(() => undefined)));
  }

  /** Until there is one: the terminal program may still ask who is there, or load what it resumes. */
  async function catchUp(): Promise<void> {
    for (let look = 1; current === undefined; look += 1) {
      if (look > 1) await Bun.sleep(look <= LOOKS ? LOOK_AGAIN_MS : LOOK_LATER_MS);
      const { data } = await request("thread/loaded/list", {});
      const ids = (Array.isArray(data) ? data : []).filter((id) => typeof id === "string");
      const answers = await Promise.all(ids.map((threadId) => patiently("thread/read", { threadId })));
      const threads = answers.map((answer) => fields(answer?.thread));
      const newest = threads
        .filter(isConversation)
        .toSorted((a, b) => (number(a.createdAt) ?? 0) - (number(b.createdAt) ?? 0))
        .at(-1);
      if (newest === undefined || current !== undefined) continue;
      // All that one conversation leads to has its session.
      const isPart = (one: Fields) => one.parentThreadId != null && one.sessionId === newest.sessionId;
      await become(newest, threads.filter(isPart));
    }
  }

  /** Another conversation may be chosen in the terminal, of which nothing is told before it works. */
  async function lookAt(threadId: string): Promise<void> {
    if (others.has(threadId)) return;
    others.add(threadId);
    const thread = fields((await patiently("thread/read", { threadId }))?.thread);
    if (!isConversation(thread)) return;
    others.delete(threadId);
    await become(thread);
  }

  /** Only an account has them, and they may have to be fetched. */
  async function readLimits(): Promise<void> {
    const { rateLimits } = await request("account/rateLimits/read", {});
    found({ type: "limits", rateLimits: fields(rateLimits) });
  }
  void readLimits().catch(() => {});

  return {
    /** Rejects when the connection breaks. */
    caughtUp: catchUp(),

    id: () => current,

    hear({ method, params }: ServerMessage) {
      const started = fields(params.thread);
      if (method === "thread/started") {
        if (isConversation(started)) void become(started);
        else others.add(text(started.id));
      }
      if (current === undefined) return;
      if (params.threadId !== current) {
        if (method === "thread/status/changed" && fields(params.status).type === "active")
          void lookAt(text(params.threadId));
        return;
      }
      if (method === "thread/status/changed") void subscribe(current);
    },
  };
}
