// Real programs in a real terminal: does the screen tell that they wait?
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { HostClient } from "../../../src/host/client/connect.ts";
import { findPrompt } from "../../../src/server/agents/screen-prompts/prompt.ts";
import { claudeHome, claudeProgram, scriptedApi } from "../../host/support/claude.ts";
import { startHost, type TestHost } from "../../host/support/host.ts";
import { program } from "../../support/programs.ts";
import { tempDir } from "../../support/temp.ts";

// Programs start slowly on a busy machine.
setDefaultTimeout(60_000);

const PATIENCE_MS = 30_000;

/** Looks whenever the program falls silent, as the server does; done when what is seen will do. */
async function whenQuiet<T>(
  host: TestHost,
  look: (client: HostClient) => Promise<T | undefined>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const giveUp = async () => {
    const [{ quiet }, { text }] = [await client.status(), await client.screen()];
    reject(
      new Error(`the program never came to that; ${quiet ? "it is silent at" : "it goes on at"}\n${text}`),
    );
  };
  const timer = setTimeout(() => void giveUp(), PATIENCE_MS);
  const check = async () => {
    const { quiet } = await client.status();
    const seen = quiet ? await look(client) : undefined;
    if (seen !== undefined) resolve(seen);
  };
  const client = await host.connect({
    event({ type }) {
      if (type === "quiet") check().catch(reject);
    },
  });
  client.subscribe();
  check().catch(reject);
  return promise.finally(() => clearTimeout(timer));
}

/** The first prompt found that reads like this. */
const prompt = (host: TestHost, like = /./) =>
  whenQuiet(host, async (client) => {
    const asks = findPrompt(await client.screen(), (await client.status()).quiet);
    return asks !== undefined && like.test(asks) ? asks : undefined;
  });

/** What is found once this text is on the screen and nothing more comes. */
const promptAfter = (host: TestHost, text: string) =>
  whenQuiet(host, async (client) => {
    const screen = await client.screen();
    return screen.text.includes(text) ? { asks: findPrompt(screen, true) } : undefined;
  });

test("a shell waits at its prompt, and not while a command runs", async () => {
  await using host = await startHost(["sh"], { env: { PS1: "here$ " } });
  expect(await prompt(host)).toBe("here$");
  const client = await host.connect();
  client.send("echo begun; sleep 5000\r");
  expect(await promptAfter(host, "\nbegun")).toEqual({ asks: undefined });
  client.send("\x03");
  expect(await prompt(host)).toBe("here$");
});

test.each([
  ["a question", "printf 'Continue? [y/N] '; read answer", "Continue? [y/N]"],
  ["a password", "stty -echo; printf 'Password: '; read answer", "Password:"],
  ["a press of a key", "printf 'Press any key to continue...'; read answer", "Press any key to continue..."],
])("%s waits", async (_, script, asks) => {
  await using host = await startHost(["sh", "-c", script]);
  expect(await prompt(host)).toBe(asks);
});

test.each([
  ["a step with no end yet", "printf 'Downloading packages: '; sleep 5000", "Downloading"],
  ["a progress bar that hangs", "printf '[=====>    ] 45%% '; sleep 5000", "45%"],
  ["lines with a long pause", "echo 'Password:'; echo 'checking'; sleep 5000", "checking"],
  ["a program that reads without a word", "echo ready; cat", "ready"],
])("%s does not", async (_, script, text) => {
  await using host = await startHost(["sh", "-c", script]);
  expect(await promptAfter(host, text)).toEqual({ asks: undefined });
});

test("a pager waits", async () => {
  await using host = await startHost(["sh", "-c", `seq 5 | ${program("less")}`]);
  expect(await prompt(host)).toBe("(END)");
});

test("an editor waits", async () => {
  await using host = await startHost([program("vim"), "-u", "NONE", "new-file"]);
  expect(await prompt(host)).toContain("new-file");
});

test("git's own question about a patch waits", async () => {
  await using host = await startHost([
    "sh",
    "-c",
    "export GIT_CONFIG_GLOBAL=/dev/null; git init -q r && cd r && echo a > f && git add f && git -c user.name=T -c user.email=t@example.org commit -qm one && echo b > f && git add -p",
  ]);
  expect(await prompt(host)).toMatch(/Stage this hunk \[y,n,.*\]\?$/);
});

async function withClaude(reply: Parameters<typeof scriptedApi>[0], body: (host: TestHost) => Promise<void>) {
  using dir = tempDir("prompt-claude");
  const api = scriptedApi(reply);
  const env = claudeHome(join(dir.path, "home"), dir.path, api.port ?? 0);
  try {
    const size = { cols: 100, rows: 30 };
    await using host = await startHost([claudeProgram(), "--", "Do it"], { cwd: dir.path, env, ...size });
    await body(host);
  } finally {
    api.stop(true);
  }
}

test("Claude Code waits when its turn is over", async () => {
  await withClaude("All done and FINISHED", async (host) => {
    const screen = await whenQuiet(host, async (client) => {
      const seen = await client.screen();
      return seen.text.includes("FINISHED") && findPrompt(seen, true) !== undefined ? seen : undefined;
    });
    expect(findPrompt(screen, true)).toBe("❯");
  });
});

test("Claude Code waits when it asks for a permission, and the question is told", async () => {
  using dir = tempDir("prompt-file");
  const input = { file_path: join(dir.path, "new.txt"), content: "hello\n" };
  await withClaude({ tool: "Write", input }, async (host) => {
    expect(await prompt(host, /create/)).toBe("Do you want to create new.txt?");
  });
});
