// Runs inside OpenCode: tells the session host what OpenCode does, and hands it a person's answers. Only this function's
// own text gets there, so it can use nothing from outside itself.

export interface Address {
  url: string;
  secret: string;
}

/** How the paths of banto's own files begin; see own-files.ts. */
export interface Barred {
  paths: string[];
  changes: string[];
  commands: string[];
}

interface Event {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: OpenCode's events, which differ from version to version
  properties: any;
}

interface Reply {
  response?: { status: number };
}

/** What OpenCode gives its plugins, as far as it is used here. */
export interface PluginInput {
  /** The worktree. */
  directory: string;
  client: {
    _client: {
      // biome-ignore lint/suspicious/noExplicitAny: what OpenCode's server answers
      get(request: { url: string }): Promise<{ data?: any }>;
      post(request: { url: string; body?: unknown; headers?: Record<string, string> }): Promise<Reply>;
    };
  };
}

export async function plugin({ client, directory }: PluginInput, { url, secret }: Address, barred: Barred) {
  /** Told whole each time: after a restart of the server only the last is known. */
  const state = {
    session: null as string | null,
    version: null as string | null,
    status: "idle" as "idle" | "busy" | "retry",
    /** Of the retry. */
    attempt: 0,
    message: "",
    next: null as number | null,
    since: Date.now(),
    promptedAt: null as number | null,
    /** How its last message ended; null while it hasn't. */
    finish: null as string | null,
    error: null as unknown,
    reply: "",
    model: null as string | null,
    tokens: null as unknown,
    contextLimit: null as number | null,
    cost: null as number | null,
    rules: null as unknown,
  };
  /** The parent of every session that was heard of; null for conversations of the person's own. */
  const parents = new Map<string, string | null>();
  const open = new Map<string, { session: string; hangUp: AbortController }>();
  /** What was said since the last prompt, part by part. A part may be told before its message, or after its end. */
  const texts = new Map<string, { message: string; text: string }>();
  let prompt = "";
  let answer = "";
  let told = "";

  const post = (path: string, body: unknown, signal?: AbortSignal) =>
    fetch(`${url}/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });

  async function tell() {
    const text = JSON.stringify(state);
    if (text === told) return;
    told = text;
    await post("tell/state", state).catch(() => {}); // the host is gone, and so is everyone who would listen
  }

  async function isRoot(session: string): Promise<boolean> {
    if (!parents.has(session)) {
      const { data } = await client._client.get({ url: `/session/${session}` });
      parents.set(session, data?.parentID ?? null);
    }
    return parents.get(session) === null;
  }

  /** Another conversation has begun, or was chosen. */
  function converse(session: string) {
    if (state.session === session) return;
    state.session = session;
    prompt = "";
    answer = "";
    texts.clear();
    Object.assign(state, { status: "idle", since: Date.now(), promptedAt: null, finish: null, error: null });
    Object.assign(state, { reply: "", tokens: null, cost: null });
  }

  async function findLimit(provider: string, model: string) {
    const name = `${provider}/${model}`;
    if (state.model === name) return;
    state.model = name;
    const { data } = await client._client.get({ url: "/config/providers" });
    const found = data?.providers?.find(({ id }: { id: string }) => id === provider);
    state.contextLimit = found?.models?.[model]?.limit?.context ?? null;
  }

  let agent = "";

  /** What the agent of its own that works may do. Told to agree to everything, it no longer asks. */
  async function findRules(name: string | undefined) {
    if (name === undefined || name === agent) return;
    const { data } = await client._client.get({ url: "/agent" });
    const rules = data?.find((one: { name: string }) => one.name === name)?.permission;
    if (!Array.isArray(rules)) return;
    agent = name;
    const isAuto = process.argv.includes("--auto");
    state.rules = rules
      .filter(({ permission }) => /^(\*|edit|bash)$/.test(permission))
      .map((rule) => (isAuto && rule.action === "ask" ? { ...rule, action: "allow" } : rule));
  }

  const send = async (path: string, body: unknown): Promise<boolean> => {
    const headers = { "content-type": "application/json" };
    const { response } = await client._client.post({ url: path, body, headers });
    // Not found: somebody was faster.
    return response !== undefined && (response.status < 300 || response.status === 404);
  };

  /** Held by the host until somebody answers. What can't be handed over is asked again. */
  async function ask(kind: "permission" | "question", properties: Event["properties"]) {
    const { id, sessionID } = properties;
    if (open.has(id)) return;
    const hangUp = new AbortController();
    open.set(id, { session: sessionID, hangUp });
    const isSubagent = !(await isRoot(sessionID).catch(() => true));
    try {
      for (let isDone = false; !isDone; ) {
        const text = await post(`ask/${kind}`, { ...properties, isSubagent }, hangUp.signal).then(
          (response) => response.text(),
        );
        if (text === "" || hangUp.signal.aborted) return;
        const { path, body } = JSON.parse(text);
        isDone = await send(path, body).catch(() => false);
      }
    } catch {
      // answered in the terminal, or the host is gone
    } finally {
      open.delete(id);
    }
  }

  async function withMessage(info: Event["properties"]) {
    const { role, id, sessionID } = info;
    if (!(await isRoot(sessionID))) return;
    if (role === "user") {
      if (id <= prompt && sessionID === state.session) return; // told again with a summary
      converse(sessionID);
      prompt = id;
      texts.clear();
      // It says so itself in a moment; until then it would look interrupted.
      if (state.status === "idle") withStatus({ type: "busy" });
      Object.assign(state, { promptedAt: info.time.created, finish: null, error: null, reply: "" });
      await findRules(info.agent);
      return;
    }
    if (sessionID !== state.session) return;
    if (answer !== id) {
      answer = id;
      state.error = null;
    }
    state.finish = info.finish ?? null;
    if (info.error) state.error = info.error;
    if (info.tokens?.input > 0 || info.tokens?.cache?.read > 0) state.tokens = info.tokens;
    await findLimit(info.providerID, info.modelID);
  }

  function withStatus({ type, attempt = 0, message = "", next = null }: Event["properties"]) {
    if (type !== state.status) state.since = Date.now();
    Object.assign(state, { status: type, attempt, message, next });
    if (type === "idle") state.reply = replyOf(answer);
  }

  const replyOf = (id: string) =>
    [...texts.values()].flatMap(({ message, text }) => (message === id ? text : [])).join("\n\n");

  async function hear({ type, properties }: Event) {
    const session: string = properties?.sessionID ?? properties?.info?.id ?? "";
    if (type === "session.created" || type === "session.updated") {
      const { info } = properties;
      parents.set(info.id, info.parentID ?? null);
      if (type === "session.created" && !info.parentID) converse(info.id);
      if (info.id === state.session) {
        state.cost = info.cost ?? state.cost;
        state.version = info.version ?? state.version;
      }
    } else if (type === "message.updated") await withMessage(properties.info);
    else if (type === "message.part.updated") {
      const { part } = properties;
      if (part.type === "text" && !part.synthetic)
        texts.set(part.id, { message: part.messageID, text: part.text });
      if (part.messageID === answer && state.status === "idle") state.reply = replyOf(answer);
    } else if (type === "session.status") {
      if (state.session === null && (await isRoot(session))) converse(session);
      if (session === state.session) withStatus(properties.status);
    } else if (type === "session.error") {
      if (session === "" || session === state.session) state.error = properties.error;
    } else if (type === "permission.asked" || type === "question.asked") {
      void ask(type === "permission.asked" ? "permission" : "question", properties);
    } else if (/^(permission|question)\.(replied|rejected)$/.test(type)) {
      open.get(properties.requestID)?.hangUp.abort();
    }
    if (type === "session.idle") {
      for (const one of open.values()) if (one.session === session) one.hangUp.abort();
    }
    await tell();
  }

  function absolute(path: string): string {
    const parts: string[] = [];
    for (const part of (path.startsWith("/") ? path : `${directory}/${path}`).split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    return `/${parts.join("/")}`;
  }

  /** In any mode, and before anybody is asked. */
  function isBarred(tool: string, args: Record<string, unknown>): boolean {
    const { command, filePath, path, patchText } = args;
    if (typeof command === "string" && barred.commands.some((name) => command.includes(name))) return true;
    const patched = [...String(patchText ?? "").matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.*)$/gm)];
    const named = [filePath, path, ...patched.map(([, name]) => name)].filter(
      (one) => typeof one === "string",
    );
    const may = tool === "read" ? barred.paths : [...barred.paths, ...barred.changes];
    return named.some((name) => may.some((start) => absolute(name).startsWith(start)));
  }

  let queue = tell();
  return {
    "tool.execute.before": async (
      { tool }: { tool: string },
      { args }: { args: Record<string, unknown> },
    ) => {
      if (isBarred(tool, args)) throw new Error("This is banto's own, and no agent may use it.");
    },
    // One after the other, and never in OpenCode's way.
    event: async ({ event }: { event: Event }) => {
      queue = queue.then(() => hear(event)).catch(() => {});
    },
  };
}
