// What can be done to a terminal without watching it.
import { DomainError } from "../../errors.ts";
import { askHost, type Size, type TerminalAddress } from "../../hosts/connection.ts";
import { readLastOutput } from "../../hosts/last-output.ts";
import { createKeyedQueue } from "../../keyed-queue.ts";
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
  /** Whoever types waits for the one before, so that no Enter gets into another's text. */
  const typing = createKeyedQueue();

  return {
    /** As it is, or as it was when the program ended. */
    async screen(address: TerminalAddress) {
      const last = address.lastPath === undefined ? undefined : readLastOutput(address.lastPath);
      if (last !== undefined) return { ...last.screen, offset: last.offset };
      return askHost(address, (host) => host.screen());
    },

    /** For the viewer that is named, who may have to wait for its turn; for nobody in particular, at once. */
    resize: (address: TerminalAddress, { viewer, ...size }: Size & { viewer?: number }) =>
      askHost(address, async (host) => {
        requireRunning(host.hello);
        if (await host.resizeFor(viewer, size)) return;
        throw new DomainError("invalid", `viewer: nobody is watching this terminal as ${viewer}.`);
      }),

    type: (address: TerminalAddress, input: Typing) =>
      typing.run(address.sessionId, () => typeInto(address, input)),
  };
}

const typeInto = (address: TerminalAddress, { text, submit = false, guard }: Typing) =>
  askHost(address, async (host) => {
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
          "The terminal didn't accept it. Check there before you send it again.",
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
