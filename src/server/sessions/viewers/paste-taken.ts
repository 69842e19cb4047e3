// When has a program taken a paste? Enter that reaches it in the same breath counts as part of the
// paste for some, Claude Code among them, so it has to come after; and nothing but the screen tells.
import type { HostConnection, Screen } from "../../hosts/connection.ts";

const LOOK_AGAIN_MS = 20;
/** The end of the text has to appear once more than before; longer than that it may be cut or wrapped. */
const MARK_LENGTH = 16;
/** A long paste may be shown as a mere note of it: then what counts is that the screen has changed and rests. */
const REST_MS = 800;
const PATIENCE_MS = 4_000;

type Shown = Pick<Screen, "text"> & { offset: number };

/** Without white space, control characters and the lines of boxes, which wrapping puts in between. */
const compact = (text: string) => text.replace(/[\s\p{Cc}│┃|]/gu, "");

/** False when nothing at all has happened on the screen: the paste was ignored, or the program does not echo. */
export async function pasteTaken(
  host: Pick<HostConnection, "screen">,
  text: string,
  before: Shown,
): Promise<boolean> {
  const mark = compact(text).slice(-MARK_LENGTH);
  const occurrences = (screen: Shown) => compact(screen.text).split(mark).length;
  const earlier = occurrences(before);
  const deadline = performance.now() + PATIENCE_MS;
  let { offset } = before;
  let changedAt: number | undefined;
  for (;;) {
    const screen = await host.screen();
    const now = performance.now();
    if (mark !== "" && occurrences(screen) > earlier) return true;
    if (screen.offset !== offset) changedAt = now;
    offset = screen.offset;
    if (changedAt !== undefined && now - changedAt > REST_MS) return true;
    if (now > deadline) return changedAt !== undefined;
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}
