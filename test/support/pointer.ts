import type { CDPSession, Locator, Page } from "playwright-core";

export interface Point {
  x: number;
  y: number;
}

/** A point of what is shown: 0 is its left or upper edge, 1 the other one. */
export async function pointIn(target: Locator, across = 0.5, down = 0.5): Promise<Point> {
  const box = await target.boundingBox();
  if (box === null) throw new Error(`${target} is not shown`);
  return { x: box.x + box.width * across, y: box.y + box.height * down };
}

/** Takes a card by the mouse, carries it, and lets it go where the page shows it would land. */
export class Mouse {
  constructor(private readonly page: Page) {}

  async lift(card: Locator): Promise<void> {
    const { x, y } = await pointIn(card);
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + 8, y);
    await this.page.locator("[data-ghost]").waitFor();
  }

  async carry({ x, y }: Point): Promise<void> {
    await this.page.mouse.move(x, y, { steps: 3 });
  }

  async drop(): Promise<void> {
    await this.page.locator("[data-drop-line]").waitFor();
    await this.page.mouse.up();
    await this.page.locator("[data-ghost]").waitFor({ state: "detached" });
  }

  async drag(card: Locator, to: Point): Promise<void> {
    await this.lift(card);
    await this.carry(to);
    await this.drop();
  }
}

/** One finger on a touch screen: real touch events, which the browser may take for a scroll. */
export class Finger {
  private at: Point = { x: 0, y: 0 };

  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  static async on(page: Page): Promise<Finger> {
    return new Finger(page, await page.context().newCDPSession(page));
  }

  async down(at: Point, begin?: number): Promise<void> {
    this.at = at;
    await this.touch("touchStart", [at], begin);
  }

  /** Where it is told when the finger came down, it moves on at once, however long the machine took meanwhile. */
  async move(to: Point, steps = 5, begin?: number): Promise<void> {
    const from = this.at;
    for (let step = 1; step <= steps; step += 1) {
      const share = step / steps;
      this.at = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      await this.touch("touchMove", [this.at], begin && begin + step * 0.016);
    }
  }

  async up(): Promise<void> {
    await this.touch("touchEnd", []);
  }

  /** Rests on the card until it comes along. */
  async lift(card: Locator): Promise<void> {
    await this.down(await pointIn(card));
    await this.page.locator("[data-ghost]").waitFor();
  }

  /** Comes to rest before it is lifted. */
  swipe = (from: Point, to: Point) => this.stroke(from, to, 0.3);

  /** Short, however long the machine takes to tell of it. */
  async tap(at: Point): Promise<void> {
    const begin = Date.now() / 1_000;
    await this.touch("touchStart", [at], begin);
    await this.touch("touchEnd", [], begin + 0.05);
  }

  /** Lets go in motion. */
  flick = (from: Point, to: Point) => this.stroke(from, to, 0.016);

  /** As far as it is told, a frame passes between two steps, however long the machine takes for one. */
  private async stroke(from: Point, to: Point, rest: number, steps = 8): Promise<void> {
    const begin = Date.now() / 1_000;
    const at = (step: number) => ({
      x: from.x + ((to.x - from.x) * step) / steps,
      y: from.y + ((to.y - from.y) * step) / steps,
    });
    const move = (step: number) => this.touch("touchMove", [at(step)], begin + step * 0.016);
    // It is on its way at once, or it may seem to rest and lift a card. Chromium can keep the first move to itself.
    await Promise.all([this.touch("touchStart", [from], begin), move(1), move(2)]);
    // One after the other, or the page hears of the last one only.
    for (let step = 3; step <= steps; step += 1) await move(step);
    await this.touch("touchEnd", [], begin + steps * 0.016 + rest);
  }

  /** Two fingers, one above the other, that far apart at first and in the end. */
  async pinch({ x, y }: Point, from: number, to: number, steps = 8): Promise<void> {
    const fingers = (apart: number) => [
      { x, y: y - apart / 2, id: 0 },
      { x, y: y + apart / 2, id: 1 },
    ];
    await this.touch("touchStart", fingers(from));
    for (let step = 1; step <= steps; step += 1)
      await this.touch("touchMove", fingers(from + ((to - from) * step) / steps));
    await this.up();
  }

  /** Two fingers beside each other that go the same way. */
  async drag(from: Point, to: Point, steps = 8): Promise<void> {
    const fingers = (share: number) =>
      [0, 60].map((beside, id) => ({
        x: from.x + (to.x - from.x) * share + beside,
        y: from.y + (to.y - from.y) * share,
        id,
      }));
    await this.touch("touchStart", fingers(0));
    for (let step = 1; step <= steps; step += 1) await this.touch("touchMove", fingers(step / steps));
    await this.up();
  }

  private async touch(
    type: "touchStart" | "touchMove" | "touchEnd",
    touchPoints: Point[],
    timestamp?: number,
  ): Promise<void> {
    await this.session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints,
      ...(timestamp !== undefined && { timestamp }),
    });
  }
}
