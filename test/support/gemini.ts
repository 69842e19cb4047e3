// The real Gemini CLI with a scripted model, in a repository that the person trusts.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentProgram } from "../../bin/lib/agent-programs.ts";
import { geminiApi, saidToGemini } from "./gemini-api.ts";
import type { ScriptedAgent } from "./scripted-board.ts";

export const GEMINI: ScriptedAgent = {
  name: "gemini",
  serve: (answer) => geminiApi((request) => answer(saidToGemini(request), request)),

  environment: (port, version) => ({
    PATH: `${dirname(agentProgram("gemini", version))}:${process.env.PATH}`,
    GEMINI_API_KEY: "made-up",
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
  }),

  configure(home, _port, repository) {
    const folder = join(home, ".gemini");
    mkdirSync(folder, { recursive: true });
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { enableAutoUpdate: false },
    };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
    writeFileSync(join(folder, "trustedFolders.json"), JSON.stringify({ [repository]: "TRUST_FOLDER" }));
  },
};
