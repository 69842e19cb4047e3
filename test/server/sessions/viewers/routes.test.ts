import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLOSE } from "../../../../src/contract.ts";
import { ask, doing } from "../../../support/agent-scene.ts";
import { expectFailure } from "../../../support/board.ts";
import { TerminalBoard } from "../../../support/terminal-board.ts";

let terminals: TerminalBoard;
beforeAll(async () => {
  terminals = await TerminalBoard.startHere();
});
afterAll(() => terminals[Symbol.asyncDispose]());

const at = (id: string, verb: string) => `/api/tasks/${id}/terminal/${verb}`;
const post = (id: string, verb: string, body: unknown) => terminals.server.post(at(id, verb), body);
const screenOf = (id: string) => terminals.server.get<Record<string, unknown>>(at(id, "screen"));

const SHOW_SIZE = "trap 'stty size' WINCH; stty size; while :; do read line && echo got $line; done";

test("the screen is what the terminal shows, as text", async () => {
  const { task } = await terminals.run([
    "sh",
    "-c",
    "printf '\\033]0;a title\\007one\\r\\n\\033[5;3Htwo 日本'; cat",
  ]);
  await terminals.watch(task.id).sees("日本");
  const { status, body } = await screenOf(task.id);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    cols: 80,
    rows: 24,
    cursor: { x: 10, y: 4 },
    title: "a title",
    offset: expect.any(Number),
  });
  expect(String(body.text).split("\n").slice(0, 5)).toEqual(["one", "", "", "", "  two 日本"]);
});

describe("resize", () => {
  test("changes the size at once when it is nobody's wish in particular", async () => {
    const { task } = await terminals.run(["sh", "-c", SHOW_SIZE]);
    const viewer = terminals.watch(task.id);
    await viewer.sees("24 80");
    expect((await post(task.id, "resize", { cols: 100, rows: 30 })).status).toBe(204);
    expect(await viewer.control("size")).toEqual({ type: "size", cols: 100, rows: 30, owner: null });
    await viewer.sees("30 100");
    expect((await screenOf(task.id)).body).toMatchObject({ cols: 100, rows: 30 });
  });

  test("in a viewer's name waits until that viewer types", async () => {
    const { task } = await terminals.run(["sh", "-c", SHOW_SIZE]);
    const desk = terminals.watch(task.id, { query: { cols: 120, rows: 40 } });
    await desk.sees("40 120");
    const phone = terminals.watch(task.id);
    const { viewer } = await phone.control("hello");
    expect((await post(task.id, "resize", { cols: 50, rows: 20, viewer })).status).toBe(204);
    phone.type("mine\r");
    await desk.sees("20 50");
    const sizes = desk.controls.filter(({ type }) => type === "size");
    expect(sizes.at(-1)).toEqual({ type: "size", cols: 50, rows: 20, owner: viewer });
  });

  test("takes 2–500 × 1–300 and nothing else", async () => {
    const { task } = await terminals.run(["cat"]);
    for (const size of [
      { cols: 2, rows: 1 },
      { cols: 500, rows: 300 },
    ]) {
      expect((await post(task.id, "resize", size)).status).toBe(204);
      expect((await screenOf(task.id)).body).toMatchObject(size);
    }
    const bad = [
      { cols: 1, rows: 24 },
      { cols: 501, rows: 24 },
      { cols: 80, rows: 0 },
      { cols: 80, rows: 301 },
      { cols: 80.5, rows: 24 },
      { cols: "80", rows: 24 },
      { cols: 80 },
      {},
      { cols: 80, rows: 24, viewer: 0 },
      { cols: 80, rows: 24, more: true },
    ];
    for (const size of bad) expectFailure(await post(task.id, "resize", size), "invalid", /./);
    expectFailure(await post(task.id, "resize", { cols: 80, rows: 24, viewer: 999 }), "invalid", /999/);
    expect((await screenOf(task.id)).body).toMatchObject({ cols: 500, rows: 300 });
  });
});

describe("input", () => {
  /** Shows every byte it gets, in octal. */
  const dump = (modes = "") => ["sh", "-c", `stty raw -echo; printf '${modes}ready'; exec od -An -v -w1 -c`];
  const shown = (text: string) => text.replace(/\s+/g, " ");

  test("is typed, with Enter for every new line", async () => {
    const { task } = await terminals.run(["sh", "-c", "read a; read b; echo [$a] [$b]; cat"]);
    expect((await post(task.id, "input", { text: "one\ntwo", submit: true })).status).toBe(204);
    await terminals.watch(task.id).sees("[one] [two]");
  });

  test("without submit presses no Enter, and submit alone presses only that", async () => {
    const { task } = await terminals.run(["sh", "-c", "stty raw -echo; printf ready; exec cat"]);
    const viewer = terminals.watch(task.id);
    await viewer.sees("ready");
    await post(task.id, "input", { text: "half é日🎉" });
    await viewer.sees("half é日🎉");
    await post(task.id, "input", { text: "", submit: true });
    await viewer.when(() => viewer.bytes().at(-1) === 13, "Enter");
    expect(viewer.text()).toBe("readyhalf é日🎉\r");
  });

  test("is a bracketed paste where the program asked for it, which nothing inside can end", async () => {
    const { task } = await terminals.run(dump("\\033[?2004h"));
    const viewer = terminals.watch(task.id);
    await viewer.sees("ready");
    const text = "a\x1b[201~b\x1b[2\x1b[201~01~c\u009b201~d\ne";
    expect((await post(task.id, "input", { text, submit: true })).status).toBe(204);
    await post(task.id, "input", { text: "Z".repeat(200) });
    await viewer.sees("Z");
    const printed = shown(viewer.text());
    const [start, end] = ["033 [ 2 0 0 ~", "033 [ 2 0 1 ~ \\r"];
    expect(printed).toContain(
      `${start} a [ 2 0 1 ~ b [ 2 [ 2 0 1 ~ 0 1 ~ c 2 0 1 ~ d \\r e ${end} ${start} Z`,
    );
  });

  test("keeps no control character in a paste but tabs and line ends, as the page does; a script may press keys elsewhere", async () => {
    const text = "a\tb\x03c\x1b[Dd\x7fe\u0085f\u2028g";
    const { task } = await terminals.run(dump("\\033[?2004h"));
    const viewer = terminals.watch(task.id);
    await viewer.sees("ready");
    expect((await post(task.id, "input", { text })).status).toBe(204);
    await post(task.id, "input", { text: "Z".repeat(200) });
    await viewer.sees("Z");
    expect(shown(viewer.text())).toContain(
      "033 [ 2 0 0 ~ a \\t b c [ D d e f \\r g 033 [ 2 0 1 ~ 033 [ 2 0 0 ~ Z",
    );
    const other = await terminals.run([
      "sh",
      "-c",
      "trap 'echo interrupted' INT; echo ready; while :; do read x; done",
    ]);
    const watching = terminals.watch(other.task.id);
    await watching.sees("ready");
    expect((await post(other.task.id, "input", { text: "\x03" })).status).toBe(204);
    await watching.sees("interrupted");
  });

  test("of several scripts at once stays apart, each text with its own Enter", async () => {
    const { task } = await terminals.run([
      "sh",
      "-c",
      "printf '\\033[?2004h'; while read line; do echo \"<$line>\"; done",
    ]);
    const viewer = terminals.watch(task.id);
    await viewer.sees("\x1b[?2004h");
    const texts = Array.from({ length: 8 }, (_, i) => `script ${i}`);
    await Promise.all(texts.map((text) => post(task.id, "input", { text, submit: true })));
    for (const text of texts) await viewer.sees(`${text}\x1b[201~>`);
  });

  /** Asks until Enter answers it; a paste it does not take at all. */
  const DIALOG = `stty raw -echo; printf '\\033[?2004hAllow git push? > 1. Yes'
    while c=$(dd bs=1 count=1 2>/dev/null | od -An -c | tr -d ' '); do [ "$c" = '\\r' ] && echo answered; done`;
  const prompt = { text: "Go on", submit: true, prompt: true };

  test.each([doing("permission", { asks: ask() }), doing("permission"), doing("question")])(
    "a prompt is refused before anything is typed while the agent asks: %#",
    async (columns) => {
      const { task } = await terminals.run(["sh", "-c", "stty -echo; echo ready; exec cat"]);
      const viewer = terminals.watch(task.id);
      await viewer.sees("ready");
      await terminals.setTask(task.id, columns);
      expectFailure(await post(task.id, "input", prompt), "conflict", /is asking something/);
      expect((await post(task.id, "input", { text: "from a script", submit: true })).status).toBe(204);
      await viewer.sees("from a script");
      expect(viewer.text()).not.toContain("Go on");
    },
  );

  test("a prompt that nothing took is not followed by Enter, which might answer a dialog nobody knows of", async () => {
    const { task } = await terminals.run(["sh", "-c", DIALOG]);
    const viewer = terminals.watch(task.id);
    await viewer.sees("1. Yes");
    expectFailure(await post(task.id, "input", prompt), "conflict", /accept it/);
    expect(viewer.text()).not.toContain("answered");
    expect((await post(task.id, "input", { text: "from a script", submit: true })).status).toBe(204);
    await viewer.sees("answered");
  });

  test("a prompt is typed and sent where nothing is asked", async () => {
    const { task } = await terminals.run([
      "sh",
      "-c",
      "printf '\\033[?2004h'; read line; echo \"<$line>\"; cat",
    ]);
    const viewer = terminals.watch(task.id);
    await viewer.sees("\x1b[?2004h");
    await terminals.setTask(task.id, doing("finished"));
    expect((await post(task.id, "input", prompt)).status).toBe(204);
    await viewer.sees("Go on\x1b[201~>");
  });

  test("refuses what a terminal can't take", async () => {
    const { task } = await terminals.run(["cat"]);
    expectFailure(await post(task.id, "input", { text: "a\0b" }), "invalid", /NUL/);
    expectFailure(await post(task.id, "input", { text: "\ud800" }), "invalid", /surrogate/);
    expectFailure(await post(task.id, "input", { text: "x".repeat(500_001) }), "invalid", /500000/);
    expectFailure(await post(task.id, "input", { text: "é".repeat(600_000) }), "too_large", /larger/);
    for (const body of [
      {},
      { text: 1 },
      { text: "x", submit: "yes" },
      { text: "x", prompt: 1 },
      { text: "x", more: 1 },
    ]) {
      expectFailure(await post(task.id, "input", body), "invalid", /./);
    }
  });

  test("the longest text arrives whole", async () => {
    const { task } = await terminals.run([
      "sh",
      "-c",
      "stty raw -echo; printf ready; head -c 500000 | md5sum; cat",
    ]);
    const viewer = terminals.watch(task.id);
    await viewer.sees("ready");
    const text = "0123456789".repeat(50_000);
    expect((await post(task.id, "input", { text })).status).toBe(204);
    await viewer.sees(new Bun.CryptoHasher("md5").update(text).digest("hex"));
  });
});

describe("without a session", () => {
  const calls = [
    ["GET", "screen", undefined],
    ["POST", "resize", { cols: 80, rows: 24 }],
    ["POST", "input", { text: "x" }],
  ] as const;

  test.each(calls)(
    "%s %s is a conflict, and for a task that is not there a 404",
    async (method, verb, body) => {
      const task = await terminals.board.addTask();
      const options = body === undefined ? {} : { body };
      expectFailure(await terminals.server.request(method, at(task.id, verb), options), "conflict", /Start/);
      expectFailure(await terminals.server.request(method, at("nope", verb), options), "not_found", /nope/);
    },
  );

  test.each(calls)(
    "%s %s says so while it is being started, and when its host is gone",
    async (method, verb, body) => {
      const task = await terminals.board.addTask({ status: "active" });
      const options = body === undefined ? {} : { body };
      await terminals.setTask(task.id, { sessionStatus: "provisioning", sessionId: "00000000000000ac" });
      expectFailure(
        await terminals.server.request(method, at(task.id, verb), options),
        "conflict",
        /being started/,
      );
      await terminals.setTask(task.id, { sessionStatus: "failed", sessionId: "00000000000000ac" });
      expectFailure(await terminals.server.request(method, at(task.id, verb), options), "conflict", /gone/);
    },
  );

  test("after the end the screen is still there, but nothing can be typed", async () => {
    const { task } = await terminals.run(["sh", "-c", "printf 'last words'"]);
    await terminals.watch(task.id).expectClose(CLOSE.ended);
    expect(String((await screenOf(task.id)).body.text)).toContain("last words");
    expectFailure(await post(task.id, "input", { text: "x" }), "conflict", /ended/);
    expectFailure(await post(task.id, "resize", { cols: 80, rows: 24 }), "conflict", /ended/);
  });
});
