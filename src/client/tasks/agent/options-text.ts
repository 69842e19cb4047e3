// An agent's options as a form holds them. Pure.

import type { AgentOptions, Effort, PermissionMode } from "../../../contract.ts";

export interface OptionsText {
  model: string;
  permissionMode: PermissionMode | "";
  effort: Effort | "";
  /** One argument a line. */
  extraArgs: string;
  configDir: string;
}

export const toText = (options: AgentOptions | null): OptionsText => ({
  model: options?.model ?? "",
  permissionMode: options?.permissionMode ?? "",
  effort: options?.effort ?? "",
  extraArgs: (options?.extraArgs ?? []).join("\n"),
  configDir: options?.configDir ?? "",
});

/** Empty fields are left out. */
export function fromText({
  model,
  permissionMode,
  effort,
  extraArgs,
  configDir,
}: OptionsText): AgentOptions | null {
  const args = extraArgs.split("\n").filter((line) => line.trim() !== "");
  const options: AgentOptions = {
    ...(model.trim() !== "" && { model: model.trim() }),
    ...(permissionMode !== "" && { permissionMode }),
    ...(effort !== "" && { effort }),
    ...(args.length > 0 && { extraArgs: args }),
    ...(configDir.trim() !== "" && { configDir: configDir.trim() }),
  };
  return Object.keys(options).length === 0 ? null : options;
}

/** Whether a form would show the same for both. */
export const looksSame = (a: AgentOptions | null, b: AgentOptions | null) =>
  JSON.stringify(toText(a)) === JSON.stringify(toText(b));

/** In a few words, for the closed form. */
export function summarise(options: AgentOptions | null): string {
  if (options === null) return "";
  const { model, permissionMode, effort, extraArgs, configDir } = options;
  return [model, permissionMode, effort, extraArgs?.join(" "), configDir].filter(Boolean).join(" · ");
}
