import { test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeHome, claudeProgram, scriptedApi } from "../host/support/claude.ts";
import { tempDir } from "../support/temp.ts";
import { withTerminals } from "../support/terminal/with-terminals.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const terminals = withTerminals();

test("Claude Code: asked in several lines, pasted into, resized, reloaded while it answers, given a picture, left", async () => {
  await using api = scriptedApi("The answer is forty-two, see https://example.com/answer for more.");
  using dir = tempDir("claude");
  const env = claudeHome(join(dir.path, "home"), dir.path, api.port ?? 0);
  await using stage = await terminals.run([claudeProgram()], { host: { cwd: dir.path, env } });
  await stage.sees("❯");
  await stage.type("What is");
  await stage.press("Shift+Enter");
  await stage.type("the answer?");
  await stage.sees("the answer?");
  await stage.expectSame();
  await stage.press("Enter");
  await stage.sees("forty-two");
  await stage.expectSame();
  await stage.resizeTo({ width: 800, height: 600 });
  await stage.expectSame();
  await stage.page.reload();
  await stage.expectState("live");
  await stage.expectSame();
  await stage.paste("and a pasted\nquestion of two lines");
  await stage.sees("question of two lines");
  await stage.expectSame();
  await stage.press("Enter");
  await stage.page.reload();
  await stage.expectState("live");
  await stage.sees(/forty-two.*question of two lines.*forty-two/s);
  await stage.expectSame();
  await stage.wheel(-3);
  await stage.expectSame();

  // A picture that is dropped is one to Claude, not only a path.
  const picture = join(stage.dir.path, "dot.png");
  writeFileSync(picture, PIXEL);
  const { x, y } = await stage.cell(5, 5);
  const data = { items: [], files: [picture], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await stage.cdp.send("Input.dispatchDragEvent", { type, x, y, data });
  await stage.sees("[Image #1]");
  await stage.expectSame();
  await stage.press("Control+u");
  await stage.page.locator("[data-screen]", { hasNotText: "[Image #1]" }).waitFor({ state: "attached" });
  await stage.press("Control+c");
  await stage.hostSees("again to exit");
  // It forgets the first one soon, on a busy machine before the second is there.
  const ended = stage.page.locator('[data-connection="ended"]');
  while ((await ended.count()) === 0) await stage.press("Control+c", "Control+c");
});
