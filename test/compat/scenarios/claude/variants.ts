// The ways in which Claude Code runs, and the boards for them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeSettings } from "../../../host/support/claude.ts";
import { ClaudeBoard } from "../../../support/claude-board.ts";
import type { Reply } from "../../../support/messages-api.ts";
import type { Scenario, Variant } from "../../scenario.ts";

export interface ClaudeVariant extends Variant {
  renderer: "classic" | "fullscreen";
  hasHooks: boolean;
  mode: "default" | "auto";
}

export type ClaudeScenario = Scenario<Reply, ClaudeVariant>;

/** Older ones have no auto mode, and tell their state in their file only. */
const isOld = (version: string) => Bun.semver.order(version, "2.1.300") < 0;

/** By OSC 7501, in words. */
export const tellsItsTerminal = ({ version }: Variant) => !isOld(version);

export function claudeVariants(version: string): ClaudeVariant[] {
  const modes = isOld(version) ? (["default"] as const) : (["default", "auto"] as const);
  return modes.flatMap((mode) =>
    [true, false].flatMap((hasHooks) =>
      (["classic", "fullscreen"] as const).map((renderer) => {
        const label = [
          renderer,
          ...(hasHooks ? [] : ["no hooks"]),
          ...(mode === "auto" ? ["auto mode"] : []),
        ];
        return { version, renderer, hasHooks, mode, label: label.join(", ") };
      }),
    ),
  );
}

interface Setting {
  env?: Record<string, string>;
  trusted?: boolean;
  /** As it comes out of its box, whatever the variant. */
  isNew?: boolean;
  prepare?(board: ClaudeBoard): unknown;
}

export async function openClaude(variant: ClaudeVariant, setting: Setting = {}): Promise<ClaudeBoard> {
  const { env, trusted = true, isNew = variant.mode === "auto", prepare } = setting;
  const renderer = variant.renderer === "fullscreen" ? { CLAUDE_CODE_NO_FLICKER: "1" } : {};
  const options = { version: variant.version, trusted, isNew };
  const board = await ClaudeBoard.start({ ...renderer, ...env }, options);
  if (!variant.hasHooks) claudeSettings(board.server.home, { disableAllHooks: true });
  await prepare?.(board);
  return board;
}

/** Of a scenario with a board of its own. */
export const on = (setting: Setting) => (variant: ClaudeVariant) => openClaude(variant, setting);

/** Changes what Claude remembers of the person. */
export function remember(board: ClaudeBoard, more: Record<string, unknown>): void {
  const file = join(board.server.home, ".claude.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...more }));
}

/** An MCP server, for all repositories. */
export function installLab(board: ClaudeBoard): void {
  const args = [join(import.meta.dir, "../../../support/mcp-server-child.ts")];
  remember(board, { mcpServers: { lab: { type: "stdio", command: process.execPath, args, env: {} } } });
}
