import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import type { TaskStatus } from "../../src/contract.ts";
import { TestBoard } from "./board.ts";
import { testChromium } from "./chromium.ts";
import { takeDomProfile } from "./dom/profiles.ts";
import { Profiles, type TakenProfile } from "./profiles.ts";
import type { TestServer } from "./server.ts";
import { type Tab, Visitor } from "./visitor.ts";

export interface Screen {
  width: number;
  height: number;
  isPhone?: boolean;
}

export const DESK: Screen = { width: 1440, height: 900 };
export const LAPTOP: Screen = { width: 1024, height: 768 };
export const PHONE: Screen = { width: 390, height: 844, isPhone: true };

/** The titles of each column's cards, top first. */
export type Titles = Partial<Record<TaskStatus, string[]>>;

export type Theme = "dark" | "light";

/** The machine's Chromium, once per test file. */
export function withBrowser() {
  let browser: Browser;
  let profiles: Profiles;
  beforeAll(async () => {
    browser = await testChromium();
    profiles = new Profiles(browser);
  });
  afterAll(() => browser.close());
  return withProfiles((screen, theme) => profiles.take(profileOptions(screen, theme)));
}

/** The page without a browser, for tests of words, menus and keys: see dom/page.ts. */
export const withoutBrowser = () => withProfiles(async (screen, theme) => takeDomProfile(screen, theme));

function withProfiles(take: (screen: Screen, theme: Theme) => Promise<TakenProfile>) {
  setDefaultTimeout(60_000);

  /** Someone with a browser profile of their own, not signed in. */
  async function stranger(server: TestServer, screen = DESK, theme: Theme = "dark"): Promise<Visitor> {
    const visitor = new Visitor(await take(screen, theme), server);
    visitor.context.setDefaultTimeout(10_000);
    return visitor;
  }

  /** A board with these cards, open in one tab of someone who followed a login link. */
  const board = (titles: Titles = {}, screen = DESK, theme: Theme = "dark") =>
    show(TestBoard.startHere(), titles, screen, theme);

  /** The same, with a server that can be killed. */
  const boardOfProcess = (titles: Titles) => show(TestBoard.start(), titles, DESK, "dark");

  async function show(
    starting: Promise<TestBoard>,
    titles: Titles,
    screen: Screen,
    theme: Theme,
  ): Promise<Scene> {
    const board = await starting;
    try {
      await addCards(board, titles);
      const visitor = await stranger(board.server, screen, theme);
      return new Scene(board, visitor, await visitor.signIn());
    } catch (error) {
      await board[Symbol.asyncDispose]();
      throw error;
    }
  }

  return { stranger, board, boardOfProcess };
}

export const profileOptions = (screen: Screen, theme: Theme): BrowserContextOptions => ({
  viewport: { width: screen.width, height: screen.height },
  colorScheme: theme,
  reducedMotion: "reduce",
  ...(screen.isPhone && { isMobile: true, hasTouch: true }),
});

/** A server, someone signed in to it, and the tab they look at. */
export class Scene implements AsyncDisposable {
  constructor(
    readonly board: TestBoard,
    readonly visitor: Visitor,
    readonly tab: Tab,
  ) {}

  get server(): TestServer {
    return this.board.server;
  }

  /** The same cards in the same order in every tab that is open, and on the server. */
  async expectEverywhere(titles: Required<Titles>): Promise<void> {
    for (const tab of this.visitor.tabs) await tab.expectBoard(titles);
    for (const tab of this.visitor.tabs) await tab.expectArrived();
    await this.expectStored(titles);
  }

  /** The page shows a change before the server has it; asks until it does. */
  async expectStored(titles: Titles): Promise<void> {
    const deadline = Date.now() + 10_000;
    for (;;) {
      const stored = await this.stored(titles);
      if (Bun.deepEquals(stored, titles)) return;
      if (Date.now() > deadline) throw new Error(`the server has ${JSON.stringify(stored)}`);
    }
  }

  private async stored(like: Titles): Promise<Titles> {
    const columns = Object.keys(like) as TaskStatus[];
    const titles = columns.map(async (status) => [
      status,
      (await this.board.column(status)).map(({ title }) => title),
    ]);
    return Object.fromEntries(await Promise.all(titles));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.visitor[Symbol.asyncDispose]();
    } finally {
      await this.board[Symbol.asyncDispose]();
    }
  }
}

/** A new card goes to the top of its column, so the last one is added first. */
async function addCards(board: TestBoard, titles: Titles): Promise<void> {
  for (const [status, column] of Object.entries(titles))
    for (const title of column.toReversed()) await board.addTask({ title, status });
}
