// Tells when a program has accepted a paste. Some programs, among them Claude Code, take an Enter that follows at once
// for part of the paste, so it has to wait, and only the screen shows for how long.
import type { HostConnection, Screen } from "../../hosts/connection.ts";

const LOOK_AGAIN_MS = 20;
/** How much of the text's end has to appear on the screen. More might be cut off or wrapped. */
const MARK_LENGTH = 16;
/** A long paste may show only as a summary. Then it is enough that the screen has changed and come to rest. */
const REST_MS = 800;
const PATIENCE_MS = 4_000;
/** Gemini CLI takes an Enter within 40 ms of a paste for part of it, though it has drawn it: the slower it was, the longer. */
const SETTLED_MS = 120;
const AS_LONG_AGAIN = 2;

type Shown = Pick<Screen, "text"> & { offset: number };

/** Without what wrapping inserts: white space, control characters and box lines. */
const compact = (text: string) => text.replace(/[\s\p{Cc}│┃|]/gu, "");

/** False if the screen hasn't changed at all: the paste was ignored, or the program does not echo. */
export async function pasteTaken(
  host: Pick<HostConnection, "screen">,
  text: string,
  before: Shown,
): Promise<boolean> {
  const mark = compact(text).slice(-MARK_LENGTH);
  const occurrences = (screen: Shown) => compact(screen.text).split(mark).length;
  const earlier = occurrences(before);
  const sentAt = performance.now();
  const deadline = sentAt + PATIENCE_MS;
  let { offset } = before;
  let changedAt: number | undefined;
  for (;;) {
    const screen = await host.screen();
    const now = performance.now();
    if (mark !== "" && occurrences(screen) > earlier) {
      await Bun.sleep(SETTLED_MS + AS_LONG_AGAIN * (now - sentAt));
      return true;
    }
    if (screen.offset !== offset) changedAt = now;
    offset = screen.offset;
    if (changedAt !== undefined && now - changedAt > REST_MS) return true;
    if (now > deadline) return changedAt !== undefined;
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}
