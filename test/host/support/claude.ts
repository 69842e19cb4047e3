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

/** What it is to say, or the tool it is to use. */
type Reply = string | { tool: string; input: object };

function content(reply: Reply): string[] {
  const index = 0;
  if (typeof reply === "string") {
    const words = reply.split(/(?<= )/);
    return [
      event("content_block_start", { index, content_block: { type: "text", text: "" } }),
      ...words.map((text) => event("content_block_delta", { index, delta: { type: "text_delta", text } })),
    ];
  }
  const block = { type: "tool_use", id: "toolu_1", name: reply.tool, input: {} };
  const delta = { type: "input_json_delta", partial_json: JSON.stringify(reply.input) };
  return [
    event("content_block_start", { index, content_block: block }),
    event("content_block_delta", { index, delta }),
  ];
}

function stream(reply: Reply): string {
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-test",
    content: [],
    stop_reason: null,
  };
  const usage = { input_tokens: 10, output_tokens: 1 };
  const stopped = typeof reply === "string" ? "end_turn" : "tool_use";
  return [
    event("message_start", { message: { ...message, usage } }),
    ...content(reply),
    event("content_block_stop", { index: 0 }),
    event("message_delta", { delta: { stop_reason: stopped, stop_sequence: null }, usage }),
    event("message_stop", {}),
  ].join("");
}

interface MessagesRequest {
  tools?: unknown[];
  messages: { role: string; content: string | { type: string; text?: string }[] }[];
}

/** The texts of a conversation that come from the person. */
const said = ({ messages }: MessagesRequest) =>
  messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) =>
      typeof content === "string" ? [content] : content.map(({ text = "" }) => text),
    );

/** Answers every prompt in the same way; `heard` gets what the person has said so far. */
export function scriptedApi(reply: Reply, heard: (said: string[]) => void = () => {}) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== "POST" || !pathname.startsWith("/v1/messages")) return new Response("{}");
      if (pathname.endsWith("count_tokens")) return Response.json({ input_tokens: 10 });
      const body = (await request.json()) as MessagesRequest;
      // Without tools it is only asked for a title.
      const isTitle = (body.tools ?? []).length === 0;
      if (!isTitle) heard(said(body));
      const headers = { "content-type": "text/event-stream" };
      return new Response(stream(isTitle && typeof reply !== "string" ? "A title" : reply), { headers });
    },
  });
}
