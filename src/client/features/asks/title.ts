import type { Ask } from "../../../contract.ts";

const flat = (text: string) => text.replace(/\s+/g, " ").trim();

/** The tool and what it is to do, in a line that repeats nothing of the detail below it. */
export function title({ tool, summary, detail }: Ask): { tool: string; text: string; detail: string } {
  const text = summary.startsWith(tool) ? summary.slice(tool.length).replace(/^[\s:(]+/, "") : summary;
  if (flat(detail) === flat(text) || detail === "") return { tool, text, detail: "" };
  const isBeginning = flat(detail).startsWith(flat(text).replace(/\s?(…|\.\.\.)$/, ""));
  return { tool, text: isBeginning ? "" : text, detail };
}
