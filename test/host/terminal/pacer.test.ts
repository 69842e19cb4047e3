import { expect, test } from "bun:test";
import { createPacer } from "../../../src/host/terminal/pacer.ts";

function open() {
  let flushes = 0;
  let onFlush = () => {};
  const pacer = createPacer(() => {
    flushes++;
    onFlush();
  });
  const flushed = () =>
    new Promise<void>((resolve) => {
      onFlush = resolve;
    });
  return { pacer, flushed, count: () => flushes };
}

test("what a typist causes, and one picture of a program, goes at once", () => {
  const { pacer, count } = open();
  for (let i = 0; i < 40; i++) pacer.add(2);
  pacer.add(12_000);
  expect(count()).toBe(41);
});

test("what pours in goes together, and the end of it by itself", async () => {
  const { pacer, flushed, count } = open();
  for (let i = 0; i < 512; i++) pacer.add(1_024);
  expect(count()).toBeLessThan(256);
  const before = count();
  const rest = flushed();
  pacer.add(64);
  if (count() === before) await rest;
  expect(count()).toBeGreaterThan(before);
});
