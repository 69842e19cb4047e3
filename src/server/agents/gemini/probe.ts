// What is known of an installed Gemini CLI without starting a session: its version, and whether somebody is signed in. It
// can't be asked that, so its files are looked at, and the environment that it will get.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentStatus } from "../agent.ts";
import { createVersionProbe } from "../version-probe.ts";
import { geminiHome } from "./home.ts";

type Environment = Record<string, string | undefined>;

const NOT_SIGNED_IN =
  "Gemini CLI is not signed in. Run gemini in a shell and follow its steps, or give banto's environment a GEMINI_API_KEY.";
/** Set for the whole machine, where a way to sign in may be chosen, too. */
const OF_THE_SYSTEM = "/etc/gemini-cli/settings.json";

export function createProbe(environment: Environment) {
  const version = createVersionProbe(environment);
  return {
    async look(path: string): Promise<AgentStatus> {
      const loggedIn = isLoggedIn(environment);
      const notice = loggedIn === false ? NOT_SIGNED_IN : null;
      return { version: await version(path), tooOld: false, loggedIn, notice };
    },
  };
}

/** null where it can't be known: a login may be in the system's keyring, and a key in a file of the project's. */
function isLoggedIn(env: Environment): boolean | null {
  const home = geminiHome(env);
  const chosen = chosenWay(join(home, "settings.json"));
  const hasKey = Boolean(env.GEMINI_API_KEY) || existsSync(join(home, ".env"));
  if (chosen === "gemini-api-key") return env.GEMINI_API_KEY ? true : null;
  if (chosen === "oauth-personal") return existsSync(join(home, "oauth_creds.json")) ? true : null;
  const isElsewhere =
    hasKey ||
    existsSync(OF_THE_SYSTEM) ||
    [
      "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
      "GOOGLE_GENAI_USE_VERTEXAI",
      "GOOGLE_GENAI_USE_GCA",
      "GOOGLE_API_KEY",
    ].some((name) => env[name]);
  return chosen === undefined && !isElsewhere ? false : null;
}

/** undefined where nothing was chosen, so that it asks at its start; "" where its settings can't be read. */
function chosenWay(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const { security, selectedAuthType: before } = JSON.parse(readFileSync(file, "utf8"));
    const chosen = security?.auth?.selectedType ?? before;
    return typeof chosen === "string" ? chosen : undefined;
  } catch {
    return ""; // it allows comments
  }
}
