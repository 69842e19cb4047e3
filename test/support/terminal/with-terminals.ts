import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";
import type { Browser } from "playwright-core";
import { testChromium } from "../chromium.ts";
import { Profiles } from "../profiles.ts";
import { type TempDir, tempDir } from "../temp.ts";
import { TerminalBoard } from "../terminal-board.ts";
import { buildPage } from "./build-page.ts";
import { Stage, type StageOptions } from "./stage.ts";

/** bin/test builds it once for all files. */
const { BANTO_TEST_TERMINAL_PAGE: BUILT_PAGE } = process.env;

/** Chromium, a server and the page, once per test file. */
export function withTerminals() {
  let browser: Browser;
  let profiles: Profiles;
  let own: TempDir | undefined;
  let board: TerminalBoard;
  setDefaultTimeout(60_000);
  beforeAll(async () => {
    [browser, board] = await Promise.all([testChromium(), TerminalBoard.start()]);
    if (BUILT_PAGE === undefined) {
      own = tempDir("terminal-page");
      await buildPage(own.path);
    }
    profiles = new Profiles(browser);
  });
  afterAll(async () => {
    await browser.close();
    await board[Symbol.asyncDispose]();
    own?.[Symbol.dispose]();
  });
  return {
    run: (argv: string[], options: StageOptions = {}) =>
      Stage.open({ profiles, board, pageDir: BUILT_PAGE ?? own?.path ?? "" }, argv, options),
  };
}
