// Passes on what a program tells its terminal: at once, but in a flood only ten times a second, and then only the
// newest of each kind, in order.
import type { TerminalEvent } from "../../vt/sticky.ts";
import type { ToldEvent } from "../protocol/messages.ts";
import { MOST_PROGRAMS } from "../terminal/programs.ts";

const INTERVAL_MS = 100;
/** Every notification matters, so a few of them are kept. */
const NOTIFICATIONS = 20;
/** A program's parts each report for themselves. */
const PROGRAMS = 2 * MOST_PROGRAMS;

type AnyEvent = TerminalEvent | ToldEvent;

export class NewestEvents<T extends { event: AnyEvent }> {
  #items: T[] = [];

  add(item: T): void {
    const { type } = item.event;
    this.#drop(type === "notification" ? NOTIFICATIONS : 1, ({ event }) => isAlike(event, item.event));
    if (type === "program") this.#drop(PROGRAMS, ({ event }) => event.type === type);
    this.#items.push(item);
  }

  /** The oldest of these, if there are so many. */
  #drop(limit: number, isOne: (item: T) => boolean): void {
    const all = this.#items.filter(isOne);
    const [oldest] = all;
    if (oldest !== undefined && all.length >= limit) this.#items.splice(this.#items.indexOf(oldest), 1);
  }

  take(): T[] {
    return this.#items.splice(0);
  }
}

const isAlike = (a: AnyEvent, b: AnyEvent) =>
  a.type === "program" && b.type === "program"
    ? a.change.id === b.change.id && (a.change.state === "over") === (b.change.state === "over")
    : a.type === b.type;

export function throttleEvents(tell: (event: ToldEvent) => void) {
  const waiting = new NewestEvents<{ event: ToldEvent }>();
  let timer: Timer | undefined;
  const flush = () => {
    clearTimeout(timer);
    const due = waiting.take();
    timer = due.length > 0 ? setTimeout(flush, INTERVAL_MS) : undefined;
    for (const { event } of due) tell(event);
  };
  return {
    add(event: ToldEvent) {
      waiting.add({ event });
      if (timer === undefined) flush();
    },
    flush,
  };
}
