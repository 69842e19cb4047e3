// The real OpenCode with a scripted model, and asking before it runs or changes anything.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentProgram } from "../../bin/lib/agent-programs.ts";
import { chatCompletionsApi, saidTo } from "./chat-completions-api.ts";
import type { ScriptedAgent } from "./scripted-board.ts";

export const OPENCODE: ScriptedAgent = {
  name: "opencode",
  serve: (answer) => chatCompletionsApi((request) => answer(saidTo(request).join("\n"), request)),

  environment: (_port, version) => ({
    PATH: `${dirname(agentProgram("opencode", version))}:${process.env.PATH}`,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  }),

  configure(home, port) {
    const folder = join(home, ".config", "opencode");
    // As if it had installed what plugins may use, for which it would wait for the network.
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    const installed = { packages: { "": { dependencies: { "@opencode-ai/plugin": "1" } } } };
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(installed));
    writeFileSync(join(folder, "opencode.json"), JSON.stringify(settings(port)));
  },
};

function settings(port: number) {
  const models = {
    scripted: { limit: { context: 100_000, output: 8_000 }, cost: { input: 1, output: 2, cache_read: 0.1 } },
  };
  const options = { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "made-up" };
  return {
    provider: { loopback: { npm: "@ai-sdk/openai-compatible", options, models } },
    model: "loopback/scripted",
    small_model: "loopback/scripted",
    permission: { bash: "ask", edit: "ask" },
  };
}
