// The person's own status line, which banto's must not replace.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseObject } from "./hooks.ts";

export interface StatusLine {
  command: string;
  padding?: number;
  [more: string]: unknown;
}

/** The one that takes precedence among the project's and the person's settings. */
export function findStatusLine(configDir: string, cwd: string): StatusLine | undefined {
  const files = [
    join(cwd, ".claude", "settings.local.json"),
    join(cwd, ".claude", "settings.json"),
    join(configDir, "settings.json"),
  ];
  return files.map(statusLineIn).find((found) => found !== undefined);
}

function statusLineIn(file: string): StatusLine | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined; // missing or unreadable: Claude reports that itself
  }
  const line = parseObject(text)?.statusLine as Partial<StatusLine> | undefined;
  return typeof line?.command === "string" && line.command.trim() !== "" ? (line as StatusLine) : undefined;
}
