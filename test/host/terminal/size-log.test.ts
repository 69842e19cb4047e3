import { expect, test } from "bun:test";
import { SizeLog } from "../../../src/host/terminal/size-log.ts";

test("a size that came back at the same byte is not taken for one that never went", () => {
  const log = new SizeLog({ cols: 80, rows: 24 });
  const { serial } = log.current;
  const narrow = log.add({ cols: 40, rows: 10, offset: 100, owner: 1 }, 0);
  const wideAgain = log.add({ cols: 80, rows: 24, offset: 100, owner: 1 }, 0);
  expect(log.after(serial)).toBe(narrow);
  expect(log.after(narrow.serial)).toBe(wideAgain);
  expect(log.after(wideAgain.serial)).toBeUndefined();
});

test("who has seen a change that was forgotten goes on with the oldest that is known", () => {
  const log = new SizeLog({ cols: 80, rows: 24 });
  const { serial } = log.current;
  log.add({ cols: 81, rows: 24, offset: 10, owner: 1 }, 0);
  const inForce = log.add({ cols: 82, rows: 24, offset: 20, owner: 1 }, 0);
  log.add({ cols: 83, rows: 24, offset: 50, owner: 1 }, 30);
  expect(log.first).toEqual(inForce);
  expect(log.after(serial)).toBe(inForce);
});
