import type { Page } from "playwright-core";
import { intercept } from "./intercept.ts";

/** The next answer from there: given by the server, and kept from the page until it is let go. */
export async function holdAnswer(page: Page, address: string) {
  const given = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  await intercept(
    page,
    address,
    async (route) => {
      const response = await route.fetch();
      given.resolve();
      await letGo.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  return {
    given: given.promise,
    /** Resolves when the page has it. */
    async release() {
      const arrived = page.waitForResponse(address);
      letGo.resolve();
      await (await arrived).finished();
    },
  };
}
