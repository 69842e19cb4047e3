import { expect, test } from "bun:test";
import { StickyState } from "../../src/vt/sticky.ts";

test("a directory whose long name is cut in the middle of a character can still be said again", () => {
  const told: unknown[] = [];
  const sticky = new StickyState((event) => told.push(event));
  const path = `/${"🎉".repeat(600)}`;
  sticky.osc({ number: 7, data: `file://host${encodeURI(path)}`, terminator: "\x07" });
  const cut = `/${"🎉".repeat(511)}\ufffd`;
  expect(told).toEqual([{ type: "cwd", cwd: cut }]);
  expect(sticky.replay("both")).toBe(`\x1b]7;file://${encodeURI(cut)}\x1b\\`);
});
