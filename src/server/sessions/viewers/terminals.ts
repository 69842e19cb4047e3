// What can be done with a terminal without watching it.
import { DomainError } from "../../errors.ts";
import { askHost, type Size, type TerminalAddress } from "../../hosts/connection.ts";
import { readLastOutput } from "../../hosts/last-output.ts";
import type { KeyedQueue } from "../../keyed-queue.ts";
import { pasteTaken } from "./paste-taken.ts";
import { ENTER, keystrokes } from "./typing.ts";

interface Typing {
  text: string;
  /** Press Enter afterwards. */
  submit?: boolean;
  /** For a prompt. Without it, Enter is pressed whatever the program shows. */
  guard?: PromptGuard;
}

export interface PromptGuard {
  /** Throws if a prompt may not be typed now. */
  check(): void;
  /** Settles when what was typed since then has been taken as one, as far as the agent tells; else rejects. */
  taken(since: number): Promise<void>;
}

export type Terminals = ReturnType<typeof createTerminals>;

/** In `typing`, requests take turns, so that one's Enter can't end up in another's text. */
export function createTerminals({ typing }: { typing: KeyedQueue }) {
  return {
    /** The screen as it is, or as it was when the program ended. */
    async screen(address: TerminalAddress) {
      const last = address.lastPath === undefined ? undefined : readLastOutput(address.lastPath);
      if (last !== undefined) return { ...last.screen, offset: last.offset };
      return askHost(address, (host) => host.screen());
    },

    /** On behalf of the named viewer, whose size counts only if it typed last; without one, at once. */
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
    guard?.check();
    const since = Date.now();
    if (submit && before.bracketedPaste && text !== "") {
      host.send(typed);
      const isTaken = await pasteTaken(host, text, before);
      if (guard !== undefined && !isTaken) {
        throw new DomainError(
          "conflict",
          "The terminal didn't accept it. Check there before you send it again.",
        );
      }
      guard?.check();
      host.send(ENTER);
    } else host.send(typed + (submit ? ENTER : ""));
    // Requests are answered in order, so after this the program has the input.
    await host.status();
    if (submit) await guard?.taken(since);
  });

function requireRunning({ exit }: { exit: unknown }) {
  if (exit !== null) throw new DomainError("conflict", "The program has ended.");
}
