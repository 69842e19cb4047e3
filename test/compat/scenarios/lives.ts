// How sessions of any agent end, go on and come back. The server is a process that may be killed.
import type { TaskRun } from "../../support/task-run.ts";
import type { Board, Expected, Scenario, State, Talk, Variant } from "../scenario.ts";

interface Life<Say, V extends Variant> {
  open(variant: V): Promise<Board<Say>>;
  /** A call for which it asks. */
  asks: Say;
  /** What a conversation that was resumed is in. */
  resumed: State;
  /** Allows what is asked, on the card or in the terminal. */
  allow(run: TaskRun): Promise<unknown>;
  /** Takes away its record of the conversation. */
  forget(talk: Talk<Say>): unknown;
  /** Its turn has been written down. */
  hasWritten?(talk: Talk<Say>): Promise<unknown>;
  applies?(variant: V): boolean;
}

export function lives<Say, V extends Variant>(life: Life<Say, V>): Scenario<Say, V>[] {
  const { open, asks, resumed, allow, forget, hasWritten, applies = () => true } = life;
  const own = { own: open, isPartial: true };
  const expect =
    (states: State[], reason?: RegExp) =>
    (variant: V): Expected | undefined =>
      applies(variant) ? { states, ...(reason && { reason }) } : undefined;
  const say = (text: string) => text as Say;

  async function end({ board, run }: Talk<Say>) {
    await accepted(board, run, "stop");
    await run.ended();
    await board.sessions.settled(run.id);
  }

  return [
    {
      name: "killed while it asks",
      ...{ ...own, replies: [asks], expect: expect(["working", "permission", "failed"]) },
      async act({ board, run }) {
        await run.is("permission");
        for (const { pid } of board.sessions.agentsOf(run.id)) process.kill(pid, "SIGKILL");
        await run.ended();
        await gone(board, run);
      },
    },
    {
      name: "the server is killed and started again while it asks",
      ...{ ...own, replies: [asks, say("Done.")], expect: expect(["permission", "working", "finished"]) },
      async act(talk) {
        const { asks, activity } = await talk.run.is("permission");
        await talk.board.server.kill("SIGKILL");
        await talk.board.server.restart();
        talk.run = await talk.board.follow(talk.run.id);
        talk.newTurn();
        const told = await talk.board.sessions.until(
          talk.run.id,
          (task) => task.activity?.kind === "permission" && (task.asks === null) === (asks === null),
        );
        if (told.activity?.reason !== activity?.reason)
          throw new Error(`now it says ${told.activity?.reason}`);
        await talk.run.until((task) => task.activity?.kind === "permission", "the same");
        await allow(talk.run);
        await talk.run.is("finished");
      },
    },
    {
      name: "resumed by its id",
      ...{ ...own, replies: [say("I remember.")] },
      expect: expect(["working", "finished", "failed", "working", resumed, "working", "finished"]),
      async act(talk) {
        const { board, run } = talk;
        await run.is("finished");
        await hasWritten?.(talk);
        const { agentSessionId } = run.task;
        await end(talk);
        await accepted(board, run, "resume");
        await talk.run.until(({ activity }) => activity?.kind === resumed, "its input box");
        board.script(talk.title, [say("I still do.")]);
        await run.prompt("Do you remember?");
        await run.sees(/I still do\./);
        await talk.is("finished");
        if (run.task.agentSessionId !== agentSessionId) throw new Error("it is another conversation");
        const heard = board.asked.get(talk.title);
        if (!(typeof heard === "string" ? heard : JSON.stringify(heard)).includes("I remember."))
          throw new Error("it has forgotten what was said");
      },
    },
    {
      name: "to be resumed, but its conversation is gone",
      ...{ ...own, replies: [say("I remember.")] },
      expect: expect(
        ["working", "finished", "failed", "working", "finished"],
        /no record of the earlier conversation/,
      ),
      async act(talk) {
        const { board, run } = talk;
        await run.is("finished");
        await hasWritten?.(talk);
        await end(talk);
        await forget(talk);
        board.script(talk.title, [say("I begin anew.")]);
        await accepted(board, run, "resume");
        await run.sees(/I begin anew\./);
        await talk.is("finished");
      },
    },
    {
      name: "Stop leaves no process",
      ...{ ...own, replies: [asks], expect: expect(["working", "permission", "failed"]) },
      async act(talk) {
        await talk.run.is("permission");
        await end(talk);
        await gone(talk.board, talk.run);
      },
    },
  ];
}

async function accepted(board: Board<never>, run: TaskRun, verb: string): Promise<void> {
  const { status } = await board.sessions.act(run.id, verb);
  if (status !== 202) throw new Error(`${verb} was refused with ${status}`);
}

const ENDS_MS = 5_000;

async function gone({ sessions }: Board<never>, { id }: TaskRun): Promise<void> {
  const deadline = performance.now() + ENDS_MS;
  while (sessions.processesOf(id).length > 0) {
    if (performance.now() > deadline)
      throw new Error(`it left ${sessions.processesOf(id).map(({ command }) => command)}`);
    await Bun.sleep(50);
  }
}
