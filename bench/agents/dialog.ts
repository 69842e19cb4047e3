// From an agent's dialog on its terminal's screen to the card that says so, in the browser, for each agent.
import type { GhosttyTerminal } from "ghostty-web";
import type { Browser, Page } from "playwright-core";
import { createEmulator, look } from "../../test/host/support/emulator.ts";
import { launchChromium } from "../../test/support/chromium.ts";
import { signInPage } from "../../test/support/login.ts";
import type { TaskRun } from "../../test/support/task-run.ts";
import { TestViewer } from "../../test/support/viewer.ts";
import { median, quantile, type Row } from "../row.ts";
import { ASKERS, type Asker } from "./askers.ts";

const ASKS = 15;

/** The same clock in this process and in the page. */
const now = () => performance.timeOrigin + performance.now();

export async function measureDialog(): Promise<Row[]> {
  const browser = await launchChromium(true);
  try {
    const rows: Row[] = [];
    for (const asker of ASKERS) rows.push(...(await measure(browser, asker)));
    return rows;
  } finally {
    await browser.close();
  }
}

async function measure(browser: Browser, { name, hasChannel, start }: Asker): Promise<Row[]> {
  await using board = await start();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await signInPage(page, board.server);
  await page.goto(board.server.url);
  await page.getByRole("button", { name: "Connection: Live" }).waitFor();
  const files = Array.from({ length: ASKS }, (_, i) => `file-${i}.txt`);
  await using run = await board.make("Make many files", files);
  using screen = new ShownScreen(run);
  const delays: number[] = [];
  for (const file of files) delays.push(await delay(page, run, screen, file));
  await context.close();
  return [
    {
      name: `${name}: dialog on its screen to the card, median`,
      value: median(delays),
      unit: "ms",
      ...(hasChannel && { target: "≤ 300 ms; below 0 the card was first" }),
    },
    { name: `${name}: dialog on its screen to the card, p95`, value: quantile(delays, 0.95), unit: "ms" },
  ];
}

async function delay(page: Page, run: TaskRun, screen: ShownScreen, file: string): Promise<number> {
  const [shownAt, saidAt] = await Promise.all([screen.shows(file), page.evaluate(cardSays, file)]);
  const { asks } = await run.until((task) => task.asks?.detail.includes(file) === true, file);
  const answer = await run.answer({ ask: asks?.id, decision: "allow" });
  if (answer.status !== 204) throw new Error(`the answer was refused: ${JSON.stringify(answer.body)}`);
  return saidAt - shownAt;
}

/** Runs in the page: when a frame has shown the request that names this. */
function cardSays(words: string): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      if (!document.querySelector("[data-card] [data-ask]")?.textContent?.includes(words)) return;
      watcher.disconnect();
      requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
    };
    const watcher = new MutationObserver(look);
    watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
  });
}

/** The first choice of each agent's dialog. */
const CHOICE = /1\. Yes|Yes, proceed|Allow once/;

/** What a person would see in the terminal, looked at with every chunk of output. */
class ShownScreen implements Disposable {
  readonly #viewer: TestViewer;
  #emulator: GhosttyTerminal | undefined;
  #wanted: { file: string; seen(at: number): void } | undefined;

  constructor(run: TaskRun) {
    this.#viewer = TestViewer.open(run.board.server, run.id, { onBytes: (bytes) => this.#show(bytes) });
  }

  #show(bytes: Uint8Array) {
    const hello = this.#viewer.controls.find(({ type }) => type === "hello");
    this.#emulator ??= createEmulator(
      hello?.type === "hello" ? hello.cols : 80,
      hello?.type === "hello" ? hello.rows : 24,
    );
    this.#emulator.write(bytes);
    this.#look();
  }

  #look() {
    if (this.#wanted === undefined || this.#emulator === undefined) return;
    const { text } = look(this.#emulator);
    if (!text.includes(this.#wanted.file) || !CHOICE.test(text)) return;
    this.#wanted.seen(now());
    this.#wanted = undefined;
  }

  /** When the dialog about this file has appeared. */
  shows(file: string): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#wanted = { file, seen: resolve };
    this.#look();
    return promise;
  }

  [Symbol.dispose]() {
    this.#viewer[Symbol.dispose]();
    this.#emulator?.free();
  }
}
