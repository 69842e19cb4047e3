import { basename } from "node:path";
import type { Agent } from "./agent.ts";

/** The shells of service accounts, which exit at once. */
const NO_SHELL = ["nologin", "false"];
const FALLBACK = "/bin/sh";

/** The person's own shell if it is usable, or a fallback. */
export function userShell(shell: string | undefined): string {
  if (shell === undefined || NO_SHELL.includes(basename(shell))) return FALLBACK;
  return (shell.startsWith("/") && Bun.which(shell, { PATH: "" })) || FALLBACK;
}

/** A terminal in the task's worktree for people to type in. The task's prompt is not used. */
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
