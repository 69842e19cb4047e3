// A Chat Completions API on loopback that says what a test has written down for it, for OpenCode.

import type { Reply } from "./messages-api.ts";

export interface ChatRequest {
  tools?: unknown[];
  messages: { role: string; content: unknown }[];
}

const USAGE = {
  ...{ prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
};
const DONE = "data: [DONE]\n\n";
const STREAM = { headers: { "content-type": "text/event-stream" } };

let calls = 0;

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const usage = finish === null ? {} : { usage: USAGE };
  const fixed = { id: "chat", object: "chat.completion.chunk", created: 1, model: "model" };
  return `data: ${JSON.stringify({ ...fixed, choices, ...usage })}\n\n`;
}

const textOf = (text: string) => chunk({ role: "assistant", content: "" }) + chunk({ content: text });

function toolCalls(tools: { tool: string; input: object }[]): string {
  const tool_calls = tools.map(({ tool, input }, index) => {
    calls += 1;
    return {
      ...{ index, id: `call_${calls}`, type: "function" },
      function: { name: tool, arguments: JSON.stringify(input) },
    };
  });
  return chunk({ role: "assistant", content: null, tool_calls }) + chunk({}, "tool_calls") + DONE;
}

/** Begins to speak and goes on when it is released. */
function half(text: string, release: Promise<unknown> | undefined): Response {
  const encoder = new TextEncoder();
  let isGone = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(textOf(text)));
      release?.then(() => {
        if (isGone) return;
        controller.enqueue(encoder.encode(chunk({}, "stop") + DONE));
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
  if (typeof reply === "string") return new Response(textOf(reply) + chunk({}, "stop") + DONE, STREAM);
  if ("begin" in reply) return half(reply.begin, reply.release);
  if ("status" in reply) {
    const { status, error, message, headers = {} } = reply;
    return Response.json({ error: { message, type: error, code: error } }, { status, headers });
  }
  if ("text" in reply) return respond(reply.text);
  return new Response(toolCalls("tools" in reply ? reply.tools : [reply]), STREAM);
}

/** What the person has said, and what stood in for it. */
export const saidTo = ({ messages }: ChatRequest) =>
  messages.filter(({ role }) => role === "user").map(({ content }) => textsIn(content));

const textsIn = (content: unknown): string =>
  typeof content === "string"
    ? content
    : (content as { text?: string }[]).map(({ text = "" }) => text).join("\n");

/** Asked for every turn of the model; a request without tools is only for a title. */
export function chatCompletionsApi(answer: (request: ChatRequest) => Reply) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      if (!new URL(request.url).pathname.endsWith("/chat/completions")) return new Response("{}");
      const body = (await request.json()) as ChatRequest;
      return respond((body.tools ?? []).length === 0 ? "A title" : answer(body));
    },
  });
}
