// A Responses API on loopback that says what a test has written down for it, so that the real Codex can be led
// through anything with no account and no network.

/** What the model calls: a tool by its name, or a patch. */
export type Call = { tool: string; input: object; namespace?: string } | { patch: string };

/** What it is to say or do in one turn of the model. */
export type Reply =
  | string
  | Call
  /** Several at once. */
  | { calls: Call[] }
  /** With headers, such as those that tell of limits. */
  | { text: string; headers: Record<string, string> }
  /** Begins to speak and then says nothing more, until whoever asked has gone. */
  | { begin: string }
  | { failed: string; message: string }
  | { status: number; error: Record<string, unknown>; headers?: Record<string, string> };

interface InputItem {
  type?: string;
  role?: string;
  content?: { type: string; text?: string }[];
  output?: unknown;
}

export interface ResponsesRequest {
  input: InputItem[];
  text?: { format?: { type: string } };
}

/** A command that Codex asks about first; without `escalated` it runs in the sandbox. */
export const shell = (cmd: string, escalated = true): Call => ({
  tool: "exec_command",
  input: {
    cmd,
    ...(escalated && { sandbox_permissions: "require_escalated", justification: `May I run ${cmd}?` }),
  },
});

const event = (type: string, data: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

let ids = 0;
const id = (kind: string) => `${kind}_${++ids}`;

const usage = {
  input_tokens: 27_200,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 100,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 27_300,
};

const created = () => event("response.created", { response: { id: id("resp") } });
const completed = () => event("response.completed", { response: { id: id("resp"), usage } });

function begun(text: string, item: string): string {
  const added = { type: "message", role: "assistant", id: item, content: [] };
  const delta = { item_id: item, output_index: 0, content_index: 0, delta: text };
  return (
    event("response.output_item.added", { output_index: 0, item: added }) +
    event("response.output_text.delta", delta)
  );
}

function message(text: string): string {
  const item = id("msg");
  const content = [{ type: "output_text", text }];
  const done = { type: "message", role: "assistant", id: item, content };
  return begun(text, item) + event("response.output_item.done", { output_index: 0, item: done });
}

function call(made: Call): string {
  const item =
    "patch" in made
      ? { type: "custom_tool_call", name: "apply_patch", input: made.patch }
      : {
          type: "function_call",
          name: made.tool,
          arguments: JSON.stringify(made.input),
          ...(made.namespace !== undefined && { namespace: made.namespace }),
        };
  return event("response.output_item.done", { item: { ...item, id: id("fc"), call_id: id("call") } });
}

const STREAM = { "content-type": "text/event-stream" };

/** A reply that stops in the middle. */
function half(text: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(created() + begun(text, id("msg")))),
  });
  return new Response(body, { headers: STREAM });
}

const stream = (events: string, headers: Record<string, string> = {}) =>
  new Response(created() + events, { headers: { ...STREAM, ...headers } });

function respond(reply: Reply): Response {
  if (typeof reply === "string") return stream(message(reply) + completed());
  if ("begin" in reply) return half(reply.begin);
  if ("status" in reply)
    return Response.json({ error: reply.error }, { status: reply.status, headers: reply.headers ?? {} });
  if ("failed" in reply)
    return stream(
      event("response.failed", {
        response: { id: id("resp"), error: { code: reply.failed, message: reply.message } },
      }),
    );
  if ("text" in reply) return stream(message(reply.text) + completed(), reply.headers);
  const calls = "calls" in reply ? reply.calls : [reply];
  return stream(calls.map(call).join("") + completed());
}

/** The texts of a conversation that come from the person. */
export const said = ({ input }: ResponsesRequest) =>
  input
    .filter(({ role }) => role === "user")
    .flatMap(({ content = [] }) => content.map(({ text = "" }) => text));

/** What tools have given back, the newest last. */
export const results = ({ input }: ResponsesRequest) =>
  input.filter(({ type }) => type?.endsWith("call_output")).map(({ output }) => JSON.stringify(output));

/** Asked for every turn of the model; a request with a schema is only for a title. */
export function responsesApi(answer: (request: ResponsesRequest, headers: Headers) => Reply) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== "POST" || !pathname.endsWith("/responses")) return new Response("{}");
      const body = (await request.json()) as ResponsesRequest;
      const isTitle = body.text?.format?.type === "json_schema";
      return respond(isTitle ? JSON.stringify({ title: "A title" }) : answer(body, request.headers));
    },
  });
}
