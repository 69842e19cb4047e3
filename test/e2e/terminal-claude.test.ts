import { test } from "bun:test";
import { join } from "node:path";
import { claudeHome, claudeProgram, scriptedApi } from "../host/support/claude.ts";
import { baseEnvironment } from "../host/support/host.ts";
import { tempDir } from "../support/temp.ts";
import { withTerminals } from "../support/terminal/with-terminals.ts";

const terminals = withTerminals();

test("Claude Code: asked, answered in several lines, resized, reloaded, left", async () => {
  await using api = scriptedApi("The answer is forty-two, see https://example.com/answer for more.");
  using dir = tempDir("claude");
  const env = { ...baseEnvironment(), ...claudeHome(join(dir.path, "home"), dir.path, api.port ?? 0) };
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
  await stage.press("Control+c");
  await stage.sees(/again to exit/);
  await stage.press("Control+c");
  await stage.expectState("ended");
});
