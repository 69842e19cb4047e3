// Ordinary prompts: a line with the cursor after it and nothing below.
import type { Screen } from "../../hosts/connection.ts";
import type { Waiting } from "./waiting.ts";

// Patterns for the text before the cursor, blanks included: often only the last blank tells a prompt from a statement.

const PROMPTS: RegExp[] = [
  // Shells: user@host:~$, [root@host ~]#, sh-5.2$, host%, ❯ (not 45 % of something).
  /(^|[\p{L}\p{N}_~\]):./-])[$#] $/u,
  /\s\$ $/,
  /(^|[^\d\s%])% $/,
  /(^|\s)[❯➜λ»›] $/,
  /^➜ .*\S $/,
  // Fish, node, mysql, irb, PowerShell; not the tip of a progress bar, an arrow or a tag.
  /^[^<]*[\p{L}\p{N}_)\]~/.:]> $/u,
  /^> $/,
  // Python, IPython, debuggers, psql, the shell's select.
  /^>>> $/,
  /^In \[\d+\]: $/,
  /^\([\w+-]{1,20}\) $/,
  /^[\w.-]+[=-][#>] $/,
  /^#\? $/,
];

const QUESTIONS: RegExp[] = [
  // [y/N], (yes/no)?, (yes/no/[fingerprint])?, [y,n,q,a,d,e,?]?
  /[[(<]\s*y(es)?\s*[/|,]\s*no?\b[^\])>]*[\])>]{1,2}[\s?:>]*$/i,
  /\((y|n|yes|no)\) $/i,
  // A question for consent, with a blank after it for the answer.
  /\b(continue|proceed|overwrite|replace|remove|delete|install|update|upgrade|retry|accept|agree|confirm|trust|allow|save|commit|sure|okay?|want|like|should i|shall i)\b[^?]{0,100}\? $/i,
  // npm init and the like: the question, then what an empty answer means.
  /^\w[\w ./-]{0,40}: \([^()]*\) $/,
  /^\? \S.* $/,
  /\b(press|hit) (any key|a key|\W?(enter|return|space)\b)/i,
  /^(?!\s*\w+ing\b).*\b(password|passphrase|passcode|pin|otp|username|login|token|(verification|authentication|security|one-time) code)\b.{0,120}: ?$/i,
  /^\W*(please )?(enter|type|input|select|choose|pick|provide|specify)\b.{0,120}[:?>] ?$/i,
  /\b(choice|selection|answer|option)\b.{0,30}[:?>] $/i,
  // Pagers.
  /^(.*\(END\)|:|--More--(\(.*\))?|lines \d+-\d+.*|.*\(press h for help or q to quit\)) ?$/,
];

/** Of a line that ends in a prompt, that is all of it. Some patterns look at a long one more than once. */
const MOST_LETTERS = 4_000;

const segments = new Intl.Segmenter();

/** The line, split at a column of the screen and padded with blanks if it is shorter. */
function splitAt(line: string, column: number): [before: string, after: string] {
  let width = 0;
  for (const { segment, index } of segments.segment(line)) {
    if (width >= column) return [line.slice(0, index), line.slice(index)];
    width += Bun.stringWidth(segment);
  }
  return [line + " ".repeat(Math.max(0, column - width)), ""];
}

export function asksOnLine(
  rows: string[],
  { cursor, cols }: Pick<Screen, "cursor" | "cols">,
): Waiting | undefined {
  if (rows.slice(cursor.y + 1).some((row) => row !== "")) return undefined;
  let [before, after] = splitAt(rows[cursor.y] ?? "", cursor.x);
  // A prompt may keep the time or a branch at the right edge, well away from what is typed.
  if (after !== "" && !after.startsWith("  ")) return undefined;
  // A question that is wider than the screen continues from the row above.
  for (let y = cursor.y - 1; y >= 0 && Bun.stringWidth(rows[y] ?? "") >= cols; y--) before = rows[y] + before;
  if (before.length > MOST_LETTERS) before = `…${before.slice(-MOST_LETTERS)}`;
  const isLike = (patterns: RegExp[]) => patterns.some((pattern) => pattern.test(before));
  if (isLike(QUESTIONS)) return { kind: "question", text: before.trim() };
  return isLike(PROMPTS) ? { kind: "prompt", text: before.trim() } : undefined;
}
