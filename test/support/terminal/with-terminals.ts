import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";
import type { Browser } from "playwright-core";
import { launchChromium } from "../chromium.ts";
import { Profiles } from "../profiles.ts";
import type { TempDir } from "../temp.ts";
import { TerminalBoard } from "../terminal-board.ts";
import { buildPage } from "./bridge.ts";
import { Stage, type StageOptions } from "./stage.ts";

/** Chromium, a server and the page, once per test file. */
export function withTerminals() {
  let browser: Browser;
  let profiles: Profiles;
  let page: TempDir;
  let board: TerminalBoard;
  setDefaultTimeout(60_000);
  beforeAll(async () => {
    [browser, page, board] = await Promise.all([launchChromium(), buildPage(), TerminalBoard.start()]);
    profiles = new Profiles(browser);
  });
  afterAll(async () => {
    await browser.close();
    await board[Symbol.asyncDispose]();
    page[Symbol.dispose]();
  });
  return {
    run: (argv: string[], options: StageOptions = {}) =>
      Stage.open({ profiles, board, pageDir: page.path }, argv, options),
  };
}
