// Claude Code's real TUI with no account: a scripted Messages API on loopback, a home of its own.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const KEY = "sk-ant-made-up-for-a-test-0123456789abcdef";

export function claudeProgram(): string {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}/package.json`;
  return join(import.meta.resolve(name).replace("file://", ""), "..", "claude");
}

export function claudeHome(home: string, project: string, port: number): Record<string, string> {
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, ".claude.json"),
    JSON.stringify({
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true } },
    }),
  );
  return {
    HOME: home,
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: KEY,
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

const event = (type: string, data: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

function stream(reply: string): string {
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-test",
    content: [],
    stop_reason: null,
  };
  const usage = { input_tokens: 10, output_tokens: 1 };
  const words = reply.split(/(?<= )/);
  return [
    event("message_start", { message: { ...message, usage } }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    ...words.map((text) => event("content_block_delta", { index: 0, delta: { type: "text_delta", text } })),
    event("content_block_stop", { index: 0 }),
    event("message_delta", {
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: words.length },
    }),
    event("message_stop", {}),
  ].join("");
}

/** Answers every prompt with the same words. */
export function scriptedApi(reply: string) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== "POST" || !pathname.startsWith("/v1/messages")) return new Response("{}");
      if (pathname.endsWith("count_tokens")) return Response.json({ input_tokens: 10 });
      await request.text();
      return new Response(stream(reply), { headers: { "content-type": "text/event-stream" } });
    },
  });
}
