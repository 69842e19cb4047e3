// What can be set for OpenCode.
import type { KnownOptions } from "../../../contract.ts";

export const OPENCODE_OPTIONS: KnownOptions = {
  model: { pattern: "^[^/]+/.+", example: "anthropic/claude-opus-4" },
  modes: {
    default: "Asks before commands and edits",
    acceptEdits: "Edits files, asks before commands",
    plan: "Plans only, changes nothing",
    bypassPermissions: "Runs everything without asking",
  },
  efforts: [],
  configDir: {
    variable: "OPENCODE_CONFIG_DIR",
    usual: "~/.config/opencode",
    holds: "more settings, agents and plugins; logins and conversations stay where they are",
  },
};

export const OPENCODE_ARGUMENTS =
  /^(--(session|continue|fork|prompt|pure|help|version)(=|$)|-[schv]|--$|(acp|attach|run|serve|web)$)/;
