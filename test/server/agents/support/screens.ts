import type { Screen } from "../../../../src/host/protocol/messages.ts";

/** A screen whose cursor stands at the end of the last line. */
export function screen(...lines: string[]): Screen {
  const last = lines.at(-1) ?? "";
  return {
    text: lines.join("\n"),
    cols: 80,
    rows: 24,
    cursor: { x: last.length, y: lines.length - 1, visible: true },
    title: "",
    alternate: false,
  } as unknown as Screen;
}
