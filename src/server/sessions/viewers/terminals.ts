// What can be done with a terminal without watching it.
import { DomainError } from "../../errors.ts";
import { askHost, type HostConnection, type Size, type TerminalAddress } from "../../hosts/connection.ts";
import { readLastOutput } from "../../hosts/last-output.ts";
import type { KeyedQueue } from "../../keyed-queue.ts";
import { pasteTaken } from "./paste-taken.ts";
import { findOut, type PromptGuard, type Receipt, typePrompt } from "./type-prompt.ts";
import { ENTER, keystrokes } from "./typing.ts";

interface Typing {
  text: string;
  /** Press Enter afterwards, whatever the program shows. */
  submit?: boolean;
}

/** Longer than all that is waited for while a prompt is typed. */
const PROMPT_MS = 30_000;

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

    /** Types the agent's next prompt. */
    prompt: (address: TerminalAddress, text: string, guard: PromptGuard): Promise<Receipt> =>
      withHost(address, (host) => typePrompt(host, text, guard)),

    /** What became of one that was typed at that time, perhaps by another server. */
    findOut: (address: TerminalAddress, text: string, guard: PromptGuard, since: number) =>
      withHost(address, (host) => findOut(host, text, guard, since)),
  };

  function withHost<T>(address: TerminalAddress, question: (host: HostConnection) => Promise<T>): Promise<T> {
    return typing.run(address.sessionId, () =>
      askHost(
        address,
        (host) => {
          requireRunning(host.hello);
          return question(host);
        },
        PROMPT_MS,
      ),
    );
  }
}

const typeInto = (address: TerminalAddress, { text, submit = false }: Typing) =>
  askHost(address, async (host) => {
    requireRunning(host.hello);
    const before = await host.screen();
    const typed = keystrokes(text, before.bracketedPaste);
    if (submit && before.bracketedPaste && text !== "") {
      host.send(typed);
      await pasteTaken(host, text, before);
      host.send(ENTER);
    } else host.send(typed + (submit ? ENTER : ""));
    // Requests are answered in order, so after this the program has the input.
    await host.status();
  });

function requireRunning({ exit }: { exit: unknown }) {
  if (exit !== null) throw new DomainError("conflict", "The program has ended.");
}
