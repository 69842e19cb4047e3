import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { type ConnectionState, TerminalSocket } from "../../../src/client/terminal/socket.ts";

/** A line that somebody else keeps up or cuts. */
class Line {
  static opened: Line[] = [];
  readonly readyState = 1;
  onmessage: ((event: { data: string }) => void) | undefined;
  onclose: ((event: { code: number }) => void) | undefined;

  constructor() {
    Line.opened.push(this);
  }

  say = (message: object) => this.onmessage?.({ data: JSON.stringify(message) });
  cut = () => this.onclose?.({ code: 1006 });
  close() {}
  send() {}
}

interface Wait {
  ms: number;
  end(): void;
}

let waits: Wait[];
const undo: (() => void)[] = [];
const events = {
  onState: (_state: ConnectionState) => {},
  onBegin: () => {},
  onBytes: () => {},
  onSize: () => {},
  wish: () => undefined,
};

beforeEach(() => {
  waits = [];
  Line.opened = [];
  const real = { WebSocket: globalThis.WebSocket, location: globalThis.location };
  Object.assign(globalThis, { WebSocket: Line, location: { href: "http://here/" } });
  undo.push(() => Object.assign(globalThis, real));
  const timers = spyOn(globalThis, "setTimeout").mockImplementation(((end: () => void, ms: number) =>
    waits.push({ ms, end })) as unknown as typeof setTimeout);
  undo.push(() => timers.mockRestore());
});

afterEach(() => {
  for (const step of undo.splice(0)) step();
});

/** Cuts the newest line, and gives how long it waits before it tries again. */
function lose(): Wait {
  waits = [];
  Line.opened.at(-1)?.cut();
  const [wait] = waits;
  if (waits.length !== 1 || wait === undefined) throw new Error(`it waits for ${waits.length} things`);
  return wait;
}

for (const chance of [0, 0.5, 0.999_999]) {
  test(`however long a network is away, the next try is less than two seconds off (chance ${chance})`, () => {
    const random = spyOn(Math, "random").mockReturnValue(chance);
    undo.push(() => random.mockRestore());
    using _ = socket();
    const delays = Array.from({ length: 40 }, () => {
      const { ms, end } = lose();
      const before = Line.opened.length;
      end();
      expect(Line.opened.length).toBe(before + 1);
      return ms;
    });
    expect(delays[0]).toBeLessThan(300);
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(Math.max(...delays)).toBeLessThan(2_000);
  });
}

test("a connection that came about begins again with a short wait", () => {
  using _ = socket();
  for (let i = 0; i < 10; i++) lose().end();
  const line = Line.opened.at(-1);
  line?.say({ type: "hello", viewer: 1, offset: 0, cols: 80, rows: 24, replay: "full", snapshotBytes: 0 });
  line?.say({ type: "live", offset: 0 });
  expect(lose().ms).toBeLessThan(300);
});

test("a network that says it is back is tried at once", () => {
  using live = socket();
  for (let i = 0; i < 10; i++) lose().end();
  lose();
  const before = Line.opened.length;
  live.reconnect();
  expect(Line.opened.length).toBe(before + 1);
});

function socket(): TerminalSocket & Disposable {
  const made = new TerminalSocket("/terminal", events);
  return Object.assign(made, { [Symbol.dispose]: () => made.dispose() });
}
