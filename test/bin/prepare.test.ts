import { expect, test } from "bun:test";
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
