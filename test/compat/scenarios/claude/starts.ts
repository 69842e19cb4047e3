// What keeps Claude Code from starting.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeSettings } from "../../../host/support/claude.ts";
import type { ClaudeBoard } from "../../../support/claude-board.ts";
import { choose } from "../../choose.ts";
import type { State } from "../../scenario.ts";
import { type ClaudeScenario, on, remember } from "./variants.ts";

const STARTED: State[] = ["working", "question", "working", "finished"];

interface Start {
  name: string;
  setting: Parameters<typeof on>[0];
  fields?: Record<string, unknown>;
  shown: RegExp;
  choice: RegExp;
  reason: RegExp;
}

const starts = ({ name, setting, fields = {}, shown, choice, reason }: Start): ClaudeScenario => ({
  name,
  replies: ["I am here."],
  own: on(setting),
  fields,
  act: async (talk) => {
    await talk.is("question");
    await choose(talk.run, shown, choice);
    await talk.is("finished");
  },
  expect: () => ({ states: STARTED, reason }),
  shown: [shown, "question"],
});

async function commit({ sessions }: ClaudeBoard, file: string, text: string): Promise<void> {
  const { repository } = sessions.board;
  writeFileSync(join(repository.path, file), text);
  await repository.git("add", file);
  await repository.commit(`with ${file}`);
}

export const STARTS: ClaudeScenario[] = [
  starts({
    name: "a repository that nobody has trusted yet",
    setting: { trusted: false },
    ...{
      shown: /I trust this folder/,
      choice: /Yes, I trust this folder/,
      reason: /may trust this repository/,
    },
  }),
  starts({
    name: "an API key in the environment",
    setting: {
      prepare: (board) => remember(board, { customApiKeyResponses: { approved: [], rejected: [] } }),
    },
    ...{ shown: /custom API key/, choice: /Yes/, reason: /API key of banto's environment/ },
  }),
  starts({
    name: "the warning of bypass mode",
    setting: { env: { IS_SANDBOX: "1" } },
    fields: { agentOptions: { permissionMode: "bypassPermissions" } },
    ...{
      shown: /Bypass Permissions mode/,
      choice: /Yes, I accept/,
      reason: /without asking for permissions/,
    },
  }),
  starts({
    name: "an MCP server of the project",
    setting: { prepare: (board) => commit(board, ".mcp.json", '{"mcpServers":{"lab":{"command":"true"}}}') },
    ...{ shown: /New MCP server found/, choice: /Use this MCP server/, reason: /New MCP server found/ },
  }),
  starts({
    name: "instructions from outside of the project",
    setting: {
      async prepare(board) {
        const outside = join(board.server.home, "outside.md");
        writeFileSync(outside, "Be kind.\n");
        await commit(board, "CLAUDE.md", `@${outside}\n`);
      },
    },
    ...{ shown: /external/i, choice: /Yes/, reason: /external/i },
  }),
  starts({
    name: "settings that it doesn't accept",
    setting: {
      prepare: ({ server }) =>
        claudeSettings(server.home, {
          hooks: { NoSuchEvent: [{ hooks: [{ type: "command", command: "true" }] }] },
        }),
    },
    ...{ shown: /Settings Warning/, choice: /Continue/, reason: /doesn't accept some of its settings/ },
  }),
];
