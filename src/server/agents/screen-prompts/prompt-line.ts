// Prompts of the ordinary kind: a line with the cursor behind it and nothing below.
import type { Screen } from "../../hosts/connection.ts";
import type { Waiting } from "./waiting.ts";

// What stands before the cursor, blanks included: many a prompt is told from a statement by its last one.

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
  // A question of consent, with a blank after it: the answer goes there.
  /\b(continue|proceed|overwrite|replace|remove|delete|install|update|upgrade|retry|accept|agree|confirm|trust|allow|save|commit|sure|okay?|want|like|should i|shall i)\b[^?]{0,100}\? $/i,
  // npm init and its like: the question, then what an empty answer means.
  /^\w[\w ./-]{0,40}: \([^()]*\) $/,
  /^\? \S.* $/,
  /\b(press|hit) (any key|a key|\W?(enter|return|space)\b)/i,
  /^(?!\s*\w+ing\b).*\b(password|passphrase|passcode|pin|otp|username|login|token|(verification|authentication|security|one-time) code)\b.{0,120}: ?$/i,
  /^\W*(please )?(enter|type|input|select|choose|pick|provide|specify)\b.{0,120}[:?>] ?$/i,
  /\b(choice|selection|answer|option)\b.{0,30}[:?>] $/i,
  // Pagers.
  /^(.*\(END\)|:|--More--(\(.*\))?|lines \d+-\d+.*|.*\(press h for help or q to quit\)) ?$/,
];

const segments = new Intl.Segmenter();

/** The line cut at a column of the screen, filled up with blanks where it is shorter. */
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
  // A question longer than the screen is wide goes on from the row above.
  for (let y = cursor.y - 1; y >= 0 && Bun.stringWidth(rows[y] ?? "") >= cols; y--) before = rows[y] + before;
  const isLike = (patterns: RegExp[]) => patterns.some((pattern) => pattern.test(before));
  if (isLike(QUESTIONS)) return { kind: "question", text: before.trim() };
  return isLike(PROMPTS) ? { kind: "prompt", text: before.trim() } : undefined;
}
