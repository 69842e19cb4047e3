// From Claude Code's dialog on its terminal's screen to the card that says so, in the browser.
import type { Page } from "playwright-core";
import { launchChromium } from "../../test/support/chromium.ts";
import { ClaudeBoard, type ClaudeRun } from "../../test/support/claude-board.ts";
import { signInPage } from "../../test/support/login.ts";
import { TestViewer } from "../../test/support/viewer.ts";
import { median, quantile, type Row } from "../row.ts";

const REQUESTS = 15;

/** The same clock in this process and in the page. */
const now = () => performance.timeOrigin + performance.now();

export async function measureNeeds(): Promise<Row[]> {
  await using board = await ClaudeBoard.start();
  const browser = await launchChromium(true);
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await signInPage(page, board.server);
    await page.goto(board.server.url);
    await page.getByRole("button", { name: "Connection: Live" }).waitFor();
    const commands = Array.from({ length: REQUESTS }, (_, i) => ({
      tool: "Bash",
      input: { command: `touch file-${i}` },
    }));
    await using run = await board.run("Touch many files", [...commands, "All touched."]);
    const delays: number[] = [];
    using dialogs = new Dialogs(run);
    for (let i = 0; i < REQUESTS; i += 1) delays.push(await delay(page, run, dialogs, i));
    return [
      {
        name: "Claude's dialog on the screen to the card saying so, median",
        value: median(delays),
        unit: "ms",
        target: "≤ 300 ms; below 0 the card was first",
      },
      { name: "the same, p95", value: quantile(delays, 0.95), unit: "ms" },
    ];
  } finally {
    await browser.close();
  }
}

async function delay(page: Page, run: ClaudeRun, dialogs: Dialogs, index: number): Promise<number> {
  const [shownAt, saidAt] = await Promise.all([dialogs.next(), page.evaluate(cardSays, `file-${index}`)]);
  const { asks } = await run.is("permission");
  dialogs.forget();
  const answer = await run.answer({ ask: asks?.id, decision: "allow" });
  if (answer.status !== 204) throw new Error(`the answer was refused: ${JSON.stringify(answer.body)}`);
  return saidAt - shownAt;
}

/** Runs in the page: when a frame has shown the request that names this. */
function cardSays(words: string): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const request = document.querySelector("[data-card] [data-ask]")?.textContent ?? "";
      if (new RegExp(`${words}(?!\\d)`).test(request)) {
        watcher.disconnect();
        requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
      }
    };
    const watcher = new MutationObserver(look);
    watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what separates the words of a screen
const ESCAPES = /\x1b(\[[0-9;?<>=]*[A-Za-z]|\][^\x07\x1b]*(\x07|\x1b\\))/g;

/** Notices when the terminal shows a dialog's first choice. */
class Dialogs implements Disposable {
  readonly #viewer: TestViewer;
  readonly #decoder = new TextDecoder();
  #text = "";
  #shownAt: number | undefined;
  #waiting: ((at: number) => void) | undefined;

  constructor(run: ClaudeRun) {
    this.#viewer = TestViewer.open(run.board.server, run.id, { onBytes: (bytes) => this.#read(bytes) });
  }

  #read(bytes: Uint8Array) {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    if (this.#shownAt !== undefined || !/1\.Yes/.test(this.#text.replace(ESCAPES, "").replace(/\s/g, "")))
      return;
    this.#shownAt = now();
    this.#waiting?.(this.#shownAt);
  }

  next(): Promise<number> {
    if (this.#shownAt !== undefined) return Promise.resolve(this.#shownAt);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** What comes after this is another dialog. */
  forget() {
    this.#text = "";
    this.#shownAt = undefined;
    this.#waiting = undefined;
  }

  [Symbol.dispose]() {
    this.#viewer[Symbol.dispose]();
  }
}
