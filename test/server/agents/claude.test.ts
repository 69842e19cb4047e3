// The real Claude Code, against a scripted Messages API: what it makes of banto's command lines.
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createClaude } from "../../../src/server/agents/claude/launch.ts";
import { claudeHome, claudeProgram, hasWritten, scriptedApi } from "../../host/support/claude.ts";
import { startHost, until } from "../../host/support/host.ts";
import { watch } from "../../host/support/watcher.ts";
import { DEPTH } from "../../support/depth.ts";
import { tempDir } from "../../support/temp.ts";

let heard: string[] = [];
const api = scriptedApi("Understood and FINISHED", (said) => {
  heard = said;
});
const dir = tempDir("claude");
afterAll(() => {
  api.stop(true);
  dir[Symbol.dispose]();
});

const claude = createClaude(claudeProgram());
const home = join(dir.path, "home");
const env = () => claudeHome(home, dir.path, api.port ?? 0);
const run = (prompt: string, agentSessionId: string, resume = false) =>
  startHost(claude.command({ prompt, agentSessionId, resume }).argv, { cwd: dir.path, env: env() });

const PROMPTS: [name: string, prompt: string][] = [
  ["looks like an option and has more lines", "-p\n\n--resume"],
  ["holds quotes, dollars, backslashes and other scripts", 'it\'s "$HOME" `id` \\n\n\n日本 🎉\té'],
  ["looks like an option", "--help"],
  ["is the name of one of its commands", "mcp"],
  ["has 100 KB", `Long: ${"x".repeat(100_000)}`],
];

test.each(PROMPTS.slice(0, DEPTH.claudePrompts))(
  "a prompt that %s arrives as it is",
  async (_, prompt) => {
    heard = [];
    await using _host = await run(prompt, crypto.randomUUID());
    await until(() => heard.length > 0, "Claude to ask its model", 30_000);
    expect(heard.map((text) => text.replace(/\n$/, ""))).toContain(prompt);
  },
  60_000,
);

test("a conversation is resumed by the id it was given", async () => {
  const id = crypto.randomUUID();
  {
    await using host = await run("The first thing I said", id);
    const viewer = await watch(host);
    // It says so before it writes it down, and one that is ended in between leaves no conversation behind.
    await until(() => hasWritten(home, id, "The first thing I said", "FINISHED"), "the transcript", 30_000);
    // Before the turn has quite ended, ^C would only end the turn.
    while (!/✻ \S+ for/.test((await viewer.client.screen()).text)) await Bun.sleep(50);
    // The second counts for a moment only after the first.
    const hints = () => viewer.text().split("Ctrl-C").length;
    while (viewer.exits.length === 0) {
      const seen = hints();
      viewer.client.send("\x03");
      await viewer.when(({ exits }) => exits.length > 0 || hints() > seen, "a hint, or the end");
    }
  }
  await using host = await run("", id, true);
  const viewer = await watch(host);
  await viewer.sees("FINISHED");
  heard = [];
  viewer.client.send("and the second");
  await viewer.sees("second");
  viewer.client.send("\r");
  await until(() => heard.length > 0, "Claude to ask its model", 30_000);
  expect(heard).toEqual(expect.arrayContaining(["The first thing I said", "and the second"]));
}, 60_000);
