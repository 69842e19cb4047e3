// Turns text into what a terminal would send if a person pasted it.
import { preparePaste } from "../../../vt/paste.ts";
import { requireText } from "../../text.ts";

export const ENTER = "\r";

/** If the program can't tell pasting from typing, scripts may press keys such as Ctrl C. */
export function keystrokes(text: string, isBracketed: boolean): string {
  requireText("text", text);
  return isBracketed && text !== "" ? preparePaste(text, true) : text.replace(/\r?\n/g, ENTER);
}
