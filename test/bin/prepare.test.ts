import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { UNPRIVILEGED } from "../support/program.ts";
import { smallCheckout } from "./support/small-checkout.ts";

test("packages are those of the version checked out, also after going back to an earlier one", async () => {
  using checkout = smallCheckout();
  const installed = () => JSON.parse(checkout.read("node_modules/part/package.json")).version;
  const steps = [
    ["1.0.0", "test"],
    ["2.0.0", "serve"],
    ["1.0.0", "serve"],
  ] as const;
  for (const [version, kind] of steps) {
    await checkout.depend(version);
    expect(await checkout.prepare(kind)).toMatchObject({ code: 0 });
    expect(installed()).toBe(version);
  }
});

test("of several that prepare at once, one does and the others wait for it", async () => {
  using checkout = smallCheckout();
  await checkout.depend("1.0.0");
  const all = await Promise.all(Array.from({ length: 5 }, () => checkout.prepare("test")));
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  expect(
    all
      .map(({ stderr }) => stderr)
      .join("")
      .match(/installing packages/g),
  ).toHaveLength(1);
  expect(checkout.read("builds")).toBe("once ");
  expect(checkout.read("dist/client/page.txt")).toBe("first");
});

test("a page that can't be built leaves the one before it", async () => {
  using checkout = smallCheckout();
  await checkout.depend("1.0.0");
  await checkout.prepare("serve");
  checkout.write("bin/lib/build.ts", "process.exit(1);");
  const { code, stderr } = await checkout.prepare("serve");
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("could not build the page") });
  expect(checkout.read("dist/client/page.txt")).toBe("first");
});

test("the lock that an editor leaves beside an open file is passed over", async () => {
  using checkout = smallCheckout();
  await checkout.depend("1.0.0");
  symlinkSync("someone@somewhere.1234", checkout.at("src/client/.#page.txt"));
  expect(await checkout.prepare("serve")).toMatchObject({ code: 0 });
});

test.each([".", "node_modules"])(
  "that %s can't be written is said before anything is tried",
  async (name) => {
    using checkout = smallCheckout();
    await checkout.depend("1.0.0");
    mkdirSync(checkout.at("node_modules"));
    chmodSync(checkout.at(name), 0o500);
    const { code, stderr } = await checkout.prepare("serve", UNPRIVILEGED);
    chmodSync(checkout.at(name), 0o700);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^banto: cannot write in .*make it writable for you\n$/),
    });
    expect(stderr).toContain(checkout.at(name));
  },
);
