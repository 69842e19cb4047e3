// What can be set for Claude Code.
import type { KnownOptions, PermissionMode } from "../../../contract.ts";

export const MODES: Record<PermissionMode, string> = {
  default: "Asks before commands and edits",
  acceptEdits: "Edits files, asks before commands",
  plan: "Plans only, changes nothing",
  auto: "Runs what it judges safe, asks otherwise",
  dontAsk: "Never asks, does only what is allowed already",
  bypassPermissions: "Runs everything without asking",
};

export const CLAUDE_OPTIONS: KnownOptions = {
  model: { pattern: "", example: "opus" },
  modes: MODES,
  efforts: ["low", "medium", "high", "xhigh", "max"],
  configDir: {
    variable: "CLAUDE_CONFIG_DIR",
    usual: "~/.claude",
    holds: "settings, logins and conversations",
  },
};

export const CLAUDE_ARGUMENTS =
  /^(--(settings|session-id|resume|continue|fork-session|from-pr|print|background|bg|cloud|desktop|teleport|worktree|tmux|help|version)(=|$)|-[rcphvw]|--$)/;
