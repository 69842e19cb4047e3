// `seq 1 200000` until its last line is on the screen, from the key press, five ways in turn:
//   whole    the page as people have it: bash and seq in a terminal, host, server, WebSocket, emulator, picture
//   memory   ghostty-web alone in a page, the same bytes there already and written in one go
//   program  ghostty-web alone, bash and seq in a bare terminal that is piped into a WebSocket
//   part     our terminal alone, the same bytes from memory over a WebSocket
//   socket   ghostty-web alone, the same bytes from memory over a WebSocket
// and how long the program itself takes to print when nothing but a loop reads. All stay open and warm.
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../../test/support/chromium.ts";
import { TerminalBoard } from "../../test/support/terminal-board.ts";
import { median, type Row } from "../row.ts";
import { cornerOf, installCorner, otherThan, settledCorner, untilPainted } from "./painted.ts";
import { openRealPage } from "./real-page.ts";
import { standIn } from "./stand-in.ts";

const ROUNDS = 11;
const COMMAND = "clear; seq 1 200000";

/** One run: makes the picture another one, then Enter. */
interface Runner {
  page: Page;
  prepare(): Promise<void>;
  last: string;
}

async function run({ page, prepare, last }: Runner): Promise<number> {
  await page.bringToFront();
  const before = await cornerOf(page);
  await prepare();
  await otherThan(page, before);
  return untilPainted(page, "Enter", last);
}

/** The first time shows what the end looks like. */
async function warm(page: Page, prepare: () => Promise<void>): Promise<Runner> {
  await page.bringToFront();
  await prepare();
  await page.keyboard.press("Enter");
  await page.waitForTimeout(1_500);
  return { page, prepare, last: await settledCorner(page) };
}

async function alone(browser: Browser, url: string, source: string, size: { cols: number; rows: number }) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await installCorner(page, "lower");
  await page.goto(`${url}alone.html?source=${source}&cols=${size.cols}&rows=${size.rows}`);
  await page.locator("[data-is-ready]").waitFor();
  return warm(page, () => page.keyboard.press("c"));
}

/** Our terminal by itself, in a window that gives it the size the others have. */
async function part(
  browser: Browser,
  source: Awaited<ReturnType<typeof standIn>>,
  size: { cols: number; rows: number },
) {
  const viewport = { width: 1440, height: 900 };
  const page = await browser.newPage({ viewport, reducedMotion: "reduce" });
  await installCorner(page, "lower");
  await page.goto(`${source.url}page.html?task=any`);
  await page.locator("[data-connection=live]").waitFor({ state: "attached" });
  await page.waitForTimeout(1_000);
  const cell = await page.locator("canvas").evaluate(({ clientWidth, clientHeight }, { cols, rows }) => {
    return { width: clientWidth / cols, height: clientHeight / rows };
  }, source.size());
  await page.setViewportSize({
    width: Math.round(viewport.width + (size.cols - source.size().cols) * cell.width),
    height: Math.round(viewport.height + (size.rows - source.size().rows) * cell.height),
  });
  await page.waitForTimeout(1_000);
  const got = source.size();
  if (got.cols !== size.cols || got.rows !== size.rows)
    throw new Error(`the window gives ${got.cols}x${got.rows}, not ${size.cols}x${size.rows}`);
  return warm(page, () => page.keyboard.press("c"));
}

async function bareTerminal(): Promise<number> {
  const seen = Promise.withResolvers<void>();
  let tail = "";
  const started = performance.now();
  const child = Bun.spawn(["seq", "1", "200000"], {
    terminal: {
      cols: 80,
      rows: 24,
      data(_terminal, chunk) {
        tail = (tail + new TextDecoder().decode(chunk.subarray(-16))).slice(-16);
        if (tail.includes("\n200000\r\n")) seen.resolve();
      },
    },
  });
  await seen.promise;
  const took = performance.now() - started;
  await child.exited;
  child.terminal?.close();
  return took;
}

export async function terminalFlood(): Promise<Row[]> {
  const browser = await launchChromium(true);
  try {
    await using board = await TerminalBoard.start();
    await using source = await standIn();
    const session = await board.run(["bash", "--norc"]);
    await using real = await openRealPage(browser, board, session, "lower");
    const { size } = real;
    const runners = {
      whole: await warm(real.page, () => real.page.keyboard.type(COMMAND)),
      memory: await alone(browser, source.url, "memory", size),
      program: await alone(browser, source.url, "program", size),
      part: await part(browser, source, size),
      socket: await alone(browser, source.url, "socket", size),
    };
    const times = { whole: [], memory: [], program: [], part: [], socket: [], bare: [] } as Record<
      keyof typeof runners | "bare",
      number[]
    >;
    for (let i = 0; i < ROUNDS; i++) {
      for (const [name, runner] of Object.entries(runners))
        times[name as keyof typeof runners].push(await run(runner));
      times.bare.push(await bareTerminal());
    }
    return report(times);
  } finally {
    await browser.close();
  }
}

function report(times: Record<"whole" | "memory" | "program" | "part" | "socket" | "bare", number[]>): Row[] {
  // Of neighbours: other work on the machine then weighs on both.
  const ratio = (one: number[], other: number[]) => median(one.map((ms, i) => ms / (other[i] ?? ms)));
  const row = (name: string, value: number[], other: number[], against: string): Row => ({
    name,
    value: median(value),
    unit: "ms",
    ratio: ratio(value, other),
    against: `${against}, ${median(other).toFixed(0)} ms`,
    target: "≤ 1.3 ×",
  });
  return [
    { name: "seq 1 200000 printed, nothing but a loop reading", value: median(times.bare), unit: "ms" },
    row(
      "seq 1 200000 in the page, Enter to painted: all of it",
      times.whole,
      times.memory,
      "ghostty-web alone, bytes in memory",
    ),
    {
      name: "… all of it",
      value: median(times.whole),
      unit: "ms",
      ratio: ratio(times.whole, times.bare),
      against: "the printing alone",
    },
    row(
      "… all of it",
      times.whole,
      times.program,
      "ghostty-web alone, the same program in a bare terminal over a WebSocket",
    ),
    row(
      "… the page's part, bytes over a WebSocket",
      times.part,
      times.memory,
      "ghostty-web, bytes in memory",
    ),
    row(
      "… the page's part, bytes over a WebSocket",
      times.part,
      times.socket,
      "ghostty-web, bytes over a WebSocket",
    ),
  ];
}
