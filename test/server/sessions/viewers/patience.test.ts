// Viewers who hold things up or are gone are let go; with a server of its own, whose patience is short.
import { expect, test } from "bun:test";
import type { ServerWebSocket } from "bun";
import { CLOSE } from "../../../../src/contract.ts";
import { connectHost } from "../../../../src/host/client/connect.ts";
import { claimPathFor } from "../../../../src/host/protocol/claim.ts";
import { createEvents } from "../../../../src/server/events/events.ts";
import { createHostReadiness } from "../../../../src/server/hosts/host-readiness.ts";
import { createLog } from "../../../../src/server/log.ts";
import { ACK_WINDOW } from "../../../../src/server/sessions/viewers/output-window.ts";
import {
  createLiveness,
  createRunningClock,
  type Patience,
} from "../../../../src/server/sessions/viewers/patience.ts";
import type { TerminalSocket } from "../../../../src/server/sessions/viewers/socket.ts";
import { createTerminalSockets } from "../../../../src/server/sessions/viewers/sockets.ts";
import { startHost, type TestHost, until } from "../../../host/support/host.ts";
import { RawViewer } from "../../../support/raw-viewer.ts";
import { TestViewer } from "../../../support/viewer.ts";

type Raw = ServerWebSocket<TerminalSocket>;

function serve(host: TestHost, patience: Patience) {
  const sockets = createTerminalSockets({
    events: createEvents({ log: createLog(() => {}) }),
    readiness: createHostReadiness(),
    logins: { onSignOut: () => () => {} },
    log: createLog(() => {}),
    patience,
  });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request, server) {
      const isControlled = request.headers.has("sec-websocket-protocol");
      const { sessionId, socketPath } = host;
      const claimPath = claimPathFor(socketPath);
      const address = { sessionId, socketPath, claimPath, what: "agent", trouble: undefined } as const;
      const find = () => ({ ...address, isComing: false });
      const data = sockets.create({ isControlled, attach: {}, find, isWelcome: () => true });
      server.upgrade(request, { data });
      return undefined;
    },
    websocket: {
      data: {} as TerminalSocket,
      idleTimeout: 0,
      open: (ws: Raw) => ws.data.open(ws as never),
      message: (ws: Raw, message) => ws.data.message(ws as never, message),
      drain: (ws: Raw) => ws.data.drain(),
      pong: (ws: Raw) => ws.data.pong(),
      close: (ws: Raw) => ws.data.close(),
    },
  });
  return {
    sockets,
    url: `ws://127.0.0.1:${server.port}/`,
    port: server.port ?? 0,
    async [Symbol.asyncDispose]() {
      sockets.close();
      await server.stop(true);
    },
  };
}

async function viewersOf(host: TestHost): Promise<number> {
  const client = await connectHost(host.socketPath);
  try {
    return (await client.status()).viewers;
  } finally {
    client.close();
  }
}

const SLOW_TO_ANGER = 600_000;

test("a viewer that answers no ping is gone, and holds neither its place nor the size", async () => {
  await using host = await startHost(["cat"]);
  await using server = serve(host, { pingMs: 20, deadMs: 2_000, slowMs: SLOW_TO_ANGER });
  using dead = await RawViewer.connect(server.port, "/");
  using alive = TestViewer.connect(server.url);
  await alive.live();
  await dead.when(({ isClosed }) => isClosed, "the dead one's end");
  while ((await viewersOf(host)) > 1) await Bun.sleep(10);
  // Bun's client answers pings by itself: the other one is still there long after.
  expect(server.sockets.count()).toBe(1);
  alive.type("still here\r");
  await alive.sees("still here");
});

test("a viewer that reads nothing while something waits for it is closed with 4408", async () => {
  await using host = await startHost(["sh", "-c", "read go; yes the quick brown fox"]);
  await using server = serve(host, { pingMs: 20, deadMs: SLOW_TO_ANGER, slowMs: 900 });
  using slow = await RawViewer.connect(server.port, "/");
  slow.send(Buffer.from("\r"));
  await slow.when(({ received }) => received > 100_000, "some output");
  slow.stall();
  await until(() => server.sockets.count() === 0, "it to be let go");
  expect(await viewersOf(host)).toBe(0);
  slow.resume();
  await slow.when(({ closeCode }) => closeCode !== undefined, "the close");
  expect(slow.closeCode).toBe(CLOSE.tooSlow);
}, 60_000);

test("a viewer that has stopped acknowledging is closed with 4408", async () => {
  await using host = await startHost(["sh", "-c", "read go; yes the quick brown fox"]);
  await using server = serve(host, { pingMs: 20, deadMs: SLOW_TO_ANGER, slowMs: 500 });
  using viewer = TestViewer.connect(server.url);
  await viewer.live();
  viewer.say({ type: "ack", offset: 0 });
  viewer.type("\r");
  await viewer.expectClose(CLOSE.tooSlow);
  expect(viewer.order).toEqual(["hello", "live", "bytes", "close"]);
  expect(viewer.offset).toBe(ACK_WINDOW);
}, 60_000);

test("a viewer that is slow but moves is left alone", () => {
  const patience = { pingMs: 10, deadMs: 45, slowMs: 60 };
  const liveness = createLiveness(patience, 1, 0);
  for (let now = 0; now < 1_000; now += 50) {
    expect(liveness.judge([{ isHeld: true, passed: now }], now)).toBe("fine");
  }
  expect(liveness.judge([{ isHeld: true, passed: 950 }], 1_020)).toBe("slow");
});

test("a quiet viewer is asked for a sign of life before it is given up", () => {
  const liveness = createLiveness({ pingMs: 15, deadMs: 45, slowMs: 60 }, 1, 0);
  const idle = [{ isHeld: false, passed: 0 }];
  expect([5, 15, 20, 30].map((now) => liveness.judge(idle, now))).toEqual(["fine", "ping", "fine", "ping"]);
  liveness.heard(40);
  expect(liveness.judge(idle, 80)).toBe("ping");
  expect(liveness.judge(idle, 85)).toBe("dead");
});

test("a server that was not let run for a while does not hold that against its viewers", () => {
  let time = 0;
  const clock = createRunningClock(10, () => time);
  const liveness = createLiveness({ pingMs: 5, deadMs: 45, slowMs: 60 }, 1, clock.now());
  const judgeAfter = (ms: number, isHeld: boolean) => {
    time += ms;
    clock.tick();
    return liveness.judge([{ isHeld, passed: 0 }], clock.now());
  };
  expect(judgeAfter(5, false)).toBe("ping");
  expect(judgeAfter(60_000, false)).toBe("ping");
  expect(judgeAfter(60_000, true)).toBe("fine");
  const steps = Array.from({ length: 12 }, () => judgeAfter(5, true));
  expect(steps.lastIndexOf("fine")).toBeLessThan(steps.indexOf("slow"));
});

test("when the server stops its viewers are told so, and the session goes on", async () => {
  await using host = await startHost(["cat"]);
  const server = serve(host, { pingMs: 1_000, deadMs: SLOW_TO_ANGER, slowMs: SLOW_TO_ANGER });
  using viewer = TestViewer.connect(server.url);
  await viewer.live();
  await server[Symbol.asyncDispose]();
  await viewer.expectClose(CLOSE.comeBack);
  expect(await viewersOf(host)).toBe(0);
});
