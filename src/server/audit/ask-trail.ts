// Writes down what banto itself does not answer: who types into a terminal while its agent asks something, and that it
// no longer asks.
import type { Actor, Ask } from "../../contract.ts";
import type { Log } from "../log.ts";
import type { Audit } from "./audit.ts";

interface TrailParts {
  audit: Pick<Audit, "add" | "isSettled">;
  find(taskId: string): { projectId: string } | undefined;
  log: Log;
}

const TERMINAL: Actor = { by: "terminal", name: "in the terminal", login: null };

export type AskTrail = ReturnType<typeof createAskTrail>;

export function createAskTrail({ audit, find, log }: TrailParts) {
  /** By task: who has typed while its newest ask was open. */
  const typists = new Map<string, { ask: string; who: Actor[] }>();
  const isSame = (a: Actor, b: Actor) => a.by === b.by && a.login === b.login;
  const of = (taskId: string) => ({ taskId, projectId: find(taskId)?.projectId });

  return {
    /** Before what is typed is passed on. Once for each ask and each who, and typing goes on if it can't be written. */
    typed(taskId: string, ask: Ask | null | undefined, who: Actor): void {
      if (!ask) return;
      const known = typists.get(taskId);
      const before = known?.ask === ask.id ? known.who : [];
      if (before.some((one) => isSame(one, who))) return;
      typists.set(taskId, { ask: ask.id, who: [...before, who] });
      try {
        audit.add({ ...of(taskId), who, action: "input", detail: { ask } });
      } catch (error) {
        log.error("writing down who typed into a terminal", error);
      }
    },

    /** It is no longer asked; `hasEnded`: because its session is over. */
    over(taskId: string, ask: Ask, hasEnded: boolean): void {
      if (audit.isSettled(taskId, ask.id)) return;
      const known = typists.get(taskId);
      const typed = known?.ask === ask.id ? known.who : [];
      const [who = TERMINAL, ...others] = typed;
      audit.add({
        ...of(taskId),
        who: others.length === 0 ? who : TERMINAL,
        action: "ask_over",
        detail: { ask, typed, hasEnded },
      });
    },
  };
}
