// What an installed OpenCode can be asked without starting a session: its version, and whether it is logged in anywhere.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentStatus } from "../agent.ts";
import { createVersionProbe } from "../version-probe.ts";

type Environment = Record<string, string | undefined>;

export function createProbe(environment: Environment) {
  const version = createVersionProbe(environment);
  return {
    async look(path: string): Promise<AgentStatus> {
      return {
        version: await version(path),
        ...{ tooOld: false, loggedIn: isLoggedIn(environment), notice: null },
      };
    },
  };
}

/** null where nobody is: keys in the environment, providers of the person's own and a free model need no login. */
function isLoggedIn(env: Environment): true | null {
  const data = env.XDG_DATA_HOME || join(env.HOME ?? "", ".local", "share");
  try {
    const logins: unknown = JSON.parse(readFileSync(join(data, "opencode", "auth.json"), "utf8"));
    return typeof logins === "object" && logins !== null && Object.keys(logins).length > 0 ? true : null;
  } catch {
    return null;
  }
}
