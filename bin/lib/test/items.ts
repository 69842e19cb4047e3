// What there is to run: the checks of the code, and the test files.

import { join } from "node:path";

export const ROOT = join(import.meta.dir, "../../..");

const COMMANDS: Record<string, string[]> = {
  types: ["node_modules/.bin/tsc", "--noEmit"],
  lint: ["node_modules/.bin/biome", "ci", "--colors=off", "."],
  "dead code": ["--bun", "node_modules/.bin/knip", "--no-progress"],
};

export const CHECKS = Object.keys(COMMANDS);

/** What bun is to run. */
export const checkCommand = (item: string): string[] | undefined => COMMANDS[item];

/** Left out of an ordinary run: these agents take long to start, and most of what they do is tested without that. */
const DEEP_ONLY = /^test\/server\/(codex|gemini|opencode)\/restarts|^test\/e2e\/(gemini|opencode)\./;

/** The test files that have one of the names in their path; without names, all of them. */
export function testFiles(names: string[], { isDeep }: { isDeep: boolean }): string[] {
  const isWanted = (path: string) =>
    names.length === 0 ? isDeep || !DEEP_ONLY.test(path) : names.some((name) => path.includes(name));
  return [...new Bun.Glob("test/**/*.test.{ts,tsx}").scanSync(ROOT)].filter(isWanted).sort();
}
