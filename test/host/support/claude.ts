// Claude Code's real TUI with no account: a scripted Messages API on loopback, a home of its own.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messagesApi, type Reply, said } from "../../support/messages-api.ts";

const KEY = "sk-ant-made-up-for-a-test-0123456789abcdef";

export function claudeProgram(): string {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}/package.json`;
  return join(import.meta.resolve(name).replace("file://", ""), "..", "claude");
}

/** Everything Claude asks when it is first run has been answered there, and the repository is trusted. */
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
  return { HOME: home, ...claudeEnvironment(port) };
}

export function claudeEnvironment(port: number): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: KEY,
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

/** The files in which Claude keeps what was said; it writes them a moment after it has shown it. */
export const transcripts = (home: string, id: string): string[] => [
  ...new Bun.Glob(`.claude/projects/*/${id}.jsonl`).scanSync({ cwd: home, dot: true, absolute: true }),
];

export function hasWritten(home: string, id: string, ...texts: string[]): boolean {
  const written = transcripts(home, id).map((file) => readFileSync(file, "utf8"));
  return texts.every((text) => written.some((transcript) => transcript.includes(text)));
}

/** Answers every prompt in the same way; `heard` gets what the person has said so far. */
export const scriptedApi = (reply: Reply, heard: (said: string[]) => void = () => {}) =>
  messagesApi((request) => {
    heard(said(request));
    return reply;
  });
