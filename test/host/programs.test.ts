// What a program says of itself (OSC 7501) is told to whoever listens now, and to whoever comes later.
import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "../../src/host/protocol/messages.ts";
import { tempDir } from "../support/temp.ts";
import { brokenEngine } from "./support/engine.ts";
import { startHost, until } from "./support/host.ts";

// Programs start slowly on a busy machine.
setDefaultTimeout(60_000);

const MESSAGE = Buffer.from("approve Bash: touch made").toString("base64");
const SAYS = String.raw`say() { printf '\033]7501;%s\007' "$1"; }; `;
const print = (script: string) => ["sh", "-c", `${SAYS}${script}; exec sleep 1000`];
const brief = (programs: Program[] = []) => programs.map(({ id, state }) => `${id}:${state}`);

test("every report is told with all that stands, and who comes later finds it", async () => {
  await using host = await startHost(
    print(
      `read go; say state=working:app=x; say state=working:id=shell/1; say state=blocked:app=x:kind=permission:msg=${MESSAGE}; read go; say state=clear:id=shell; say state=done:app=x`,
    ),
  );
  const told: Program[][] = [];
  const client = await host.connect({
    event: (event) => void (event.type === "programs" && told.push(event.programs)),
  });
  client.subscribe();
  expect(client.hello.programs).toEqual([]);
  const began = Date.now();
  client.send("\r");
  await until(() => brief(told.at(-1)).includes(":blocked"), "what it is blocked by");
  const [part, root] = told.at(-1) ?? [];
  expect(part).toMatchObject({ id: "shell/1", state: "working", app: null });
  expect(root).toMatchObject({
    ...{ id: "", state: "blocked", kind: "permission", app: "x", message: "approve Bash: touch made" },
  });
  expect(root?.at).toBeGreaterThanOrEqual(began);
  expect(root?.at).toBeLessThanOrEqual(Date.now());
  const late = await host.connect();
  expect(late.hello.programs).toEqual(told.at(-1) ?? []);
  client.send("\r");
  await until(() => brief(told.at(-1)).join() === ":done", "its end");
  expect(brief((await client.status()).programs)).toEqual([":done"]);
});

test("a report in the middle of a flood is not overlooked, and the last of a flood of reports stands", async () => {
  const flood = "yes 'a line of a long log' | head -c 12000000";
  const reports = String.raw`yes "$(printf '\033]7501;state=working:id=a\007\033]7501;state=idle:id=b\007')" | head -c 3000000`;
  await using host = await startHost(
    print(
      `read go; ${flood}; say state=blocked:id=middle; ${flood}; ${reports}; say state=done; printf over`,
    ),
  );
  let told = 0;
  const client = await host.connect({ event: ({ type }) => void (type === "programs" && told++) });
  client.subscribe();
  client.send("\r");
  const now = async () => brief((await client.status()).programs).toSorted();
  while (!(await now()).includes(":done")) await client.screen();
  expect(await now()).toEqual([":done", "a:working", "b:idle", "middle:blocked"]);
  expect(told).toBeLessThan(100);
});

test("a full reset forgets all of it, and a shell's prompt what was at work", async () => {
  await using host = await startHost(
    print(
      String.raw`say state=working:id=a; say state=done:id=b; printf '\033]133;A\007$ '; read go; printf '\033c'`,
    ),
  );
  const client = await host.connect();
  const now = async () => brief((await client.status()).programs);
  while ((await now()).join() !== "b:done") await client.screen();
  client.send("\r");
  while ((await now()).length > 0) await client.screen();
});

test("they stand when the mirror is replaced, and are not counted again", async () => {
  using dir = tempDir("engine");
  const engine = join(dir.path, "broken.wasm");
  writeFileSync(engine, brokenEngine("trap"));
  await using host = await startHost(print("say state=working:app=x; read go"), { engine });
  const client = await host.connect();
  const said = async () => (await client.status()).programs ?? [];
  while ((await said()).length === 0) await client.status();
  const before = await said();
  client.send("text, at which that engine traps\r");
  while ((await client.status()).mirrorRestarts < 2) await client.status();
  expect(await said()).toEqual(before);
});
