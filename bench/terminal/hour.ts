// What an agent prints in an hour: a picture many times a second while it thinks, with a spinner and a clock,
// and every few seconds something that stays: prose, a diff, a command's output, links.

const FRAMES_PER_SECOND = 12;
const SECONDS = 3_600;
const SPINNER = [..."·✢✳✶✻✽"];
const WORDS =
  "the parser keeps its state between chunks so a sequence that is cut in two still ends where it should".split(
    " ",
  );

const colour = (code: number, text: string) => `\x1b[38;5;${code}m${text}\x1b[39m`;

function picture(frame: number): string {
  const seconds = Math.floor(frame / FRAMES_PER_SECOND);
  const spinner = colour(174, SPINNER[frame % SPINNER.length] ?? "");
  const status = `${spinner} ${colour(174, "Considering…")} \x1b[2m(${seconds}s · ↓ ${frame * 3} tokens · esc to interrupt)\x1b[22m`;
  const box = `\x1b[2m${"─".repeat(70)}\x1b[22m`;
  const lines = [
    status,
    "",
    box,
    "❯ ",
    box,
    `  \x1b[2m⏵⏵ accept edits on (shift+tab to cycle) ${frame}\x1b[22m`,
  ];
  return `\x1b[?2026h\x1b[5A\r${lines.map((line) => `\x1b[2K${line}`).join("\r\n")}\x1b[?2026l`;
}

function lasting(second: number): string {
  const prose = Array.from({ length: 60 }, (_, i) => WORDS[(second * 7 + i * 5) % WORDS.length]).join(" ");
  const link = `\x1b]8;;https://example.com/${second}\x1b\\src/file-${second}.ts\x1b]8;;\x1b\\`;
  const diff = Array.from({ length: 8 }, (_, i) =>
    i % 2
      ? `\x1b[48;2;34;92;43m\x1b[38;2;248;248;242m + const value${second} = ${i};\x1b[0m`
      : `\x1b[48;2;122;41;54m\x1b[38;2;248;248;242m - let value${second} = ${i};\x1b[0m`,
  );
  const lines = [
    `⏺ ${prose}`,
    "",
    `⏺ Update(${link})`,
    ...diff,
    `  ⎿ ${colour(65, "ok")} 日本語 ${second}`,
    "",
  ];
  return `\x1b[5A\r\x1b[J${lines.join("\r\n")}${"\r\n".repeat(6)}`;
}

/** The quarter of an hour with this number, 0 to 3. */
export function quarterOf(number: number): Uint8Array<ArrayBuffer> {
  const parts: string[] = [];
  for (let second = (number * SECONDS) / 4; second < ((number + 1) * SECONDS) / 4; second++) {
    if (second % 4 === 0) parts.push(lasting(second));
    for (let i = 0; i < FRAMES_PER_SECOND; i++) parts.push(picture(second * FRAMES_PER_SECOND + i));
  }
  return new TextEncoder().encode(parts.join(""));
}
