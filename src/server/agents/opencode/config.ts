// What OpenCode gets in OPENCODE_CONFIG_CONTENT, on top of what the person has in it.
import { pathToFileURL } from "node:url";
import type { AgentOptions, PermissionMode } from "../../../contract.ts";

/** Undefined if what the person has there can't be understood. */
export function configContent(
  own: string | undefined,
  plugin: string,
  { permissionMode }: AgentOptions,
): string | undefined {
  const config = parse(own);
  if (config === undefined) return undefined;
  const plugins = Array.isArray(config.plugin) ? config.plugin : [];
  const permission = permissionMode && PERMISSIONS[permissionMode];
  return JSON.stringify({
    ...config,
    plugin: [...plugins, pathToFileURL(plugin).href],
    ...(permission && { permission }),
  });
}

type Permissions = Record<string, "ask" | "allow">;

/** Without one of these the person's own configuration decides. */
const PERMISSIONS: Partial<Record<PermissionMode, Permissions>> = {
  default: { edit: "ask", bash: "ask" },
  acceptEdits: { edit: "allow", bash: "ask" },
  bypassPermissions: { "*": "allow" },
};

function parse(text: string | undefined): Record<string, unknown> | undefined {
  if (!text?.trim()) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
