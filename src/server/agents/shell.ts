import { basename } from "node:path";
import type { Agent } from "./agent.ts";

/** What accounts of services have for a shell: it ends at once. */
const NO_SHELL = ["nologin", "false"];
const FALLBACK = "/bin/sh";

/** The person's own shell, if it can be used. */
export function userShell(shell: string | undefined): string {
  if (shell === undefined || NO_SHELL.includes(basename(shell))) return FALLBACK;
  return (shell.startsWith("/") && Bun.which(shell, { PATH: "" })) || FALLBACK;
}

/** A terminal in the task's worktree for a person to type in; the prompt is not typed for them. */
export function createShell(shell: string | undefined): Agent {
  const program = userShell(shell);
  return {
    name: "shell",
    label: "Shell",
    canResume: true,
    program,
    remedy: "Set SHELL to a shell that is installed and start banto again.",
    command: () => ({ argv: [program], env: {} }),
  };
}
