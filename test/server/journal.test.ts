import { expect, test } from "bun:test";
import { closeSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { goesIntoJournal } from "../../src/server/journal.ts";
import { environment, SHIPPED_SERVER } from "../support/program.ts";
import { tempDir } from "../support/temp.ts";

test("no login link is printed where it would stay in a journal, but the way to get one", async () => {
  using home = tempDir("home");
  const env = environment(home.path, { JOURNAL_STREAM: "8:12345" });
  const server = Bun.spawn(SHIPPED_SERVER, { env, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  let printed = "";
  for await (const chunk of server.stdout) {
    printed += Buffer.from(chunk).toString();
    if (/^log in: .*\n/m.test(printed)) break;
  }
  server.kill("SIGTERM");
  await server.exited;
  expect(printed).toMatch(/^banto ready http:\/\/127\.0\.0\.1:\d+\/\nlog in: run bin\/banto login/);
  expect(printed).not.toContain("code=");
});

test("a journal is known by its number; terminals and files only have the variable from whoever started them", () => {
  using dir = tempDir("journal");
  const opened = (path: string) => openSync(path, "w");
  const numberOf = (fd: number) => `${fstatSync(fd).dev}:${fstatSync(fd).ino}`;
  const [file, terminal] = [opened(join(dir.path, "log")), opened("/dev/ptmx")];
  try {
    expect(goesIntoJournal(file, undefined)).toBe(false);
    expect(goesIntoJournal(file, "8:12345")).toBe(false);
    expect(goesIntoJournal(file, numberOf(file))).toBe(true);
    expect(goesIntoJournal(terminal, "8:12345")).toBe(false);
    expect(goesIntoJournal(terminal, "")).toBe(false);
  } finally {
    closeSync(file);
    closeSync(terminal);
  }
  expect(goesIntoJournal(file, "8:12345")).toBe(true); // closed
});
