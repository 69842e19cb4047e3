// A Messages API on loopback that says what a test has written down for it, so that the real Claude Code
// can be led through anything with no account and no network.

interface Call {
  tool: string;
  input: object;
  /** What the check of auto mode has found; without it there is none. */
  check?: "passed" | "flagged";
}

/** What it is to say or do in one turn of the model. */
export type Reply =
  | string
  | Call
  /** With headers, such as those that tell of limits. */
  | { text: string; headers: Record<string, string> }
  /** Used again and again, for the last time when the conversation says this. */
  | { tool: string; input: object; until: string }
  /** Several at once. */
  | { say?: string; tools: Call[] }
  /** Begins to speak and then says nothing more until `release`, or until whoever asked has gone. */
  | { begin: string; release?: Promise<unknown> }
  | { status: number; error: string; message: string; headers?: Record<string, string> };

export interface MessagesRequest {
  tools?: unknown[];
  messages: { role: string; content: string | { type: string; text?: string; content?: unknown }[] }[];
}

const event = (type: string, data: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

let uses = 0;

function textBlock(index: number, text: string): string[] {
  return [
    event("content_block_start", { index, content_block: { type: "text", text: "" } }),
    ...text
      .split(/(?<= )/)
      .map((word) => event("content_block_delta", { index, delta: { type: "text_delta", text: word } })),
    event("content_block_stop", { index }),
  ];
}

function toolBlock(index: number, id: string, { tool, input }: Call): string[] {
  const block = { type: "tool_use", id, name: tool, input: {} };
  const delta = { type: "input_json_delta", partial_json: JSON.stringify(input) };
  return [
    event("content_block_start", { index, content_block: block }),
    event("content_block_delta", { index, delta }),
    event("content_block_stop", { index }),
  ];
}

const MODEL = "claude-sonnet-4-5";
const usage = { input_tokens: 1_000, output_tokens: 100 };

const start = () =>
  event("message_start", {
    message: {
      id: `msg_${++uses}`,
      type: "message",
      role: "assistant",
      model: MODEL,
      content: [],
      stop_reason: null,
      usage,
    },
  });

const end = (stopReason: string, more: object = {}) =>
  event("message_delta", { delta: { stop_reason: stopReason, stop_sequence: null, ...more }, usage }) +
  event("message_stop", {});

/** By the ids of the calls. */
function checked(calls: [id: string, Call][]): object {
  const verdicts = calls.flatMap(([id, { check }]) => {
    if (check === undefined) return [];
    const outcome = check === "passed" ? "not_flagged" : "flagged";
    return [[id, { type: "evaluated", outcome, explanation: "Because a test says so" }]];
  });
  if (verdicts.length === 0) return {};
  const status = { type: "available", tool_uses: Object.fromEntries(verdicts) };
  return { safeguard_results: [{ type: "dangerous_tool_use", status }] };
}

type Whole = Exclude<Reply, { status: number } | { begin: string } | { text: string }>;

function whole(reply: Whole): string {
  if (typeof reply === "string") return start() + textBlock(0, reply).join("") + end("end_turn");
  const calls = ("tools" in reply ? reply.tools : [reply]).map((call): [string, Call] => [
    `toolu_${++uses}`,
    call,
  ]);
  const said = "tools" in reply && reply.say !== undefined ? [reply.say] : [];
  const blocks = [
    ...said.map((text) => textBlock(0, text)),
    ...calls.map(([id, call], i) => toolBlock(i + said.length, id, call)),
  ];
  return start() + blocks.flat().join("") + end("tool_use", checked(calls));
}

const STREAM = { headers: { "content-type": "text/event-stream" } };

/** A reply that stops in the middle. */
function half(text: string, release: Promise<unknown> | undefined): Response {
  const encoder = new TextEncoder();
  const begun = start() + textBlock(0, text).slice(0, -1).join("");
  const rest = event("content_block_stop", { index: 0 }) + end("end_turn");
  let isGone = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(begun));
      release?.then(() => {
        if (isGone) return;
        controller.enqueue(encoder.encode(rest));
        controller.close();
      });
    },
    cancel() {
      isGone = true;
    },
  });
  return new Response(body, STREAM);
}

function respond(reply: Reply): Response {
  if (typeof reply === "object" && "begin" in reply) return half(reply.begin, reply.release);
  if (typeof reply === "object" && "status" in reply) {
    const { status, error, message, headers = {} } = reply;
    return Response.json(
      { type: "error", error: { type: error, message } },
      { status, headers: { "x-should-retry": "false", ...headers } },
    );
  }
  if (typeof reply === "object" && "text" in reply) {
    return new Response(whole(reply.text), { headers: { ...STREAM.headers, ...reply.headers } });
  }
  return new Response(whole(reply), STREAM);
}

/** The texts of a conversation that come from the person. */
export const said = ({ messages }: MessagesRequest) =>
  messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) =>
      typeof content === "string" ? [content] : content.map(({ text = "" }) => text),
    );

/** Asked for every turn of the model; a request without tools is only for a title. */
export function messagesApi(answer: (request: MessagesRequest) => Reply) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== "POST" || !pathname.startsWith("/v1/messages")) return new Response("{}");
      if (pathname.endsWith("count_tokens")) return Response.json({ input_tokens: 10 });
      const body = (await request.json()) as MessagesRequest;
      return respond((body.tools ?? []).length === 0 ? "A title" : answer(body));
    },
  });
}
