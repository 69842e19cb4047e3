import { join } from "node:path";

type Environment = Record<string, string | undefined>;

/** Where Gemini CLI keeps settings, logins and conversations. */
export const geminiHome = (env: Environment, chosen?: string) =>
  join(chosen ?? (env.GEMINI_CLI_HOME || env.HOME || ""), ".gemini");
