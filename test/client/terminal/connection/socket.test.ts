import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { type ConnectionState, TerminalSocket } from "../../../../src/client/terminal/connection/socket.ts";

/** A line that somebody else keeps up or cuts. */
class Line {
  static readonly OPEN = 1;
  static opened: Line[] = [];
  readyState = 0;
  isClosed = false;
  readonly sent: unknown[] = [];
  onmessage: ((event: { data: string }) => void) | undefined;
  onclose: ((event: { code: number }) => void) | undefined;

  constructor() {
    Line.opened.push(this);
  }

  say = (message: object) => this.onmessage?.({ data: JSON.stringify(message) });
  cut = () => this.onclose?.({ code: 1006 });
  close() {
    this.isClosed = true;
  }
  send(message: unknown) {
    this.sent.push(message);
  }

  /** It is answered. */
  greet(replay = "full", offset = 0) {
    this.readyState = Line.OPEN;
    this.say({ type: "hello", viewer: 1, offset, cols: 80, rows: 24, replay, snapshotBytes: 0 });
  }

  /** It comes about. */
  live() {
    this.greet();
    this.say({ type: "live", offset: 0 });
  }
}

const ACK = JSON.stringify({ type: "ack", offset: 0 });

interface Wait {
  ms: number;
  end(): void;
}

let waits: Wait[];
const undo: (() => void)[] = [];
let states: string[];
const events = {
  onState: ({ kind }: ConnectionState) => states.push(kind),
  onStart: () => {},
  onBytes: () => {},
  onSize: () => {},
  initialSize: () => undefined,
};

beforeEach(() => {
  waits = [];
  states = [];
  Line.opened = [];
  const { WebSocket, location, localStorage } = globalThis;
  const real = { WebSocket, location, localStorage };
  Object.assign(globalThis, {
    WebSocket: Line,
    location: { href: "http://here/" },
    localStorage: { getItem: () => null },
  });
  undo.push(() => Object.assign(globalThis, real));
  const timers = spyOn(globalThis, "setTimeout").mockImplementation(((end: () => void, ms: number) => {
    const wait = { ms, end };
    waits.push(wait);
    return wait;
  }) as unknown as typeof setTimeout);
  const cleared = spyOn(globalThis, "clearTimeout").mockImplementation((wait: unknown) => {
    waits = waits.filter((other) => other !== wait);
  });
  undo.push(
    () => timers.mockRestore(),
    () => cleared.mockRestore(),
  );
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
  Line.opened.at(-1)?.live();
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

test("what is typed while a living line is made anew goes through the new one", () => {
  using live = socket();
  Line.opened[0]?.live();
  live.reconnect();
  expect(live.send(new Uint8Array([1]))).toBe(true);
  expect(Line.opened[1]?.sent).toEqual([]);
  Line.opened[1]?.live();
  expect(Line.opened[1]?.sent).toEqual([ACK, new Uint8Array([1])]);
  expect(states).toEqual(["live", "connecting", "live"]);
});

test("if that does not come about either, it is said, and nothing typed is run later", () => {
  using live = socket();
  Line.opened[0]?.live();
  live.reconnect();
  live.send(new Uint8Array([1]));
  lose().end();
  expect(states.at(-1)).toBe("reconnecting");
  expect(live.send(new Uint8Array([2]))).toBe(false);
  Line.opened.at(-1)?.live();
  expect(Line.opened.at(-1)?.sent).toEqual([ACK]);
});

test("a line that is younger than the doubt about the network is left alone", () => {
  using live = socket();
  const before = performance.now();
  Line.opened[0]?.live();
  live.reconnect(before);
  expect(Line.opened).toHaveLength(1);
  live.reconnect();
  expect(Line.opened).toHaveLength(2);
});

test("a network that came back while nobody looked is doubted when somebody does", () => {
  using live = socket();
  Line.opened[0]?.live();
  live.pause();
  live.reconnect();
  expect(Line.opened).toHaveLength(1);
  live.resume();
  expect(Line.opened).toHaveLength(2);
  expect(live.send(new Uint8Array([1]))).toBe(true);
  Line.opened[1]?.live();
  expect(Line.opened[1]?.sent).toEqual([ACK, new Uint8Array([1])]);
  live.pause();
  live.resume();
  expect(Line.opened).toHaveLength(2);
});

test("so is a line that was made before that and is read only now, but no line that is younger", () => {
  using live = socket();
  live.pause();
  Line.opened[0]?.live();
  live.reconnect();
  live.resume();
  expect(Line.opened).toHaveLength(2);
  const before = performance.now();
  Line.opened[1]?.live();
  live.pause();
  live.reconnect(before);
  live.resume();
  expect(Line.opened).toHaveLength(2);
});

test("a line that came back is acknowledged although nothing was missing, whether or not somebody looks", () => {
  using live = socket();
  Line.opened[0]?.greet("delta", 1_000);
  expect(Line.opened[0]?.sent).toEqual([JSON.stringify({ type: "ack", offset: 1_000 })]);
  live.reconnect();
  live.pause();
  Line.opened[1]?.greet("delta", 1_000);
  expect(Line.opened[1]?.sent).toEqual([JSON.stringify({ type: "ack", offset: 1_000 })]);
});

test("a line that is answered in time is kept, however late that is read", () => {
  using live = socket();
  const attempt = [...waits];
  live.setInTurn(true, () => {});
  Line.opened[0]?.greet();
  for (const { end } of waits.filter((wait) => attempt.includes(wait))) end();
  expect(Line.opened.map(({ isClosed }) => isClosed)).toEqual([false]);
  expect(states).toEqual([]);
  live.setInTurn(false, () => {});
  for (const { end } of waits) end(); // the turn that nobody waits for any more
});

function socket(): TerminalSocket & Disposable {
  const made = new TerminalSocket("/terminal", events);
  return Object.assign(made, { [Symbol.dispose]: () => made.dispose() });
}
