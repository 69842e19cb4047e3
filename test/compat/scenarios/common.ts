// What every agent does, said in the calls and keys of each.
import type { TaskRun } from "../../support/task-run.ts";
import type { Expected, Scenario, State, Talk, Variant } from "../scenario.ts";

export interface Ways<Say> {
  /** A command for which it asks. */
  command(command: string): Say;
  /** That it runs without asking. */
  harmless: Say[];
  /** One question with the options Red and Blue; `text` is what it asks. */
  question(text: string): Say;
  /** Says something and goes on thinking. */
  thinking: Say;
  limit: Say;
  /** Of the dialog for a command. */
  dialog: RegExp;
  allow(run: TaskRun): Promise<unknown>;
  interrupt(run: TaskRun): Promise<unknown>;
  /** Before the question can be asked. */
  beforeQuestion?(talk: Talk<Say>): Promise<unknown>;
  /** A refusal with words, where the agent doesn't take them at once. */
  denied?: State[];
  /** After the limit. */
  afterLimit?(talk: Talk<Say>): Promise<unknown>;
}

const ASKED = (kind: State): State[] => ["working", kind, "working", "finished"];

async function answer<Say>(talk: Talk<Say>, body: Record<string, unknown>): Promise<void> {
  const { status } = await talk.run.answer(body);
  if (status !== 204) throw new Error(`its answer was refused with ${status}`);
}

/** Turns of one conversation. */
export function commonTurns<Say>(ways: Ways<Say>): Scenario<Say, Variant>[] {
  const { command, harmless, question, thinking, limit, dialog, allow, interrupt } = ways;
  const said = (text: string) => text as Say;
  const states =
    (...all: State[]) =>
    (): Expected => ({ states: all });
  return [
    {
      name: "a plain answer",
      replies: [said("Said plainly.")],
      act: (talk) => talk.is("finished"),
      expect: states("working", "finished"),
      shown: [/Said plainly/, "finished"],
    },
    {
      name: "several tools",
      replies: [...harmless, said("Used.")],
      act: (talk) => talk.is("finished"),
      expect: states("working", "finished"),
    },
    {
      name: "a permission, allowed on the card",
      replies: [command("touch on-the-card"), said("Made.")],
      async act(talk) {
        await talk.is("permission");
        await talk.run.sees(dialog);
        await answer(talk, { decision: "allow" });
        await talk.is("finished");
      },
      expect: states(...ASKED("permission")),
      shown: [dialog, "permission"],
    },
    {
      name: "a permission, denied on the card with words",
      replies: [command("touch never"), said("Then not."), said("Another way then.")],
      async act(talk) {
        await talk.is("permission");
        await talk.run.sees(dialog);
        await answer(talk, { decision: "deny", message: "Another way, please." });
        await talk.is("finished");
      },
      expect: states(...(ways.denied ?? ASKED("permission"))),
    },
    {
      name: "a permission, answered in the terminal",
      replies: [command("touch in-the-terminal"), said("Made there.")],
      async act(talk) {
        await talk.is("permission");
        await talk.run.sees(dialog);
        await allow(talk.run);
        await talk.is("finished");
      },
      expect: states(...ASKED("permission")),
      shown: [dialog, "permission"],
    },
    {
      name: "two permissions in a row",
      replies: [command("touch first"), command("touch second"), said("Both are made.")],
      async act(talk) {
        const first = await talk.is("permission");
        await answer(talk, { decision: "allow" });
        await talk.run.until(({ asks }) => asks !== null && asks.id !== first.asks?.id, "the second");
        await answer(talk, { decision: "allow" });
        await talk.is("finished");
      },
      expect: states("working", "permission", "working", "permission", "working", "finished"),
    },
    {
      name: "Esc in the middle of a turn",
      replies: [thinking],
      async act(talk) {
        await interrupt(talk.run);
        await talk.is("idle");
      },
      expect: () => ({ states: ["working", "idle"], reason: /^Interrupted/ }),
    },
    {
      name: "a question, answered on the card",
      async act(talk) {
        await ways.beforeQuestion?.(talk);
        await talk.say(`${talk.title}, and ask me`, [question("Which colour?"), said("Painted.")]);
        await talk.is("question");
        await answer(talk, { decision: "allow", answers: { "Which colour?": "Blue" } });
        await talk.is("finished");
      },
      expect: states(...ASKED("question")),
    },
    {
      name: "a rate limit",
      replies: [limit],
      async act(talk) {
        await talk.is("limited");
        await ways.afterLimit?.(talk);
      },
      expect: () => ({ states: ["working", "limited"], reason: /./ }),
    },
  ];
}
