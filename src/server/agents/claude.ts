import type { Agent } from "./agent.ts";

/**
 * Claude Code reads nothing after `--` as an option, but a prompt of one word it still takes for a
 * command of its own (`mcp`, `update`); a line break at the end is enough to tell them apart.
 */
const asPrompt = (text: string) => (/\s/.test(text) ? text : `${text}\n`);

export const createClaude = (program: string): Agent => ({
  name: "claude",
  label: "Claude Code",
  canResume: true,
  program,
  remedy:
    "Install Claude Code, or set CLAUDE_CODE_EXECUTABLE to the path of the program and start banto again.",
  command: ({ prompt, agentSessionId, resume }) => ({
    argv: resume
      ? [program, "--resume", agentSessionId]
      : [program, "--session-id", agentSessionId, "--", asPrompt(prompt)],
    env: {},
  }),
});
