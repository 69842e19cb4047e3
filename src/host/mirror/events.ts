// What a program tells its terminal is passed on at once, and in a flood ten times a second: then only the newest of
// each kind, in the order in which they were told.
import type { TerminalEvent } from "../../vt/sticky.ts";

const INTERVAL_MS = 100;
/** Each notification says something of its own, so a few of them are kept. */
const NOTIFICATIONS = 20;

export class NewestEvents<T extends { event: TerminalEvent }> {
  #items: T[] = [];

  add(item: T): void {
    const { type } = item.event;
    const alike = this.#items.filter(({ event }) => event.type === type);
    const limit = type === "notification" ? NOTIFICATIONS : 1;
    const [oldest] = alike;
    if (oldest !== undefined && alike.length >= limit) this.#items.splice(this.#items.indexOf(oldest), 1);
    this.#items.push(item);
  }

  take(): T[] {
    return this.#items.splice(0);
  }
}

export function throttleEvents(tell: (event: TerminalEvent) => void) {
  const waiting = new NewestEvents();
  let timer: Timer | undefined;
  const flush = () => {
    clearTimeout(timer);
    const due = waiting.take();
    timer = due.length > 0 ? setTimeout(flush, INTERVAL_MS) : undefined;
    for (const { event } of due) tell(event);
  };
  return {
    add(event: TerminalEvent) {
      waiting.add({ event });
      if (timer === undefined) flush();
    },
    flush,
  };
}
