// A browser with a terminal in it, a real program behind that, and what one does with them.
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { connectHost, type HostClient } from "../../../src/host/client/connect.ts";
import type { HostRequest } from "../../../src/host/protocol/spec.ts";
import { DESK, profileOptions, type Screen, type Theme } from "../browser.ts";
import type { Profiles, TakenProfile } from "../profiles.ts";
import { type TempDir, tempDir } from "../temp.ts";
import type { TerminalBoard, TestSession } from "../terminal-board.ts";
import { Bridge } from "./bridge.ts";

export interface StageOptions {
  screen?: Screen;
  theme?: Theme;
  host?: Partial<HostRequest>;
  /** Tests are still unless they are about motion. */
  moves?: boolean;
}

export interface House {
  profiles: Profiles;
  board: TerminalBoard;
  pageDir: string;
}

export class Stage implements AsyncDisposable {
  private readonly complaints: string[] = [];
  private readonly expected: RegExp[] = [];

  private constructor(
    readonly board: TerminalBoard,
    /** Where the program runs. */
    readonly dir: TempDir,
    readonly session: TestSession,
    readonly host: HostClient,
    readonly bridge: Bridge,
    private readonly taken: TakenProfile,
    readonly page: Page,
    readonly cdp: CDPSession,
    private readonly gone: Promise<void>,
  ) {}

  static async open(
    { profiles, board, pageDir }: House,
    argv: string[],
    options: StageOptions,
  ): Promise<Stage> {
    const { screen = DESK, theme = "dark" } = options;
    const dir = tempDir("program");
    const session = await board.run(argv, { cwd: dir.path, ...options.host });
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const host = await connectHost(session.socketPath, { closed: resolve });
    const bridge = new Bridge(pageDir, board.server);
    const taken = await profiles.take({
      ...profileOptions(screen, theme),
      reducedMotion: options.moves ? "no-preference" : "reduce",
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { context } = taken.profile;
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    const stage = new Stage(
      board,
      dir,
      session,
      host,
      bridge,
      taken,
      page,
      await context.newCDPSession(page),
      gone,
    );
    stage.watch(page);
    await page.goto(bridge.page(session.task.id));
    await stage.expectState("live");
    return stage;
  }

  get context(): BrowserContext {
    return this.taken.profile.context;
  }

  get pages(): Page[] {
    return this.taken.profile.pages;
  }

  /** Whatever goes wrong in a page fails the test when it ends. */
  private watch(page: Page): void {
    page.on("console", (message) => message.type() === "error" && this.complaints.push(message.text()));
    page.on("pageerror", (error) => this.complaints.push(String(error)));
  }

  /** Errors on the console that belong to the story. */
  expectComplaint(pattern: RegExp): void {
    this.expected.push(pattern);
  }

  /** The same terminal in another window. */
  async openPage(viewport: { width: number; height: number }): Promise<Page> {
    const page = await this.context.newPage();
    this.watch(page);
    await page.setViewportSize(viewport);
    await page.goto(this.bridge.page(this.session.task.id));
    await page.locator("[data-connection=live]").waitFor({ state: "attached" });
    return page;
  }

  /** As if another tab were in front. */
  hide = (isHidden: boolean) =>
    this.page.evaluate((value) => {
      Object.defineProperty(document, "hidden", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);

  async hostSees(text: string): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (!(await this.host.screen()).text.includes(text)) {
      if (Date.now() > deadline) throw new Error(`the host never showed ${text}`);
      await Bun.sleep(20);
    }
  }

  async hostSize(fits: (size: { cols: number; rows: number }) => boolean): Promise<void> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const screen = await this.host.screen();
      if (fits(screen)) return;
      if (Date.now() > deadline) throw new Error(`the host has ${screen.cols}x${screen.rows}`);
      await Bun.sleep(20);
    }
  }

  type = (text: string) => this.page.keyboard.type(text);

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  paste = (text: string) =>
    this.page.evaluate((value) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", value);
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    }, text);

  /** Gives the page another size, and waits until the terminal has the one that fits. */
  async resizeTo(viewport: { width: number; height: number }): Promise<void> {
    await this.page.setViewportSize(viewport);
    await this.expectFitted();
  }

  expectFitted = () =>
    this.page.waitForFunction(() => {
      const canvas = document.querySelector("canvas")?.getBoundingClientRect();
      const box = document.querySelector("canvas")?.parentElement?.getBoundingClientRect();
      if (canvas === undefined || box === undefined) return false;
      const [x, y] = [box.width - canvas.width, box.height - canvas.height];
      return x >= 15 && x < 40 && y >= 15 && y < 48;
    });

  /** Where a cell of the screen is, in the page. */
  async cell(col: number, row: number): Promise<{ x: number; y: number }> {
    const { cols, rows } = await this.host.screen();
    const box = await this.page.locator("canvas").boundingBox();
    if (box === null) throw new Error("there is no canvas");
    return {
      x: box.x + ((col + 0.5) * box.width) / cols,
      y: box.y + ((row + 0.5) * box.height) / rows,
    };
  }

  async clickCell(col: number, row: number): Promise<void> {
    const { x, y } = await this.cell(col, row);
    await this.page.mouse.click(x, y);
  }

  /** Notches, down being positive. */
  async wheel(notches: number): Promise<void> {
    const { x, y } = await this.cell(5, 5);
    await this.page.mouse.move(x, y);
    for (let i = 0; i < Math.abs(notches); i++) await this.page.mouse.wheel(0, 120 * Math.sign(notches));
  }

  clipboard = () => this.page.evaluate(() => navigator.clipboard.readText());

  expectState = (state: string) =>
    this.page.locator(`[data-connection="${state}"]`).waitFor({ state: "attached" });

  /** The screen as the page has it. */
  shown = () => this.page.locator("[data-screen]").evaluate((node) => node.textContent ?? "");

  sees = (text: string | RegExp) =>
    this.page.locator("[data-screen]", { hasText: text }).waitFor({ state: "attached" });

  /** The page comes to show exactly what the session host's own terminal has. */
  async expectSame(): Promise<string> {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const { text } = await this.host.screen();
      const shown = await this.shown();
      if (shown === text && text === (await this.host.screen()).text) return text;
      if (Date.now() > deadline) throw new Error(`the page shows\n${shown}\n--- and the host has\n${text}`);
      await this.page.evaluate(() => new Promise(requestAnimationFrame));
    }
  }

  /** Everything typed into the program so far. */
  typed = () => Buffer.concat(this.bridge.typed);

  async [Symbol.asyncDispose](): Promise<void> {
    await this.taken.giveBack();
    this.bridge[Symbol.dispose]();
    // A server that was started again watches the session, and may let the host go first.
    const stopped = this.host.stop().then(() => this.host.collect());
    await Promise.race([stopped.catch(() => this.gone), this.gone]);
    await this.gone;
    this.dir[Symbol.dispose]();
    const left = this.complaints.filter((text) => !this.expected.some((pattern) => pattern.test(text)));
    if (left.length > 0) throw new Error(`the page complained:\n${left.join("\n")}`);
  }
}
