// Claude Code's real TUI with no account: a scripted Messages API on loopback, a home of its own.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentProgram, PINNED } from "../../../bin/lib/agent-programs.ts";
import { DEPTH } from "../../support/depth.ts";
import { messagesApi, type Reply, said } from "../../support/messages-api.ts";

const KEY = "sk-ant-made-up-for-a-test-0123456789abcdef";

const NEWEST = PINNED.claude.at(-1) as string;

/** What tests of the real Claude Code run: the newest that is pinned, and with `bin/test --deep` each of them. */
export const CLAUDE_VERSIONS: readonly string[] = DEPTH.everyClaudeVersion ? PINNED.claude : [NEWEST];

export const claudeProgram = (version: string = NEWEST) => agentProgram("claude", version);

/**
 * Everything Claude asks when it is first run has been answered there, and the repository is trusted. It asks for
 * permissions itself, offers nothing after a turn, and draws below what it has said before.
 */
export function claudeHome(home: string, project: string, port: number): Record<string, string> {
  newClaudeHome(home, project, { hasSeenAutoDefaultNudge: true });
  claudeSettings(home, { permissions: { defaultMode: "default" } });
  return { HOME: home, ...claudeEnvironment(port), CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: "1" };
}

/** As Claude leaves it that was set up a moment ago: its mode, its renderer and its offers are its own choice. */
export function newClaudeHome(home: string, project: string, more: object = {}): void {
  mkdirSync(home, { recursive: true });
  const state = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true } },
    ...more,
  };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(state));
}

/** Adds to the person's own settings. */
export function claudeSettings(home: string, more: object): void {
  const file = join(home, ".claude", "settings.json");
  mkdirSync(join(home, ".claude"), { recursive: true });
  const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  writeFileSync(file, JSON.stringify({ ...before, ...more }));
}

export function claudeEnvironment(port: number): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: KEY,
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
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
