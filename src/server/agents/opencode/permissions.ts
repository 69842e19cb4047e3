// What OpenCode may do without asking, by the rules of the agent of its own that is at work. Pure.
import type { Permissions } from "../../../contract.ts";
import type { Rule } from "./report.ts";

type Answer = "allow" | "ask" | "deny" | "some";

/** The last rule that fits decides, and without one it asks. */
function answerOf(rules: readonly Rule[], kind: "edit" | "bash"): Answer {
  const fitting = rules.filter(({ permission }) => permission === "*" || permission === kind);
  const general = fitting.findLastIndex(({ pattern }) => pattern === "*");
  const answer = fitting[general]?.action ?? "ask";
  return fitting.slice(general + 1).every(({ action }) => action === answer) ? answer : "some";
}

const COMMANDS: Record<Answer, string> = {
  allow: "runs commands without asking",
  ask: "asks before commands",
  deny: "runs no commands",
  some: "asks before some commands",
};
const EDITS: Record<Answer, string> = {
  allow: "Edits files",
  ask: "Asks before edits",
  deny: "Edits nothing",
  some: "Asks before some edits",
};
const BOTH: Partial<Record<Answer, string>> = {
  allow: "Runs everything without asking",
  ask: "Asks before commands and edits",
  deny: "Only reads, changes nothing",
  some: "Asks before some commands and edits",
};

export function permissionsBy(rules: readonly Rule[] | null): Permissions | null {
  if (rules === null) return null;
  const [bash, edit] = [answerOf(rules, "bash"), answerOf(rules, "edit")];
  const allows = (bash === edit && BOTH[bash]) || `${EDITS[edit]}, ${COMMANDS[bash]}`;
  return { allows, isUnlimited: bash === "allow" };
}
