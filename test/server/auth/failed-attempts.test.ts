import { afterEach, expect, setSystemTime, test } from "bun:test";
import { createFailedAttempts } from "../../../src/server/auth/failed-attempts.ts";

afterEach(() => void setSystemTime());

test("a source has failed too often with its twentieth failure, and may try again after a minute", () => {
  setSystemTime(new Date("2026-11-18T12:00:00Z"));
  const failed = createFailedAttempts();
  for (let count = 0; count < 19; count += 1) failed.note("10.0.0.9");
  expect(failed.areTooMany("10.0.0.9")).toBe(false);
  failed.note("10.0.0.9");
  expect([failed.areTooMany("10.0.0.9"), failed.areTooMany("10.0.0.10")]).toEqual([true, false]);
  setSystemTime(new Date("2026-11-18T12:01:00Z"));
  expect(failed.areTooMany("10.0.0.9")).toBe(false);
});

test("of sources without end only the last thousand are kept, and one that goes on is among them", () => {
  const failed = createFailedAttempts();
  for (let count = 0; count < 20; count += 1) failed.note("gone");
  for (let count = 0; count < 5_000; count += 1) {
    failed.note(`made-up-${count}`);
    if (count % 200 === 0) failed.note("goes on");
  }
  expect([failed.areTooMany("gone"), failed.areTooMany("goes on")]).toEqual([false, true]);
});
