// Starts shells: the person's own shell, in the task's worktree.
import { existsSync } from "node:fs";
import { userShell } from "../../agents/shell.ts";
import { DomainError } from "../../errors.ts";
import type { HostStarter } from "../../hosts/start-host.ts";
import { systemFailure } from "../../system-failure.ts";
import type { Tasks } from "../../tasks/tasks.ts";

const SIZE = { cols: 80, rows: 24 };
/** How long people can still look at a shell that has ended. */
const LINGER_S = 3_600;

interface StarterParts {
  tasks: Pick<Tasks, "get">;
  hosts: Pick<HostStarter, "start">;
  environment(ids: { taskId: string; sessionId: string }): Record<string, string>;
}

export function createShellStarter({ tasks, hosts, environment }: StarterParts) {
  function requireWorktree(taskId: string): string {
    const { worktreePath, sessionOperation } = tasks.get(taskId);
    if (sessionOperation !== null) {
      throw new DomainError(
        "conflict",
        "The task's worktree is being prepared or archived. Try again in a moment.",
      );
    }
    if (worktreePath === null) {
      throw new DomainError("conflict", "The task has no worktree yet. Start its agent first.");
    }
    if (!existsSync(worktreePath)) {
      throw new DomainError("conflict", `The task's worktree ${worktreePath} no longer exists.`);
    }
    return worktreePath;
  }

  return {
    requireWorktree,
    async launch(taskId: string, shellId: string): Promise<void> {
      const cwd = requireWorktree(taskId);
      const env = environment({ taskId, sessionId: shellId });
      try {
        const argv = [userShell(env.SHELL)];
        await hosts.start(shellId, { argv, cwd, env, ...SIZE, lingerSeconds: LINGER_S });
      } catch (cause) {
        const known = systemFailure(cause);
        if (known !== undefined) throw cause;
        throw new DomainError("conflict", `The shell could not be started: ${(cause as Error).message}.`);
      }
    },
  };
}
