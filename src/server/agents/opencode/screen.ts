// What OpenCode's screen says that its plugin can't.
import type { Screen } from "../../hosts/connection.ts";

/** The lower edge of its input box. */
const BOX = /^\s*╹▀{10,}/m;
/** The head of a list or a dialog over the conversation. */
const DIALOG = /^.*\S {5,}esc\s*$/m;

export type Look = "box" | "dialog" | "other";

export function lookAt({ text }: Pick<Screen, "text">): Look {
  if (DIALOG.test(text)) return "dialog";
  return BOX.test(text) ? "box" : "other";
}
