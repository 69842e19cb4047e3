// What can be done to a terminal without watching it.
import type { Size } from "../../../host/size-log.ts";
import { DomainError } from "../../errors.ts";
import { askHost } from "../../hosts/ask-host.ts";
import { readLastOutput } from "../../hosts/last-output.ts";
import type { Place } from "./find-terminal.ts";
import { pasteTaken } from "./paste-taken.ts";
import { ENTER, keystrokes } from "./typing.ts";

interface Typing {
  text: string;
  /** Press Enter afterwards. */
  submit?: boolean;
  /** It is a prompt: throws when one may not be typed now. Without that, Enter is pressed whatever the program shows. */
  guard?(): void;
}

export type Terminals = ReturnType<typeof createTerminals>;

export function createTerminals() {
  /** The last one to type into each session: whoever comes next waits, so that no Enter gets into another's text. */
  const turns = new Map<string, Promise<void>>();

  async function inTurn(sessionId: string, action: () => Promise<void>): Promise<void> {
    const before = turns.get(sessionId) ?? Promise.resolve();
    const mine = before.then(action, action);
    turns.set(sessionId, mine);
    try {
      await mine;
    } finally {
      if (turns.get(sessionId) === mine) turns.delete(sessionId);
    }
  }

  return {
    /** As it is, or as it was when the program ended. */
    async screen(place: Place) {
      const last = place.lastPath === undefined ? undefined : readLastOutput(place.lastPath);
      if (last !== undefined) return { ...last.screen, offset: last.offset };
      return askHost(place, (host) => host.screen());
    },

    /** For the viewer that is named, who may have to wait for its turn; for nobody in particular, at once. */
    resize: (place: Place, { viewer, ...size }: Size & { viewer?: number }) =>
      askHost(place, async (host) => {
        requireRunning(host.hello);
        if (await host.resizeFor(viewer, size)) return;
        throw new DomainError("invalid", `viewer: nobody is watching this terminal as ${viewer}.`);
      }),

    type: (place: Place, typing: Typing) => inTurn(place.sessionId, () => typeInto(place, typing)),
  };
}

const typeInto = (place: Place, { text, submit = false, guard }: Typing) =>
  askHost(place, async (host) => {
    requireRunning(host.hello);
    const before = await host.screen();
    const typed = keystrokes(text, before.bracketedPaste);
    guard?.();
    if (submit && before.bracketedPaste && text !== "") {
      host.send(typed);
      const isTaken = await pasteTaken(host, text, before);
      if (guard !== undefined && !isTaken) {
        throw new DomainError(
          "conflict",
          "The terminal did not take it. Look there before you send it again.",
        );
      }
      guard?.();
      host.send(ENTER);
    } else host.send(typed + (submit ? ENTER : ""));
    // Answered in order: once this comes back, what was typed is with the program.
    await host.status();
  });

function requireRunning({ exit }: { exit: unknown }) {
  if (exit !== null) throw new DomainError("conflict", "The program has ended.");
}
