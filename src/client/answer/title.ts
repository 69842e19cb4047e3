import type { Ask } from "../../contract.ts";

/** The tool and what it is to do, with neither said twice. */
export function title({ tool, summary }: Ask): { tool: string; text: string } {
  const text = summary.startsWith(tool) ? summary.slice(tool.length).replace(/^[\s:(]+/, "") : summary;
  return { tool, text: text === "" ? summary : text };
}
