// What can be set for Codex. Its permissions are two settings: what its sandbox lets it do, and when it asks to leave that.
import type { KnownOptions, PermissionMode } from "../../../contract.ts";

interface Mode {
  allows: string;
  sandbox: "read-only" | "workspace-write" | "danger-full-access";
  approval: "on-request" | "never";
  reviewer?: "auto_review";
}

const MODES: Record<PermissionMode, Mode> = {
  default: { allows: "Reads freely, asks before changes", sandbox: "read-only", approval: "on-request" },
  acceptEdits: {
    allows: "Works in its sandbox, asks to leave it",
    sandbox: "workspace-write",
    approval: "on-request",
  },
  plan: { allows: "Only reads, changes nothing", sandbox: "read-only", approval: "never" },
  auto: {
    allows: "Works in its sandbox, and judges itself what may leave it",
    sandbox: "workspace-write",
    approval: "on-request",
    reviewer: "auto_review",
  },
  dontAsk: { allows: "Works in its sandbox, never asks", sandbox: "workspace-write", approval: "never" },
  bypassPermissions: {
    allows: "Runs everything without asking",
    sandbox: "danger-full-access",
    approval: "never",
  },
};

/** What these settings allow, in words; undefined where no mode has them. */
export function allowsOf({ sandbox, approval, reviewer }: Omit<Mode, "allows">): string | undefined {
  const fits = (mode: Mode) =>
    mode.sandbox === sandbox && mode.approval === approval && mode.reviewer === reviewer;
  return Object.values(MODES).find(fits)?.allows;
}

const allowed = Object.entries(MODES).map(([name, { allows }]) => [name, allows]);

export const CODEX_OPTIONS: KnownOptions = {
  model: { pattern: "", example: "gpt-6" },
  modes: Object.fromEntries(allowed),
  efforts: ["minimal", "low", "medium", "high", "xhigh"],
  configDir: { variable: "CODEX_HOME", usual: "~/.codex", holds: "settings, logins and conversations" },
};

export const CODEX_ARGUMENTS =
  /^(--(remote|remote-auth-token-env|no-daemon|cd|worktree|last|all|help|version)(=|$)|-[hCV]|--$|(agents|app-server|exec|e|fork|queue|resume|review)$)/;

/** All as settings: versions differ in which of these they have as flags, and in which words they take there. */
export function modeArguments(mode: PermissionMode | undefined): string[] {
  if (mode === undefined) return [];
  const { sandbox, approval, reviewer } = MODES[mode];
  return [
    ...["-c", `sandbox_mode="${sandbox}"`, "-c", `approval_policy="${approval}"`],
    ...(reviewer === undefined ? [] : ["-c", `approvals_reviewer="${reviewer}"`]),
  ];
}
