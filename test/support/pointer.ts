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

  async down(at: Point): Promise<void> {
    this.at = at;
    await this.touch("touchStart", [at]);
  }

  async move(to: Point, steps = 5): Promise<void> {
    const from = this.at;
    for (let step = 1; step <= steps; step += 1) {
      const share = step / steps;
      this.at = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      await this.touch("touchMove", [this.at]);
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

  async swipe(from: Point, to: Point): Promise<void> {
    await this.down(from);
    await this.move(to, 8);
    await this.up();
  }

  private async touch(type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]): Promise<void> {
    await this.session.send("Input.dispatchTouchEvent", { type, touchPoints });
  }
}
