// What Codex is doing, from what its app-server was recorded to say.
import { describe, expect, test } from "bun:test";
import { CodexScene, failed, THREAD } from "./support/codex-scene.ts";

const CHILD = "01a1f215-9999";

describe("a turn", () => {
  test("works, and is finished with a reply", () => {
    const scene = new CodexScene().connected().began();
    expect(scene.reading).toMatchObject({ kind: "working", accepted: scene.now, intake: "open" });
    scene.over({ status: "completed", items: [{ type: "agentMessage", text: "Done." }] });
    expect(scene.reading).toMatchObject({ kind: "finished", since: scene.now, intake: "open" });
    expect([scene.reader.reply(), scene.reader.conversation()]).toEqual(["Done.", THREAD]);
  });

  test("that is tried again goes on working, and says why", () => {
    const scene = new CodexScene().connected().began();
    const error = { message: "Reconnecting… 2/5", codexErrorInfo: { responseStreamDisconnected: {} } };
    scene.said("error", { threadId: THREAD, turnId: "turn-1", willRetry: true, error });
    expect(scene.reading).toMatchObject({ kind: "working", reason: "Retrying: Reconnecting… 2/5" });
    scene.said("item/started", { threadId: THREAD, item: { type: "agentMessage", id: "msg_1" } });
    expect(scene.reading).toMatchObject({ kind: "working", reason: null });
  });

  test("that was interrupted leaves it idle", () => {
    const scene = new CodexScene().connected().began().over({ status: "interrupted" });
    expect(scene.reading).toMatchObject({ kind: "idle", reason: "Interrupted." });
  });

  test.each([
    ["unauthorized", /^Codex is not logged in\. .*codex login/],
    ["contextWindowExceeded", /^The conversation is too long .*\/compact/],
    ["usageLimitExceeded", /^There is no credit left\./],
    ["modelNotFound", /\/model/],
    ["serverOverloaded", /overloaded/],
    [{ responseStreamDisconnected: { httpStatusCode: 502 } }, /can't be reached/],
    ["something new", /^Look at its terminal.* It says: It went wrong\.$/],
  ])("that fails with %j says what to do next", (info, words) => {
    const { reading } = new CodexScene().connected().began().over(failed(info));
    expect(reading.kind).toBe("trouble");
    expect(reading.reason).toMatch(words);
  });

  test("that meets a limit waits for the figures' time", () => {
    const scene = new CodexScene().connected().began();
    const primary = { usedPercent: 100, windowDurationMins: 300, resetsAt: 1_795_066_462 };
    const rateLimits = { primary, secondary: null };
    scene.said("account/rateLimits/updated", { rateLimits }).over(failed("usageLimitExceeded", "Too much."));
    const until = new Date(1_795_066_462_000).toISOString();
    expect(scene.reading).toMatchObject({ kind: "limited", reason: "Too much.", until });
  });

  test("that is over after a restart is known by its own times", () => {
    const scene = new CodexScene({ prompted: false }).connected();
    scene.channel({ type: "turn", turn: { status: "completed", completedAt: 1_795_000_000, items: [] } });
    expect(scene.reading).toMatchObject({ kind: "finished", since: 1_795_000_000_000 });
  });

  test("of a title or another conversation is not its own", () => {
    const scene = new CodexScene().connected().began().over();
    scene.began("title").asks("rm -rf x", "title");
    expect(scene.reading.kind).toBe("finished");
    scene.over(failed("badRequest"), "title");
    expect(scene.reading.kind).toBe("finished");
  });
});

describe("subagents", () => {
  const item = {
    type: "subAgentActivity",
    id: "call_9",
    kind: "started",
    agentThreadId: CHILD,
    agentPath: "/root/tests",
  };
  const status = (type: string) => ({ threadId: CHILD, status: { type, activeFlags: [] } });
  const withChild = () =>
    new CodexScene().connected().began().said("item/started", { threadId: THREAD, item });

  test("ask by their names, and their turns are not the conversation's", () => {
    const scene = withChild().began(CHILD).asks("npm test", CHILD);
    expect(scene.reading).toMatchObject({ kind: "permission", reason: "tests: npm test" });
    scene.said("serverRequest/resolved", { threadId: CHILD, requestId: 1 }).over(failed("other"), CHILD);
    expect(scene.reading.kind).toBe("working");
  });

  test("go on after the turn, in the background", () => {
    const scene = withChild().said("thread/status/changed", status("active")).over();
    expect(scene.reading).toMatchObject({ kind: "background", reason: "Still running: tests." });
    scene.said("thread/status/changed", status("idle"));
    expect(scene.reading.kind).toBe("finished");
  });

  test("are known again after a restart", () => {
    const source = { subAgent: { thread_spawn: { agent_path: "/root/tests" } } };
    const scene = new CodexScene().connected();
    scene.channel({ type: "subagent", thread: { id: CHILD, source, status: { type: "active" } } });
    expect(scene.asks("npm test", CHILD).reading.reason).toBe("tests: npm test");
  });
});

describe("while a turn runs and something waits that nobody has told banto of", () => {
  const MODAL =
    "› Do it\n\n• Running it\n\n  Pick one of these\n\n› 1. This\n  2. That\n\n  enter select · esc back";
  const later = (scene: CodexScene, ms = 1_000) => {
    scene.now += ms;
    return scene.reading;
  };

  test("the app-server's word for it counts after a moment, with what the screen shows", () => {
    const scene = new CodexScene().connected().began().status(["waitingOnApproval"]);
    expect(scene.reading).toMatchObject({ kind: "working", again: scene.now + 1_000 });
    expect(later(scene)).toMatchObject({ kind: "permission", asks: null });
    const reason = "A dialog is open in its terminal: “Pick one of these”. Answer it there.";
    expect(scene.shows(MODAL).reading).toMatchObject({ kind: "permission", reason });
    expect(scene.status([]).reading.kind).toBe("working");
    scene.status(["waitingOnUserInput"]);
    expect(later(scene).kind).toBe("question");
  });

  test("not for the moment after an answer", () => {
    const scene = new CodexScene().connected().began().status(["waitingOnApproval"]).asks("npm test");
    expect(later(scene, 60_000)).toMatchObject({ kind: "permission", asks: { summary: "npm test" } });
    scene.said("serverRequest/resolved", { threadId: THREAD, requestId: 1 });
    expect(scene.reading.kind).toBe("working");
    expect(later(scene).kind).toBe("permission");
  });

  test("its terminal program's word counts too, unless it is about what was answered since", () => {
    const scene = new CodexScene().connected().began().told("blocked", "permission");
    expect(scene.reading.kind).toBe("working");
    expect(later(scene)).toMatchObject({
      kind: "permission",
      reason: "It's asking for permission. Answer in its terminal.",
    });
    const stale = new CodexScene().connected().began().asks("npm test").told("blocked", "permission");
    stale.said("serverRequest/resolved", { threadId: THREAD, requestId: 1 });
    expect(later(stale).kind).toBe("working");
    // The dialog of a subagent stays on the screen, also for a server that was restarted since.
    const again = new CodexScene().told("blocked", "permission").shows(MODAL).connected().began().status();
    expect(later(again, 5_000).kind).toBe("working");
    again.over().shows(MODAL);
    again.now += 5_000;
    expect(again.shows(MODAL).reading.kind).toBe("finished");
  });

  test("a list that somebody has opened asks only once nothing runs, and not for a moment after that", () => {
    const scene = new CodexScene().connected().began().shows(MODAL);
    expect(later(scene, 5_000).kind).toBe("working");
    scene.over().shows(MODAL);
    expect(scene.reading).toMatchObject({ kind: "finished" });
    scene.now += 2_000;
    expect(scene.shows(MODAL).reading).toMatchObject({
      kind: "question",
      reason: expect.stringContaining("“Pick one of these”"),
    });
    expect(scene.shows("• Done.\n\n› Press enter to go on, or esc\n\n  ← for agents").reading.kind).toBe(
      "finished",
    );
  });
});

describe("commands in the background", () => {
  const ps = (...commands: string[]) => ({
    type: "commands",
    commands: commands.map((command, i) => ({ itemId: `call_${i}`, command: `/bin/sh -c '${command}'` })),
  });

  test("are known to a server that was restarted", () => {
    const scene = new CodexScene({ prompted: false }).connected();
    scene.channel({ type: "turn", turn: { status: "completed", completedAt: 1_795_000_000, items: [] } });
    scene.channel(ps("npm start"));
    expect(scene.reading).toMatchObject({ kind: "background", reason: "Still running: npm start." });
    scene.said("item/completed", { threadId: THREAD, item: { type: "commandExecution", id: "call_0" } });
    expect(scene.reading.kind).toBe("finished");
  });

  test("that ended while the connection was broken are gone", () => {
    const item = { type: "commandExecution", id: "call_0", command: "npm start" };
    const scene = new CodexScene()
      .connected()
      .began()
      .said("item/started", { threadId: THREAD, item })
      .over();
    expect(scene.reading.kind).toBe("background");
    scene.channel({ type: "lost" }).connected().channel(ps());
    expect(scene.reading.kind).toBe("finished");
  });
});

describe("beside the app-server", () => {
  test("a start is work until it submits its prompt, or doesn't", () => {
    const scene = new CodexScene().told("idle");
    expect(scene.reading).toMatchObject({ kind: "working", again: scene.now + 5_000 });
    scene.now += 5_000;
    expect(scene.reading.kind).toBe("idle");
    expect(new CodexScene({ prompted: false }).told("idle").reading.kind).toBe("idle");
  });

  test("idle after a turn is idle: somebody types, or has left the window", () => {
    expect(
      new CodexScene().channel({ type: "none" }).told("working").told("done").told("idle").reading.kind,
    ).toBe("idle");
  });

  test("what its terminal program says counts only when the app-server says no more", () => {
    const scene = new CodexScene().told("working").told("done");
    expect(scene.reading.kind).toBe("working");
    scene.now += 3_000;
    expect(scene.reading.kind).toBe("finished");
    expect(scene.connected().began().reading.kind).toBe("working");
  });

  test("without an app-server it is all there is, and the card says so", () => {
    const scene = new CodexScene().channel({ type: "none" }).told("working");
    expect(scene.reading).toMatchObject({ kind: "working", accepted: scene.now });
    expect(scene.reading.less).toContain("can't be followed closely");
    expect(scene.reading.intake).not.toBe("open");
    expect(scene.told("blocked", "permission").reading).toMatchObject({ kind: "permission", asks: null });
    expect(scene.told("done").reading).toMatchObject({ kind: "finished", intake: "open" });
  });

  test("an app-server that has gone for good is trouble, one that comes back is not", () => {
    const scene = new CodexScene().connected().began().over().channel({ type: "lost" });
    expect(scene.reading.kind).toBe("finished");
    scene.now += 3_000;
    expect(scene.reading).toMatchObject({ kind: "trouble" });
    expect(scene.reading.reason).toContain("Stop the session and resume it");
    expect(scene.connected().reading.kind).toBe("finished");
  });

  test.each([
    ["Folder access\n\n  Trust this folder?\n\n› 1. Yes\n  2. No", "question", /trust this repository/],
    [
      "Welcome to Codex\n\n› 1. Sign in with ChatGPT\n  2. Sign in with an API key",
      "trouble",
      /not logged in/,
    ],
    [
      "Approaching rate limits\n\n› 1. Switch to gpt-6-mini\n  2. Keep current model",
      "question",
      /limit is near/,
    ],
  ] as const)("the dialog %j is told, and nothing is typed into it", (text, kind, reason) => {
    const { reading } = new CodexScene().shows(text);
    expect(reading.kind).toBe(kind);
    expect(reading.reason).toMatch(reason);
    expect(reading.intake).not.toBe("open");
  });
});

test("figures that are left out, or nought after a failure, clear nothing", () => {
  const scene = new CodexScene();
  expect(scene.reader.gauges()).toBeNull();
  scene.connected();
  const usage = (totalTokens: number) => ({
    threadId: THREAD,
    tokenUsage: { total: {}, last: { totalTokens }, modelContextWindow: 200_000 },
  });
  scene.said("thread/tokenUsage/updated", usage(50_000));
  const primary = { usedPercent: 12, windowDurationMins: 300, resetsAt: 1_795_066_465 };
  const secondary = { usedPercent: 40, windowDurationMins: 10_080, resetsAt: null };
  scene.said("account/rateLimits/updated", { rateLimits: { primary, secondary } });
  const gauges = {
    ...{ model: "gpt-6-sol", contextPercent: 25, costUsd: null, version: "0.169.0" },
    fiveHour: { usedPercent: 12, resetsAt: new Date(1_795_066_465_000).toISOString() },
    sevenDay: { usedPercent: 40, resetsAt: null },
  };
  expect(scene.reader.gauges()).toEqual(gauges);
  scene.said("account/rateLimits/updated", { rateLimits: { primary: null, secondary: null } });
  scene.said("thread/tokenUsage/updated", usage(0));
  expect(scene.reader.gauges()).toEqual(gauges);
});
