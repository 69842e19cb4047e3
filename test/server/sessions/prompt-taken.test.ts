// What is said to have been sent to an agent that tells when it takes a prompt.
import { expect, test } from "bun:test";
import type { ActivityKind } from "../../../src/contract.ts";
import { expectFailure } from "../../support/board.ts";
import { gate } from "../../support/gate.ts";
import { SessionBoard } from "../../support/sessions.ts";
import { TestViewer } from "../../support/viewer.ts";

const say = (report: string) => `printf '\\033]7501;state=${report}:app=lab\\033\\\\'`;

test("a prompt counts as sent only when the agent has said that it took it", async () => {
  using begun = gate();
  using first = gate();
  using second = gate();
  await using board = await SessionBoard.startHere();
  const script = [
    ...[say("blocked:kind=question"), begun.wait, say("working"), first.wait, say("done")],
    ...["printf '\\033[?2004hready'; read deaf; read line", say("working"), second.wait, say("done")],
    "exec sleep 1000",
  ];
  const { id } = await board.addTask(script.join("; "));
  const is = (kind: ActivityKind) => board.until(id, ({ activity }) => activity?.kind === kind);
  expect((await board.act(id, "start")).status).toBe(202);
  using viewer = TestViewer.open(board.server, id);
  await is("question");
  await begun.open();
  await is("working");
  await first.open();
  await viewer.sees("ready");
  await is("finished");
  const send = (text: string) =>
    board.server.post(`/api/tasks/${id}/terminal/input`, { text, submit: true, prompt: true });
  expectFailure(
    await send("Not heard"),
    "conflict",
    /^The agent hasn't said that it took it\. Look at its terminal/,
  );
  expect(await send("Heard")).toMatchObject({ status: 204 });
  await second.open();
  await is("finished");
  // A command of the agent's own begins no turn.
  expect((await send("/help")).status).toBe(204);
});
