// The situations in which people meet Claude Code. Those that share a conversation come first; /clear is its last turn.
import { writeFileSync } from "node:fs";
import { transcripts } from "../../../host/support/claude.ts";
import { until } from "../../../host/support/host.ts";
import type { Reply } from "../../../support/messages-api.ts";
import { choose } from "../../choose.ts";
import type { Matrix, Talk } from "../../scenario.ts";
import { lives } from "../lives.ts";
import { ASKS } from "./asks.ts";
import { DIALOGS } from "./dialogs.ts";
import { FAILED } from "./failures.ts";
import { STARTS } from "./starts.ts";
import { TURNS } from "./turns.ts";
import { type ClaudeVariant, claudeVariants, openClaude } from "./variants.ts";

const filesOf = ({ board, run }: Talk<Reply>) =>
  transcripts(board.server.home, run.task.agentSessionId ?? "");

const LIVES = lives<Reply, ClaudeVariant>({
  open: openClaude,
  asks: { tool: "Bash", input: { command: "touch made", description: "Make it" } },
  resumed: "idle",
  allow: (run) => choose(run, /proceed\?/, /Yes/),
  hasWritten: (talk) => until(() => filesOf(talk).length > 0, "the transcript"),
  forget(talk) {
    // As one leaves it that is killed in its first moments.
    for (const file of filesOf(talk)) writeFileSync(file, '{"type":"mode","mode":"normal"}\n');
  },
  applies: ({ mode }) => mode === "default",
});

export const CLAUDE: Matrix<Reply, ClaudeVariant> = {
  agent: "claude",
  variants: claudeVariants,
  open: openClaude,
  scenarios: [...ASKS, ...DIALOGS, ...FAILED, ...TURNS, ...STARTS, ...LIVES],
};
