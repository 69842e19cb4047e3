// How a shell is started: in the task's worktree, as the user's own shell.
import { existsSync } from "node:fs";
import { userShell } from "../../agents/shell.ts";
import { DomainError } from "../../errors.ts";
import type { HostStarter } from "../../hosts/start-host.ts";
import type { Tasks } from "../../tasks/tasks.ts";

const SIZE = { cols: 80, rows: 24 };
/** How long an ended shell can still be looked at. */
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
      throw new DomainError("conflict", "The task's worktree is being prepared or archived; try again soon.");
    }
    if (worktreePath === null) {
      throw new DomainError("conflict", "The task has no worktree yet; start its session first.");
    }
    if (!existsSync(worktreePath)) {
      throw new DomainError("conflict", `The task's worktree ${worktreePath} is not there any more.`);
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
        throw new DomainError("conflict", `The shell could not be started: ${(cause as Error).message}.`);
      }
    },
  };
}
