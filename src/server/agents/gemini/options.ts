// What can be set for Gemini CLI.
import type { KnownOptions, PermissionMode } from "../../../contract.ts";

/** As Gemini calls them. */
export const MODES: Partial<Record<PermissionMode, string>> = {
  default: "default",
  acceptEdits: "auto_edit",
  plan: "plan",
  bypassPermissions: "yolo",
};

export const GEMINI_OPTIONS: KnownOptions = {
  model: { pattern: "^(gemini|gemma|auto|pro|flash)", example: "gemini-3-pro" },
  modes: {
    default: "Asks before commands and edits",
    acceptEdits: "Edits files, asks before commands",
    plan: "Plans only, changes nothing",
    bypassPermissions: "Runs everything without asking",
  },
  efforts: [],
  configDir: {
    variable: "GEMINI_CLI_HOME",
    usual: "~",
    holds: "the folder .gemini, with settings, logins and conversations",
  },
};

export const GEMINI_ARGUMENTS =
  /^(--(session-id|session-file|resume|prompt|prompt-interactive|worktree|list-sessions|list-extensions|delete-session|acp|experimental-acp|output-format|help|version)(=|$)|-[rpiwloHhv]|--$|(mcp|extensions|extension|skills|skill|hooks|hook|gemma)$)/;
