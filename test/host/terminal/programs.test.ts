import { expect, test } from "bun:test";
import { createPrograms, MOST_PROGRAMS } from "../../../src/host/terminal/programs.ts";
import { type ProgramReport, parseProgramStatus } from "../../../src/vt/program-status.ts";

function scene() {
  const programs = createPrograms();
  let at = 0;
  return {
    say: (data: string) => {
      const change = parseProgramStatus(data);
      return change !== undefined && programs.apply(change, ++at);
    },
    over: () => programs.apply({ state: "over", id: "" }, ++at),
    ids: () => programs.list().map(({ id, state }) => `${id}:${state}`),
    list: () => programs.list() as (ProgramReport & { at: number; serial: number })[],
  };
}

test("a report takes the place of the one before under its id, whole", () => {
  const { say, list } = scene();
  expect(say("state=working:app=x:msg=eA==")).toBe(true);
  expect(say("state=working:id=part")).toBe(true);
  expect(say("state=done")).toBe(true);
  expect(list()).toMatchObject([
    { id: "part", state: "working", at: 2, serial: 2 },
    { id: "", state: "done", app: null, message: null, at: 3, serial: 3 },
  ]);
});

test("a clear removes an id and what is below it, and without an id everything", () => {
  const { say, ids } = scene();
  for (const id of ["a", "a/b", "a/b/c", "ab", "b"]) say(`state=working:id=${id}`);
  say("state=working");
  expect(say("state=clear:id=a")).toBe(true);
  expect(ids()).toEqual(["ab:working", "b:working", ":working"]);
  expect(say("state=clear:id=a")).toBe(false);
  expect(say("state=clear")).toBe(true);
  expect(ids()).toEqual([]);
});

test("at a shell's prompt nothing is at work or blocked any more", () => {
  const { say, over, ids } = scene();
  for (const [i, state] of ["working", "blocked", "done", "error", "idle"].entries())
    say(`state=${state}:id=${i}`);
  expect(over()).toBe(true);
  expect(ids()).toEqual(["2:done", "3:error", "4:idle"]);
  expect(over()).toBe(false);
});

test("of too many the one heard of least recently makes room", () => {
  const { say, ids } = scene();
  for (let i = 0; i < MOST_PROGRAMS; i++) say(`state=working:id=${i}`);
  say("state=done:id=0");
  say("state=working:id=new");
  expect(ids()).toHaveLength(MOST_PROGRAMS);
  expect(ids().slice(0, 1)).toEqual(["2:working"]);
  expect(ids().slice(-2)).toEqual(["0:done", "new:working"]);
});
