// Gemini's API on loopback that says what a test has written down for it.

import type { Reply } from "./messages-api.ts";

interface Part {
  text?: string;
}

export interface GeminiRequest {
  contents: { role: string; parts: Part[] }[];
}

const usageMetadata = {
  ...{ promptTokenCount: 10_000, candidatesTokenCount: 100, thoughtsTokenCount: 0 },
  ...{ cachedContentTokenCount: 0, totalTokenCount: 10_100 },
};

const candidate = (parts: object[], finishReason?: "STOP") => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason && { finishReason }) }],
  ...{ usageMetadata, modelVersion: "scripted", responseId: "response" },
});
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const STREAM = { headers: { "content-type": "text/event-stream" } };

/** Begins to speak and goes on when it is released. */
function half(text: string, release: Promise<unknown> | undefined): Response {
  const encoder = new TextEncoder();
  let isGone = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(event(candidate([{ text }]))));
      release?.then(() => {
        if (isGone) return;
        controller.enqueue(encoder.encode(event(candidate([{ text: "" }], "STOP"))));
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
  if (typeof reply === "string") return new Response(event(candidate([{ text: reply }], "STOP")), STREAM);
  if ("begin" in reply) return half(reply.begin, reply.release);
  if ("status" in reply) {
    const { status, error, message } = reply;
    const details = error === "RESOURCE_EXHAUSTED" ? [PER_DAY] : [];
    return Response.json({ error: { code: status, message, status: error, details } }, { status });
  }
  if ("text" in reply) return respond(reply.text);
  const tools = "tools" in reply ? reply.tools : [reply];
  const calls = tools.map(({ tool, input }) => ({ functionCall: { name: tool, args: input } }));
  return new Response(event(candidate(calls, "STOP")), STREAM);
}

const PER_DAY = {
  "@type": "type.googleapis.com/google.rpc.QuotaFailure",
  violations: [{ quotaMetric: "requests", quotaId: "GenerateRequestsPerDayPerProjectPerModel" }],
};

/** What the person has said. */
export const saidToGemini = ({ contents }: GeminiRequest) =>
  contents
    .filter(({ role }) => role === "user")
    .flatMap(({ parts }) => parts.map(({ text = "" }) => text))
    .join("\n");

/** Asked for every turn of the model; what isn't streamed is for helpers, such as the choice of a model. */
export function geminiApi(answer: (request: GeminiRequest) => Reply) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.includes(":streamGenerateContent"))
        return respond(answer((await request.json()) as GeminiRequest));
      return Response.json(candidate([{ text: "{}" }], "STOP"));
    },
  });
}
