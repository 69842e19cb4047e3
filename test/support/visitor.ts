import type { BrowserContext, ConsoleMessage, Locator, Page, WebError } from "playwright-core";
import { TASK_STATUSES, type TaskStatus } from "../../src/contract.ts";
import { signInPage } from "./login.ts";
import type { TakenProfile } from "./profiles.ts";
import type { TestServer } from "./server.ts";

/** One browser profile. Whatever goes wrong in its pages and was not expected fails the test when it leaves. */
export class Visitor implements AsyncDisposable {
  readonly tabs: Tab[] = [];
  private readonly complaints: string[] = [];
  private readonly expected: RegExp[] = [];

  readonly context: BrowserContext;

  constructor(
    private readonly taken: TakenProfile,
    readonly server: TestServer,
  ) {
    this.context = taken.profile.context;
    // The browser reports what the content security policy bars as an error on the console.
    this.context.on("console", this.noteMessage);
    this.context.on("weberror", this.noteError);
  }

  /** Gives this browser a login, and opens the board. */
  async signIn(): Promise<Tab> {
    const tab = await this.newTab();
    await signInPage(tab.page, this.server);
    await tab.page.goto(this.server.url);
    await tab.expectConnection("Live");
    return tab;
  }

  /** Follows a login link, which leads to the board. */
  async follow(link: string): Promise<Tab> {
    const tab = await this.goto(link);
    await tab.button("Sign in").click();
    await tab.expectConnection("Live");
    return tab;
  }

  /** The page at an address, as it comes. */
  async goto(path = "/"): Promise<Tab> {
    const tab = await this.newTab();
    await tab.page.goto(new URL(path, this.server.url).href);
    return tab;
  }

  private async newTab(): Promise<Tab> {
    const tab = new Tab(await this.context.newPage());
    this.tabs.push(tab);
    return tab;
  }

  /** The board, listening. */
  async open(path = "/"): Promise<Tab> {
    const tab = await this.goto(path);
    await tab.expectConnection("Live");
    return tab;
  }

  /** Errors on the console that belong to the story, such as a refused request. */
  expectConsole(...patterns: RegExp[]): void {
    this.expected.push(...patterns);
  }

  private noteMessage = (message: ConsoleMessage): void => {
    if (message.type() !== "error") return;
    this.complaints.push(`${message.text()} (${message.location().url})`);
  };

  private noteError = (error: WebError): void => {
    this.complaints.push(String(error.error()));
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.taken.giveBack();
    this.context.off("console", this.noteMessage);
    this.context.off("weberror", this.noteError);
    const left = this.complaints.filter((text) => !this.expected.some((pattern) => pattern.test(text)));
    if (left.length > 0) throw new Error(`the page complained:\n${left.join("\n")}`);
  }
}

/** What one does with the board, and what one can see of it. */
export class Tab {
  constructor(readonly page: Page) {}

  column = (status: TaskStatus): Locator => this.page.locator(`[data-column="${status}"]`);
  card = (title: string): Locator => this.page.getByRole("article", { name: title, exact: true });
  button = (name: string | RegExp): Locator => this.page.getByRole("button", { name, exact: true });
  dialog = (name: string): Locator => this.page.getByRole("dialog", { name });
  panel = (): Locator => this.page.locator("[data-panel]");
  toast = (text: string | RegExp): Locator =>
    this.page.getByRole("region", { name: "Notifications" }).getByText(text);

  async press(...keys: string[]): Promise<void> {
    while (keys.length > 0) {
      // The page soon forgets the first key of a chord: the second one goes right behind it.
      const together = keys.splice(0, keys[0] === "g" ? 2 : 1);
      await Promise.all(together.map((key) => this.page.keyboard.press(key)));
    }
  }

  type = (text: string): Promise<void> => this.page.keyboard.type(text);

  /** Waits until the page is laid out in its new size: the browser answers before that. */
  async resize(size: { width: number; height: number }): Promise<void> {
    await this.page.setViewportSize(size);
    await this.waitFor(({ width, height }) => innerWidth === width && innerHeight === height, size);
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }

  async expectBoard(titles: Partial<Record<TaskStatus, string[]>>): Promise<void> {
    for (const status of TASK_STATUSES)
      if (titles[status] !== undefined) await this.expectColumn(status, titles[status]);
  }

  /** The column comes to show exactly these cards in this order. */
  async expectColumn(status: TaskStatus, titles: string[]): Promise<void> {
    try {
      await this.page.waitForFunction(hasTitles, { status, titles });
    } catch (cause) {
      const seen = await this.titles(status);
      throw new Error(`${status} shows ${JSON.stringify(seen)}, not ${JSON.stringify(titles)}`, { cause });
    }
  }

  /** The card comes to say where its session stands. */
  async expectState(title: string, word: string): Promise<void> {
    await this.card(title).locator("[data-state]", { hasText: word }).waitFor();
  }

  /** The server has every new card. */
  expectArrived = (): Promise<void> =>
    this.waitFor(() => document.querySelector("[data-card^='new:']") === null, null);

  titles = (status: TaskStatus): Promise<string[]> =>
    this.column(status)
      .locator("[data-card]")
      .evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label") ?? ""));

  expectConnection = (word: string): Promise<void> =>
    this.page.getByRole("button", { name: `Connection: ${word}` }).waitFor();

  /** This card has the keyboard. */
  async expectFocus(title: string): Promise<void> {
    await this.waitFor((name) => document.activeElement?.getAttribute("aria-label") === name, title);
  }

  async waitFor<T>(check: (argument: T) => unknown, argument: T): Promise<void> {
    await this.page.waitForFunction(check as (argument: unknown) => unknown, argument);
  }

  async expectAnnouncement(text: string): Promise<void> {
    await this.page.locator("[aria-live=assertive]", { hasText: text }).waitFor({ state: "attached" });
  }
}

/** Runs in the page. */
function hasTitles({ status, titles }: { status: string; titles: string[] }): boolean {
  const cards = [...document.querySelectorAll(`[data-column="${status}"] [data-card]`)];
  return (
    cards.length === titles.length &&
    cards.every((card, index) => card.getAttribute("aria-label") === titles[index])
  );
}
