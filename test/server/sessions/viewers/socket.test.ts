import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { CLOSE } from "../../../../src/contract.ts";
import { until } from "../../../host/support/host.ts";
import { TerminalBoard } from "../../../support/terminal-board.ts";
import type { TestViewer } from "../../../support/viewer.ts";

let terminals: TerminalBoard;
beforeAll(async () => {
  terminals = await TerminalBoard.startHere();
});
afterAll(() => terminals[Symbol.asyncDispose]());

const ECHO_BYTES = ["sh", "-c", "stty raw -echo; printf ready; exec cat"];

describe("as a plain pipe", () => {
  test("there is nothing but the program's output, replayed first, then live, and the end closes it", async () => {
    const { task } = await terminals.run(["sh", "-c", "printf one; read line; printf two; exit 3"]);
    const early = terminals.watch(task.id, { plain: true });
    await early.sees("one");
    const late = terminals.watch(task.id, { plain: true });
    await late.sees("one");
    late.type("\r");
    await early.expectClose(CLOSE.ended);
    await late.expectClose(CLOSE.ended);
    expect(early.text()).toBe("one\r\ntwo");
    expect(late.text()).toBe("one\r\ntwo");
    expect(early.order).toEqual(["bytes", "close"]);
    expect(early.socket.protocol).toBe("");
  });

  test.each(["1", " ", '{"a":1}', "null", "true", "007", "[1]", '"x"', "é 日本 🎉", "\0", "-0", "1e3"])(
    "the text frame %j reaches the program as exactly its UTF-8",
    async (text) => {
      const { task } = await terminals.run(ECHO_BYTES);
      const viewer = terminals.watch(task.id, { plain: true });
      await viewer.sees("ready");
      viewer.sendText(text);
      viewer.sendText("|end");
      await viewer.sees("|end");
      expect(viewer.text()).toBe(`ready${text}|end`);
    },
  );

  test("all 256 bytes reach the program and come back, in binary frames", async () => {
    const { task } = await terminals.run(ECHO_BYTES);
    const viewer = terminals.watch(task.id, { plain: true });
    await viewer.sees("ready");
    const all = Uint8Array.from({ length: 256 }, (_, i) => i);
    viewer.type(all);
    await viewer.when(() => viewer.bytes().length === 5 + 256, "256 bytes");
    expect(viewer.bytes().subarray(5).equals(all)).toBe(true);
  });

  test("what is typed before the terminal was reached is not lost", async () => {
    const { task } = await terminals.run(ECHO_BYTES);
    const viewer = terminals.watch(task.id, { plain: true });
    await viewer.opened();
    viewer.type("first");
    viewer.type(" second");
    await viewer.sees("first second");
  });

  test.each([
    ["as soon as it is open", 20],
    ["as soon as it is open", 3_000_000],
    ["once it has seen something", 20],
    ["once it has seen something", 400_000],
    ["once it has seen something", 3_000_000],
  ])("a client may type %s and leave at once: all of its %d bytes arrive", async (when, length) => {
    const got = join(terminals.worktree.path, crypto.randomUUID());
    const program = `: > ${got}; stty raw -echo; printf ready; exec cat > ${got}`;
    const { task } = await terminals.run(["sh", "-c", program]);
    await terminals.watch(task.id).sees("ready");
    const typist = terminals.watch(task.id, { plain: true });
    await typist.opened();
    if (when !== "as soon as it is open") await typist.sees("ready");
    typist.type(new Uint8Array(length).fill(120));
    typist.socket.close();
    await until(() => statSync(got).size === length, `${length} bytes, not ${statSync(got).size}`, 5_000);
  });

  test("what is typed while the session is being started arrives also if its client has left by then", async () => {
    const sessionId = "00000000000000ae";
    const task = await terminals.board.addTask({ status: "active" });
    await terminals.setTask(task.id, { sessionStatus: "provisioning", sessionId });
    const typist = terminals.watch(task.id, { plain: true });
    await typist.opened();
    typist.type("early\r");
    typist.socket.close();
    await typist.when(({ closed }) => closed !== undefined, "its end");
    await terminals.runIn(task, ["sh", "-c", "read line; echo got $line; cat"], { sessionId });
    await terminals.watch(task.id).sees("got early");
  });

  test("cols and rows in the address set the size", async () => {
    const program = "trap 'stty size' WINCH; printf ready; while :; do sleep 0.05; done";
    const { task } = await terminals.run(["sh", "-c", program]);
    await terminals.watch(task.id).sees("ready");
    await terminals.watch(task.id, { plain: true, query: { cols: 132, rows: 43 } }).sees("43 132");
  });

  test("from in the address leaves out what is known", async () => {
    const { task } = await terminals.run(["sh", "-c", "printf 0123456789; cat"]);
    const first = terminals.watch(task.id, { plain: true });
    await first.sees("0123456789");
    const viewer = terminals.watch(task.id, { plain: true, query: { from: 7 } });
    await viewer.sees("789");
    expect(viewer.text()).toBe("789");
  });
});

describe("with control messages", () => {
  test("hello, bytes, live, size and exit come in the order of the stream", async () => {
    const { task } = await terminals.run(["sh", "-c", "printf before; read line; printf after; exit 7"]);
    const viewer = terminals.watch(task.id);
    expect(await viewer.control("hello")).toEqual({
      type: "hello",
      viewer: expect.any(Number),
      offset: 0,
      cols: 80,
      rows: 24,
      replay: "full",
      snapshotBytes: 0,
    });
    await viewer.live();
    await viewer.sees("before");
    const { viewer: id } = await viewer.control("hello");
    await terminals.server.post(`/api/tasks/${task.id}/terminal/resize`, { cols: 90, rows: 30, viewer: id });
    expect(await viewer.control("size")).toEqual({ type: "size", cols: 90, rows: 30, owner: id });
    viewer.type("\r");
    expect(await viewer.control("exit")).toEqual({ type: "exit", code: 7, signal: null });
    await viewer.expectClose(CLOSE.ended);
    expect(viewer.text()).toBe("before\r\nafter");
    expect(viewer.offset).toBe("before\r\nafter".length);
    expect(viewer.order[0]).toBe("hello");
    expect(viewer.order.slice(-3)).toEqual(["bytes", "exit", "close"]);
    expect(viewer.socket.protocol).toBe("banto.terminal.v1");
  });

  test("a viewer says its size; once somebody else has typed, theirs counts", async () => {
    const { task } = await terminals.run(["sh", "-c", "printf ready; cat"]);
    const [desk, phone] = [terminals.watch(task.id), terminals.watch(task.id)];
    const [{ viewer: deskId }, { viewer: phoneId }] = await Promise.all([
      desk.control("hello"),
      phone.control("hello"),
    ]);
    await Promise.all([desk.live(), phone.live()]);
    const sized = (viewer: TestViewer, cols: number, owner: number) =>
      viewer.when(
        ({ controls }) => controls.some((c) => c.type === "size" && c.cols === cols && c.owner === owner),
        `${cols} columns of viewer ${owner}`,
      );
    desk.type("x");
    desk.say({ type: "resize", cols: 150, rows: 50 });
    await Promise.all([sized(desk, 150, deskId), sized(phone, 150, deskId)]);
    phone.say({ type: "resize", cols: 45, rows: 30 });
    phone.type("y");
    await Promise.all([sized(desk, 45, phoneId), sized(phone, 45, phoneId)]);
  });

  test("a size that no terminal can have closes the socket", async () => {
    const { task } = await terminals.run(["sh", "-c", "cat"]);
    const viewer = terminals.watch(task.id);
    await viewer.live();
    viewer.say({ type: "resize", cols: 501, rows: 24 });
    expect(await viewer.expectClose(CLOSE.malformed)).toContain("2–500 columns");
  });

  test("a viewer that names its offset gets exactly the rest", async () => {
    const { task } = await terminals.run(["sh", "-c", "printf 0123456789; cat"]);
    const first = terminals.watch(task.id);
    await first.sees("0123456789");
    const viewer = terminals.watch(task.id, { query: { from: 4 } });
    expect(await viewer.control("hello")).toMatchObject({ offset: 4, replay: "delta", snapshotBytes: 0 });
    expect(await viewer.live()).toEqual({ type: "live", offset: 10 });
    expect(viewer.text()).toBe("456789");
  });

  test("an offset that never was gets the whole", async () => {
    const { task } = await terminals.run(["sh", "-c", "printf 0123456789; cat"]);
    const viewer = terminals.watch(task.id, { query: { from: 4_000_000 } });
    expect(await viewer.control("hello")).toMatchObject({ offset: 0, replay: "full" });
  });

  test("after the ring has wrapped a snapshot comes first, and the offset can still be counted", async () => {
    const { task, socketPath } = await terminals.run(
      ["sh", "-c", "seq 200000; printf last; read go; printf more; cat"],
      { bufferSize: 65_536 },
    );
    const watcher = terminals.watch(task.id, { plain: true });
    await watcher.sees("last");
    const viewer = terminals.watch(task.id);
    const hello = await viewer.control("hello");
    expect(hello.replay).toBe("snapshot");
    expect(hello.snapshotBytes).toBeGreaterThan(0);
    const { offset } = await viewer.live();
    expect(viewer.offset).toBe(offset);
    viewer.type("\r");
    await viewer.sees("more");
    const { connectHost } = await import("../../../../src/host/client/connect.ts");
    const host = await connectHost(socketPath);
    const { offset: head } = await host.status();
    host.close();
    await viewer.when(() => viewer.offset === head, "the offset of the host");
  });

  test("a text frame is never typed; what is no control message closes the socket with 1008", async () => {
    for (const text of ["x", "1", "null", "[]", "{}", '{"type":"ack"}', '{"type":"ack","offset":-1}']) {
      const { task } = await terminals.run(ECHO_BYTES);
      const viewer = terminals.watch(task.id);
      await viewer.sees("ready");
      viewer.sendText(text);
      expect(await viewer.expectClose(CLOSE.malformed)).not.toBe("");
      expect(viewer.text()).toBe("ready");
    }
  });

  test("a control message of a type that is not known is left alone", async () => {
    const { task } = await terminals.run(ECHO_BYTES);
    const viewer = terminals.watch(task.id);
    await viewer.sees("ready");
    viewer.sendText('{"type":"news","from":"the future"}');
    viewer.type("still here");
    await viewer.sees("still here");
    expect(viewer.text()).toBe("readystill here");
  });

  test("a control message that is too long closes the socket with 1009", async () => {
    const { task } = await terminals.run(ECHO_BYTES);
    const viewer = terminals.watch(task.id);
    await viewer.live();
    viewer.sendText(JSON.stringify({ type: "ack", offset: 0, more: "x".repeat(5_000) }));
    await viewer.expectClose(CLOSE.tooLarge);
  });
});

describe("without a session", () => {
  test("the socket is closed with 4404, with a reason", async () => {
    const task = await terminals.board.addTask();
    for (const plain of [true, false]) {
      expect(await terminals.watch(task.id, { plain }).expectClose(CLOSE.noSession)).not.toBe("");
    }
    await terminals.watch("0000000000000000").expectClose(CLOSE.noSession);
    await terminals.watch(`${task.id}/shells/0000000000000000`).expectClose(CLOSE.noSession);
  });

  test("nor with one whose host is gone", async () => {
    const { task, hostPid } = await terminals.run(["cat"]);
    const viewer = terminals.watch(task.id);
    await viewer.live();
    process.kill(hostPid, "SIGKILL");
    await viewer.expectClose(CLOSE.comeBack);
    await terminals.watch(task.id).expectClose(CLOSE.noSession);
  });

  test("while one is being started viewers wait for it, and what they type waits with them", async () => {
    const task = await terminals.board.addTask({ status: "active" });
    await terminals.setTask(task.id, { sessionStatus: "pending", sessionId: "00000000000000aa" });
    const viewer = terminals.watch(task.id, { plain: true });
    await viewer.opened();
    viewer.type("early\r");
    await terminals.setTask(task.id, { sessionStatus: null, sessionId: null });
    await viewer.expectClose(CLOSE.noSession);

    await terminals.setTask(task.id, { sessionStatus: "provisioning", sessionId: "00000000000000ab" });
    const patient = terminals.watch(task.id, { plain: true });
    await patient.opened();
    patient.type("early\r");
    await terminals.runIn(task, ["sh", "-c", "read line; echo got $line; cat"], {
      sessionId: "00000000000000ab",
    });
    await patient.sees("got early");
  });

  test("and so does the size that was said meanwhile", async () => {
    const sessionId = "00000000000000ad";
    const task = await terminals.board.addTask({ status: "active" });
    await terminals.setTask(task.id, { sessionStatus: "provisioning", sessionId });
    const viewer = terminals.watch(task.id, { query: { cols: 80, rows: 24 } });
    await viewer.opened();
    viewer.say({ type: "resize", cols: 91, rows: 31 });
    viewer.type("go\r");
    await terminals.runIn(task, ["sh", "-c", "read line; stty size; cat"], { sessionId });
    await viewer.sees("31 91");
  });
});

test("viewers of a session that is replaced are told with 4409", async () => {
  const { task } = await terminals.run(["cat"]);
  const viewer = terminals.watch(task.id);
  const plain = terminals.watch(task.id, { plain: true });
  await Promise.all([viewer.live(), plain.opened()]);
  plain.type("x");
  await plain.sees("x");
  await terminals.runIn(task, ["sh", "-c", "printf new; cat"]);
  await viewer.expectClose(CLOSE.replaced);
  await plain.expectClose(CLOSE.replaced);
  await terminals.watch(task.id).sees("new");
});
