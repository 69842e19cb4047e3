import type { Ask } from "../../../contract.ts";

const flat = (text: string) => text.replace(/\s+/g, " ").trim();

/** The tool and what it will do, on one line that repeats nothing of the detail below. */
export function title({ tool, summary, detail }: Ask): { tool: string; text: string; detail: string } {
  const text = summary.startsWith(tool) ? summary.slice(tool.length).replace(/^[\s:(]+/, "") : summary;
  // On a line of its own it would look like part of the line before.
  if (detail.trim() === text || detail === "") return { tool, text, detail: "" };
  const isBeginning = flat(detail).startsWith(flat(text).replace(/\s?(…|\.\.\.)$/, ""));
  return { tool, text: isBeginning ? "" : text, detail };
}
