// A prompt on its way into an agent's prompt box, with everything that can come between.
import { expect, test } from "bun:test";
import { boxOf } from "../../../../src/server/agents/claude/screen.ts";
import { DomainError } from "../../../../src/server/errors.ts";
import {
  findOut,
  Held,
  LeftBehind,
  NotTaken,
  type PromptGuard,
  typePrompt,
} from "../../../../src/server/sessions/viewers/type-prompt.ts";

const RULE = "─".repeat(60);

/** A terminal whose program has a prompt box like Claude Code's, and does on Enter what it is told. */
function agent({ onPaste = () => {}, onEnter = () => {} }: { onPaste?(): void; onEnter?(): void } = {}) {
  const it = {
    box: "",
    isDialog: false,
    answered: 0,
    acceptedAt: 0,
    /** It tells which prompt it has accepted. */
    saysWords: false,
    said: [] as string[],
    /** As an agent takes it. */
    take() {
      it.said.push(it.box);
      it.box = "";
      it.acceptedAt = Date.now();
    },
    onPaste,
    onEnter,
  };
  let offset = 0;
  const rows = () => (it.isDialog ? `${RULE}\n  Pick one\n  ❯ 1. This` : `${RULE}\n❯ ${it.box}\n${RULE}`);
  const host = {
    hello: { exit: null },
    screen: async () => ({
      ...{ text: rows(), cols: 60, rows: 24, offset, cursor: { x: 2 + it.box.length, y: 1 } },
      ...{ alternate: false, bracketedPaste: true, title: "", cwd: "/" },
    }),
    status: async () => ({}) as never,
    send(keys: string | Uint8Array) {
      offset += 1;
      const text = String(keys);
      if (text === "\r") {
        if (it.isDialog) it.answered += 1;
        else it.onEnter();
      } else if (text.startsWith("\x1b[200~")) {
        it.box += text.slice(6, -6);
        it.onPaste();
      } else if (text.startsWith("\x15") && !it.isDialog) it.box = "";
    },
  };
  const guard: PromptGuard = {
    check() {},
    box: boxOf,
    acceptance: (since) => (it.acceptedAt >= since ? (it.saysWords ? "certain" : "likely") : "none"),
  };
  return Object.assign(it, { host, guard, send: (text: string) => typePrompt(host, text, guard) });
}

test.concurrent("a prompt that is taken is said to be accepted", async () => {
  const it = agent({ onEnter: () => it.take() });
  expect(await it.send("Go on")).toBe("accepted");
  expect(it).toMatchObject({ said: ["Go on"], box: "" });
});

test.concurrent("nothing is typed where somebody has typed something, or where the box is not in sight", async () => {
  const it = agent();
  it.box = "mine";
  await expect(it.send("Go on")).rejects.toThrow("Something is typed in its prompt box.");
  it.isDialog = true;
  await expect(it.send("Go on")).rejects.toThrow("Its prompt box isn't in sight.");
  expect(it).toMatchObject({ box: "mine", said: [], answered: 0 });
});

test.concurrent("a dialog that comes up between the text and Enter is not answered", async () => {
  const it = agent({
    onPaste: () => {
      it.isDialog = true;
    },
  });
  const failure = await it.send("Go on").catch((error) => error);
  expect(failure).toBeInstanceOf(LeftBehind);
  expect(it).toMatchObject({ answered: 0, said: [], box: "Go on" });
  // Until it is closed nothing can be found out; then what was left is erased.
  const since = Date.now() - 1_000;
  await expect(findOut(it.host, "Go on", it.guard, since)).rejects.toThrow("may still be in its prompt box");
  it.isDialog = false;
  expect(await findOut(it.host, "Go on", it.guard, since)).toBe("left");
  expect(it).toMatchObject({ said: [], box: "" });
});

test.concurrent("one that is held by the time it stands there is erased again", async () => {
  const it = agent();
  const check = () => {
    if (it.box !== "") throw new DomainError("conflict", "The agent is asking something.");
  };
  const refused = typePrompt(it.host, "Go on", { ...it.guard, check }).catch((error) => error);
  expect(await refused).toBeInstanceOf(Held);
  expect(it).toMatchObject({ said: [], box: "" });
});

test.concurrent("one that isn't taken is erased, so that it is not sent twice with the next", async () => {
  const it = agent();
  expect(await it.send("Go on").catch((error) => error)).toBeInstanceOf(NotTaken);
  expect(it.box).toBe("");
  it.onEnter = () => it.take();
  expect(await it.send("Go on")).toBe("accepted");
  expect(it.said).toEqual(["Go on"]);
});

test.concurrent("a command of the agent's own is typed once it has left the box, whatever it opens", async () => {
  const it = agent({
    onEnter: () => {
      it.box = "";
      it.isDialog = true;
    },
  });
  expect(await it.send("/model")).toBe("typed");
});

test.concurrent("of a prompt that has left the box without a word, or is behind a dialog, nobody knows", async () => {
  const it = agent({
    onEnter: () => {
      it.box = "";
    },
  });
  expect(await it.send("!make")).toBe("typed");
  expect(await it.send("Go on").catch(({ message }) => message)).toMatch(/^The agent hasn't said/);
  it.onEnter = () => {
    it.isDialog = true;
  };
  expect(await it.send("Go on").catch(({ message }) => message)).toMatch(/^The agent hasn't said/);
});

test.concurrent("a prompt that somebody at the terminal sends first is not sent again", async () => {
  const it = agent();
  it.onPaste = () => void setTimeout(() => it.take(), 50);
  expect(await it.send("Go on")).toBe("accepted");
  it.onPaste = () =>
    void setTimeout(() => {
      it.box = "";
    }, 50);
  expect(await it.send("Go on").catch(({ message }) => message)).toMatch(/^The agent hasn't said/);
  expect(it.said).toEqual(["Go on"]);
});

test.concurrent("that an agent begins with something does not say that it took what may stand below a dialog", async () => {
  const it = agent({
    onEnter: () => {
      it.isDialog = true;
      it.acceptedAt = Date.now();
    },
  });
  expect(await it.send("Go on").catch(({ message }) => message)).toMatch(/^The agent hasn't said/);
  it.isDialog = false;
  it.box = "";
  it.saysWords = true;
  expect(await it.send("Go on")).toBe("accepted");
});

test.concurrent("of one that was lost sight of it is found out whether it was taken", async () => {
  const it = agent();
  expect(await findOut(it.host, "Go on", it.guard, Date.now() - 1_000)).toBe("unsure");
  it.acceptedAt = Date.now();
  expect(await findOut(it.host, "Go on", it.guard, Date.now() - 1_000)).toBe("accepted");
});
