// `seq 1 200000` in a terminal of the page, from Enter to the last line painted, against the same bytes
// written to ghostty-web alone.
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { launchChromium } from "../../test/support/chromium.ts";
import { buildPage } from "../../test/support/terminal/bridge.ts";
import { Stage } from "../../test/support/terminal/stage.ts";
import { TerminalBoard } from "../../test/support/terminal-board.ts";
import { median, type Row } from "../row.ts";

const RUNS = 5;
const COMMAND = "clear; seq 1 200000";

export async function terminalFlood(): Promise<Row[]> {
  const browser = await launchChromium();
  try {
    const ours = await throughEverything(browser);
    const alone = await ghosttyAlone(browser, ours.size);
    return [
      {
        name: "seq 1 200000 in the page's terminal, Enter to painted",
        value: median(ours.times),
        unit: "ms",
        ratio: median(ours.times) / median(alone),
        against: `ghostty-web alone, ${median(alone).toFixed(0)} ms`,
        target: "≤ 1.3 ×",
      },
    ];
  } finally {
    await browser.close();
  }
}

async function throughEverything(browser: Browser) {
  await using board = await TerminalBoard.start();
  using page = await buildPage();
  await using stage = await Stage.open({ browser, board, pageDir: page.path }, ["bash", "--norc"], {});
  await stage.expectFitted();
  const { cols, rows } = await stage.host.screen();
  await stage.type(COMMAND);
  await stage.press("Enter");
  await stage.sees(/199999\s+200000\s/);
  await stage.expectSame();
  const last = await stage.page.evaluate(picture);
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) times.push(await run(stage, last));
  return { times, size: { cols, rows } };
}

async function run(stage: Stage, last: string): Promise<number> {
  await stage.type(COMMAND);
  await stage.page.evaluate(watchFor, last);
  await stage.press("Enter");
  return stage.page.evaluate(() => window.painted);
}

declare global {
  interface Window {
    /** Milliseconds from Enter until the picture was the one that was waited for. */
    painted: Promise<number>;
  }
}

/** Runs in the page: the lower left corner, where the last number and the prompt stand. */
function picture(): string {
  const canvas = document.querySelector("canvas");
  const data = canvas?.getContext("2d")?.getImageData(0, canvas.height - 64, 128, 64).data ?? [];
  return Array.from(data).join();
}

function watchFor(last: string): void {
  const canvas = document.querySelector("canvas");
  const context = canvas?.getContext("2d");
  const look = () => {
    const data = context?.getImageData(0, (canvas?.height ?? 0) - 64, 128, 64).data ?? [];
    return Array.from(data).join() === last;
  };
  window.painted = new Promise((resolve) => {
    const begin = (event: KeyboardEvent) => {
      if (event.key !== "Enter") return;
      window.removeEventListener("keydown", begin, true);
      const start = performance.now();
      const wait = () => {
        if (look()) resolve(performance.now() - start);
        else requestAnimationFrame(wait);
      };
      requestAnimationFrame(wait);
    };
    window.addEventListener("keydown", begin, true);
  });
}

async function ghosttyAlone(browser: Browser, size: { cols: number; rows: number }): Promise<number[]> {
  using built = await buildPage(join(import.meta.dir, "alone.html"));
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      const { pathname } = new URL(url);
      return pathname === "/favicon.ico"
        ? new Response()
        : new Response(Bun.file(join(built.path, pathname)));
    },
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${server.url.href}alone.html`);
  const text = Array.from({ length: 200_000 }, (_, i) => `${i + 1}\r\n`).join("");
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++)
    times.push(await page.evaluate(([t, s]) => window.measure(t, s), [text, size] as const));
  await page.close();
  return times;
}
