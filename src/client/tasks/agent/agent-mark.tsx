import type { AGENTS } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";

/** Two letters and a word for each agent. Those of agents.toml have the names that their person gave them. */
const KNOWN: Record<(typeof AGENTS)[number], [letters: string, word: string]> = {
  claude: ["Cl", "Claude"],
  codex: ["Cx", "Codex"],
  opencode: ["Oc", "OpenCode"],
  gemini: ["Ge", "Gemini"],
  shell: ["Sh", "Shell"],
};

const isKnown = (name: string): name is keyof typeof KNOWN => name in KNOWN;

export const agentWord = (name: string) => (isKnown(name) ? KNOWN[name][1] : name);

export const agentLetters = (name: string) =>
  isKnown(name) ? KNOWN[name][0] : name.charAt(0).toUpperCase() + name.charAt(1);

/** Which agent a task has: two letters, and the word where there is room for it. */
export function AgentMark({ task: { agent }, wordClass = "" }: { task: Task; wordClass?: string }) {
  const word = agentWord(agent);
  return (
    <span data-agent={agent} title={`Agent: ${word}`} className="flex min-w-0 shrink-0 items-center gap-1">
      <span
        aria-hidden
        className="flex h-4 min-w-5 items-center justify-center rounded border border-line-strong px-0.5 font-mono text-[10px] leading-none text-muted"
      >
        {agentLetters(agent)}
      </span>
      <span className={`max-w-24 truncate ${wordClass}`}>{word}</span>
    </span>
  );
}
