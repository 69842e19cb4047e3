// Recordings made here from real programs, cut at random: who comes late sees the same screen.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEPTH } from "../../support/depth.ts";
import { program } from "../../support/programs.ts";
import { claudeHome, claudeProgram, scriptedApi } from "../support/claude.ts";
import { type Performance, record } from "../support/record.ts";
import type { Recording } from "../support/score.ts";
import { screenExact } from "../support/screen-exact.ts";
import { screenExactThroughHost } from "../support/screen-exact-host.ts";
import { screenExactWhileStreaming } from "../support/screen-exact-streaming.ts";

const CUTS = DEPTH.screenCuts;
const CUTS_THROUGH_HOST = DEPTH.screenCutsThroughHost;
const STREAM_SECONDS = 2;
const STREAM_VIEWERS = 8;
const dir = mkdtempSync(join(tmpdir(), "banto-screen-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const text = Array.from(
  { length: 300 },
  (_, i) => `line ${i} ${"日本 wide and narrow ".repeat((i % 7) + 1)}`,
).join("\n");
writeFileSync(join(dir, "text"), text);
// Otherwise keys typed this fast are taken for a paste.
writeFileSync(join(dir, "tmux.conf"), "set -g assume-paste-time 0\n");
const git = (...args: string[]) => ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args];
const repository = join(dir, "repository");
const size = { cwd: dir, cols: 100, rows: 30 };

async function makeRepository(): Promise<void> {
  const run = async (...args: string[]) => {
    await Bun.$`${program("git")} ${git(...args)}`.cwd(repository).quiet();
  };
  await Bun.$`mkdir -p ${repository}`;
  await run("init", "-q");
  for (let i = 0; i < 30; i++)
    await run("commit", "-q", "--allow-empty", "-m", `Commit ${i}: ${"words ".repeat(i)}`);
}

const PERFORMANCES: Record<string, () => Promise<Performance> | Performance> = {
  vim: () => ({
    ...size,
    name: "vim",
    argv: [program("vim"), "-u", "NONE", "-c", "set nocp number ruler hlsearch scrolloff=3", "text"],
    steps: [
      { after: "line 20", type: "/wide\r" },
      { after: "wide", type: "50Gohello there\x1b" },
      { after: "hello", type: ":split\r\x04\x04dd" },
      { after: "text", type: "\x17j\x06\x06gg=G" },
      { after: /\d/, type: ":set list | vsplit\r" },
      { after: "text", type: ":q!\r:qa!\r" },
    ],
  }),
  less: () => ({
    ...size,
    name: "less",
    argv: [program("less"), "text"],
    steps: [
      { after: "line 10", type: "  " },
      { after: "line 40", type: "/wide and\r" },
      { after: "wide", type: "bG" },
      { after: "line 299", type: "q" },
    ],
  }),
  htop: () => ({
    ...size,
    name: "htop",
    argv: [program("htop"), "-d", "1"],
    steps: [
      { after: "Quit", type: "\x1b[B\x1b[Bt" },
      { after: "List", type: "/sh" },
    ],
    until: "Search",
  }),
  "git log": async () => {
    await makeRepository();
    return {
      ...size,
      name: "git log",
      cwd: repository,
      argv: [program("git"), "log", "--graph", "--color=always"],
      env: { GIT_PAGER: "less -R" },
      steps: [
        { after: "Commit 29", type: "  " },
        { after: "commit", type: "/Commit 3\r" },
        { after: "Commit", type: "q" },
      ],
    };
  },
  tmux: () => ({
    ...size,
    name: "tmux",
    argv: [
      program("tmux"),
      "-L",
      `banto-test-${process.pid}`,
      "-f",
      "tmux.conf",
      "new-session",
      "env PS1='$ ' sh",
    ],
    steps: [
      { after: "$", type: "seq 1 60\r" },
      { after: "60", type: '\x02"' },
      { after: "$", type: "cat text | head -40\r" },
      { after: "line 39", type: "\x02%" },
      { after: "$", type: "echo right\r" },
      { after: "right", type: "\x02[\x1b[A\x1b[A\x1b[Aq" },
      { after: /\d/, type: "\x02&" },
      { after: "y/n", type: "y" },
    ],
  }),
  "a progress bar": () => ({
    ...size,
    name: "a progress bar",
    argv: [
      "sh",
      "-c",
      "for i in $(seq 1 60); do printf '\\r\\033[K\\033[32m%3d%%\\033[0m [%-*s]' $i $((i/2)) '#'; done; echo; seq 1 80",
    ],
    steps: [],
  }),
  "Claude Code": () => ({
    ...size,
    name: "Claude Code",
    argv: [claudeProgram(), "Say something about terminals"],
    env: claudeHome(join(dir, "home"), dir, api.port ?? 0),
    steps: [
      { after: "FINISHED", type: "and once more" },
      { after: "more", type: "\r" },
      { after: "FINISHED", type: "\x03" },
      { after: /./, type: "\x03" },
    ],
  }),
};

const api = scriptedApi(
  `**Terminals** are old. ${"They print words, and more words. ".repeat(20)}\n\n- one\n- two\n\nFINISHED`,
);
afterAll(() => api.stop(true));

const recordings = new Map<string, Recording>();

for (const [name, perform] of Object.entries(PERFORMANCES)) {
  test(`${name}: at ${CUTS} random cuts, with a resize, text, cells, cursor and modes are equal`, async () => {
    const recording = await record(await perform());
    recordings.set(name, recording);
    expect(recording.bytes.length).toBeGreaterThan(1_000);
    const score = screenExact(recording, CUTS, 11);
    expect(score.misses).toEqual([]);
    expect(score).toMatchObject({ text: CUTS, cells: CUTS, cursor: CUTS, modes: CUTS });
  }, 60_000);
}

test("through real hosts whose rings have wrapped, late viewers' screens equal an early one's", async () => {
  for (const recording of recordings.values()) {
    expect(await screenExactThroughHost(recording, CUTS_THROUGH_HOST, 5)).toEqual({
      total: CUTS_THROUGH_HOST,
      text: CUTS_THROUGH_HOST,
      cells: CUTS_THROUGH_HOST,
      cursor: CUTS_THROUGH_HOST,
      modes: CUTS_THROUGH_HOST,
      misses: [],
    });
  }
  expect(recordings.size).toBe(Object.keys(PERFORMANCES).length);
}, 120_000);

test.each([1, 5, 20])(
  "while all of them stream at %i MB/s, late viewers' screens equal an early one's",
  async (rate) => {
    const parts = [...recordings.values()].map(({ bytes }) => bytes);
    const one = Buffer.concat(parts);
    const bytes = Buffer.concat(Array(Math.ceil((rate * STREAM_SECONDS * 1e6) / one.length)).fill(one));
    const { cols = 0, rows = 0 } = recordings.get("vim") ?? {};
    const stream = { name: "all", cols, rows, bytes: bytes.subarray(0, rate * STREAM_SECONDS * 1e6) };
    const score = await screenExactWhileStreaming(stream, {
      rate: rate * 1e6,
      viewers: STREAM_VIEWERS,
      seed: rate,
    });
    expect(score.misses).toEqual([]);
    expect(score.text).toBeGreaterThan(STREAM_VIEWERS / 2);
  },
  60_000,
);
