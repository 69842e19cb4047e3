// A program that asks the terminal something gets one answer, whoever is watching.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTerminal } from "../../../src/host/mirror/terminal.ts";
import { gate } from "../../support/gate.ts";
import { engineModule } from "../support/emulator.ts";
import { startHost, until } from "../support/host.ts";
import { THEME } from "../support/real-mirror.ts";
import { type Watcher, watch } from "../support/watcher.ts";

const QUERIES = {
  DA1: ["\x1b[c", "\x1b[?62;22c"],
  DA2: ["\x1b[>c", "\x1b[>1;10;0c"],
  DSR: ["\x1b[5n", "\x1b[0n"],
  CPR: ["\x1b[3;7H\x1b[6n", "\x1b[3;7R"],
  DECRQM: ["\x1b[?2004h\x1b[?2004$p\x1b[?7777$p", "\x1b[?2004;1$y\x1b[?7777;0$y"],
  kitty: ["\x1b[>5u\x1b[?u", "\x1b[?5u"],
  "OSC 10": ["\x1b]10;?\x07", "\x1b]10;rgb:cccc/cccc/cccc\x07"],
  "OSC 11": ["\x1b]11;?\x1b\\", "\x1b]11;rgb:0000/0000/0000\x1b\\"],
  "program status": ["\x1b]7501;?\x1b\\", "\x1b]7501;?\x1b\\"],
  // Last, so that its arrival says that all answers are in.
  XTVERSION: ["\x1b[>q", "\x1bP>|banto 0.1.0\x1b\\"],
} as const;
const asked = Object.values(QUERIES)
  .map(([query]) => query)
  .join("");
const answers = Object.values(QUERIES)
  .map(([, answer]) => answer)
  .join("");

/** Made up to be typed back as a command, as a file that somebody prints may well be. */
const TRAPS = [
  "\x1bP+q\nrm -rf x\n\x1b\\",
  "\x1b]4;1;\nrm -rf x\n\x07\x1b]4;1;?\x07",
  "\x1b]4;\nrm -rf x\n;red\x07\x1b]4;\nrm -rf x\n;?\x07",
  "\x1b]10;\nrm -rf x\n\x07\x1b]10;?\x07",
  "\x1b]11;rm -rf x\x07\x1b]11;?\x07",
  "\x1bP$q\nrm -rf x\n\x1b\\",
  "\x1b]7501;?rm -rf x\x07\x1b]7501;state=idle:app=?\x07",
];

/** Asks when told to, and writes down every byte it is sent. */
const ASK = "stty raw -echo; cat ask; dd of=heard bs=1 2>/dev/null";

for (const viewers of [0, 1, 3]) {
  test(`every query is answered once with ${viewers} viewers, and never by a replay`, async () => {
    await using host = await startHost(["sh", "-c", `while [ ! -f ask ]; do sleep 0.02; done; ${ASK}`]);
    const watching = await Promise.all(Array.from({ length: viewers }, () => watch(host)));
    writeFileSync(join(host.dir, "asking"), asked);
    await Bun.$`mv asking ask`.cwd(host.dir);
    const heard = () => {
      try {
        return readFileSync(join(host.dir, "heard"), "utf8");
      } catch {
        return ""; // not asked yet
      }
    };
    await until(() => heard().length >= answers.length, "the answers");
    // Everything is replayed to three more; then a byte is typed, which would come after any answer.
    const late = await Promise.all([watch(host), watch(host), watch(host)]);
    await Promise.all(
      [...watching, ...late].map((viewer) => viewer.when(({ order }) => order.includes("live"), "live")),
    );
    await late[0]?.client.screen();
    late[0]?.client.send("!");
    await until(() => heard().endsWith("!"), "what was typed last");
    expect(heard()).toBe(`${answers}!`);
  });
}

test("no answer types what the program itself made up", () => {
  let typed = "";
  const mirror = createTerminal({
    module: engineModule,
    cols: 80,
    rows: 24,
    version: "test",
    theme: THEME,
    tell() {},
    answer(text) {
      typed += text;
    },
  });
  mirror.feed(Buffer.from(TRAPS.join("")));
  expect(typed).toBe(
    "\x1bP0+r\x1b\\\x1b]10;rgb:cccc/cccc/cccc\x07\x1b]11;rgb:0000/0000/0000\x07\x1bP0$r\x1b\\",
  );
  typed = "";
  mirror.feed(Buffer.from("\x1bP+q544e;524742\x1b\\\x1b]4;7;#123456\x07\x1b]4;7;?\x07"));
  expect(typed).toBe("\x1bP0+r544e;524742\x1b\\\x1b]4;7;#123456\x07");
});

test("title, bell, notifications, progress and directory are told to whoever subscribed", async () => {
  const said = [
    "\\033]2;build it\\007",
    "\\033]9;done, have a look\\007",
    "\\033]777;notify;tests;all green\\033\\\\",
    "\\033]99;i=1;deployed\\033\\\\",
    "\\033]9;4;1;42\\007",
    "\\033]7;file://host/tmp/a%%20b\\007",
    "\\007",
  ].join("");
  await using host = await startHost(["sh", "-c", `read go; printf '${said}'; cat`]);
  const observer = await watch(host, null);
  observer.client.subscribe();
  observer.client.send("\r");
  const told = ({ events }: Watcher) => events.filter(({ type }) => type !== "output" && type !== "quiet");
  await observer.when((watcher) => told(watcher).length === 7, "seven events");
  expect(told(observer)).toEqual([
    { type: "title", title: "build it" },
    { type: "notification", title: "done, have a look", body: "" },
    { type: "notification", title: "tests", body: "all green" },
    { type: "notification", title: "deployed", body: "" },
    { type: "progress", state: "normal", percent: 42 },
    { type: "cwd", cwd: "/tmp/a b" },
    { type: "bell" },
  ]);
  const { title, cwd } = await observer.client.status();
  expect([title, cwd]).toEqual(["build it", "/tmp/a b"]);
});

test("of a flood of titles and bells a few are told, the last of them always", async () => {
  const flood = "yes \"$(printf '\\033]0;x\\007\\007')\" | head -c 3000000";
  await using host = await startHost(["sh", "-c", `read go; ${flood}; printf '\\033]2;the last\\007'; cat`]);
  const observer = await watch(host, null);
  observer.client.subscribe();
  observer.client.send("\r");
  const titles = ({ events }: Watcher) => events.filter(({ type }) => type === "title");
  await observer.when(
    (w) => titles(w).some((event) => "title" in event && event.title === "the last"),
    "the last title",
  );
  expect(titles(observer).at(-1)).toEqual({ type: "title", title: "the last" });
  expect(observer.events.length).toBeLessThan(100);
  expect(observer.events.some(({ type }) => type === "bell")).toBe(true);
}, 60_000);

test("the screen can be read as text", async () => {
  await using host = await startHost(["sh", "-c", "printf 'one\\r\\n\\033[5;3Htwo 日本'; cat"]);
  const viewer = await watch(host);
  await viewer.sees("two");
  const screen = await viewer.client.screen();
  expect(screen.text.split("\n").slice(0, 5)).toEqual(["one", "", "", "", "  two 日本"]);
  expect(screen.cursor).toEqual({ x: 10, y: 4 });
});

test("the screen says whether the program asked for bracketed paste", async () => {
  await using host = await startHost([
    "sh",
    "-c",
    "printf '\\033[?2004hon'; read go; printf '\\033[?2004loff'; cat",
  ]);
  const viewer = await watch(host);
  await viewer.sees("on");
  expect((await viewer.client.screen()).bracketedPaste).toBe(true);
  viewer.client.send("\r");
  await viewer.sees("off");
  expect((await viewer.client.screen()).bracketedPaste).toBe(false);
});

test("a program that asks on and on and reads nothing has a bounded number of answers waiting, none of them cut", async () => {
  using start = gate();
  const answer = QUERIES.DA2[1];
  const asked = QUERIES.DA2[0].repeat(400_000);
  const program = `stty raw -echo; cat ask; echo asked; ${start.wait}; exec dd of=heard bs=65536 2>/dev/null`;
  await using host = await startHost(["sh", "-c", `while [ ! -f ask ]; do sleep 0.02; done; ${program}`]);
  const viewer = await watch(host);
  writeFileSync(join(host.dir, "asking"), asked);
  await Bun.$`mv asking ask`.cwd(host.dir);
  await viewer.sees("asked");
  await viewer.client.screen(); // the mirror has read it all
  await start.open();
  viewer.client.send("!");
  const heard = () =>
    existsSync(join(host.dir, "heard")) ? readFileSync(join(host.dir, "heard"), "utf8") : "";
  await until(() => heard().endsWith("!"), "the answers", 30_000);
  const answers = heard().slice(0, -1);
  expect(answers.length).toBeGreaterThan(10_000);
  expect(answers.length).toBeLessThan(200_000);
  expect(answers.replaceAll(answer, "")).toBe("");
}, 60_000);
