// What "always" would allow, from Claude Code's suggestions: in words, and in the form that is sent back. Only what can
// be put into words is sent, and nothing else with it.

import type { Suggestion } from "./hooks.ts";

interface Grant {
  words: string;
  update: Suggestion;
}

/** Only this session, even where Claude would change the project's settings. */
const destination = "session";

/** What takes longer to say nobody reads: then there is no "always". */
const MOST_LETTERS = 2_000;

export function grantsOf(suggestions: readonly Suggestion[]): Grant[] {
  const grants = wordedGrants(suggestions);
  const letters = grants.reduce((sum, { words }) => sum + words.length, 0);
  return letters <= MOST_LETTERS ? grants : [];
}

const wordedGrants = (suggestions: readonly Suggestion[]) =>
  suggestions.flatMap(({ type, mode, directories, rules, behavior }): Grant[] => {
    if (type === "setMode" && isText(mode)) {
      const words = mode === "acceptEdits" ? "all edits of files" : `the mode ${mode}`;
      return [{ words, update: { type, mode, destination } }];
    }
    if (type === "addDirectories") {
      const paths = listOf(directories).filter(isText);
      return paths.map((path) => ({
        words: `access to ${path}`,
        update: { type, directories: [path], destination },
      }));
    }
    if (type !== "addRules" || behavior !== "allow") return [];
    return listOf(rules).flatMap(({ toolName, ruleContent }): Grant[] => {
      if (!isText(toolName) || (ruleContent !== undefined && typeof ruleContent !== "string")) return [];
      const rule = ruleContent ? { toolName, ruleContent } : { toolName };
      const words = ruleContent ? `${toolName}(${ruleContent})` : toolName;
      return [{ words, update: { type, rules: [rule], behavior, destination } }];
    });
  });

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
/** The data comes from outside, so it may be anything. */
const listOf = <T>(value: T[] | undefined): T[] => (Array.isArray(value) ? value : []);
