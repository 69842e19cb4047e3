// One Chromium for each lane, from its first browser test to the end of the run. It is told to the tests by
// BANTO_TEST_BROWSER; each of their connections has profiles of its own, which end with it.

import type { BrowserServer } from "playwright-core";
import { serveChromium } from "../../../test/support/chromium.ts";

const needsBrowser = (file: string) => file.startsWith("test/e2e/");

export interface LaneBrowsers {
  /** The environment of a test file. */
  environment(file: string, lane: number): Promise<Record<string, string>>;
  close(): Promise<void>;
}

export function createLaneBrowsers(): LaneBrowsers {
  const servers = new Map<number, Promise<BrowserServer>>();

  async function launch(lane: number): Promise<BrowserServer> {
    const server = await serveChromium();
    server.on("close", () => servers.delete(lane)); // crashed: the next file gets another one
    return server;
  }

  return {
    async environment(file, lane) {
      if (!needsBrowser(file)) return {};
      const starting = servers.get(lane) ?? launch(lane);
      servers.set(lane, starting);
      return { BANTO_TEST_BROWSER: (await starting).wsEndpoint() };
    },

    async close() {
      await Promise.all([...servers.values()].map(async (server) => (await server).close()));
    },
  };
}
