// What OpenCode's screen says that its plugin can't.
import type { Screen } from "../../hosts/connection.ts";

/** The lower edge of its input box. */
const BOX = /^\s*╹▀{10,}/m;
/** The head of a list or a dialog, which stands in the middle of the screen with a free row below. */
const DIALOG = /^ {9,}(\S.{0,60}?) {5,}esc *\n *$/m;

export type Look = { is: "box" } | { is: "other" } | { is: "dialog"; heading: string };

export function lookAt({ text }: Pick<Screen, "text">): Look {
  const heading = DIALOG.exec(text)?.[1];
  if (heading !== undefined) return { is: "dialog", heading };
  return { is: BOX.test(text) ? "box" : "other" };
}
