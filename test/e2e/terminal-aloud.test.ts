import { expect, test } from "bun:test";
import type { Stage } from "../support/terminal/stage.ts";
import { withTerminals } from "../support/terminal/with-terminals.ts";

const terminals = withTerminals();

/** Everything the page has a screen reader say from now on. */
async function listen(stage: Stage): Promise<() => Promise<string[]>> {
  await stage.page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const region = document.querySelector("section [aria-live=polite]");
    if (region === null) throw new Error("nothing is said aloud");
    new MutationObserver(() => said.push(region.textContent ?? "")).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  return () => stage.page.evaluate(() => (window as unknown as { said: string[] }).said);
}

const hears = (stage: Stage, text: string) =>
  stage.page.waitForFunction(
    (wanted) => (window as unknown as { said: string[] }).said.some((words) => words.includes(wanted)),
    text,
  );

test("what comes of a command is said, a few lines at most, and a flood only by its end", async () => {
  await using stage = await terminals.run(["bash", "--norc"]);
  const said = await listen(stage);
  await stage.type("echo hello-$((6*7))");
  await stage.press("Enter");
  await hears(stage, "hello-42");
  await stage.type("for i in $(seq 1 3000); do echo flood line $i of many; done; echo the-$((1+1))nd-end");
  await stage.press("Enter");
  await hears(stage, "the-2nd-end");
  for (const words of await said()) expect(words.split("\n").length).toBeLessThanOrEqual(5);
});

test("nothing is said of a terminal that is not typed into", async () => {
  await using stage = await terminals.run(["sh", "-c", "read x; echo answer; read y"]);
  const said = await listen(stage);
  await stage.page.locator("#outside").focus();
  stage.host.send("go\r");
  await stage.sees("answer");
  expect(await said()).toEqual([]);
});

test("the whole of it can be read, marked and copied by keyboard, and Escape returns", async () => {
  await using stage = await terminals.run(["bash", "--norc"]);
  await stage.type("seq 1 300; echo the-$((1+1))nd-end");
  await stage.press("Enter");
  await stage.sees(/the-2nd-end\s+\S*[$#]/);
  await stage.press("Control+Shift+KeyL");
  const reader = stage.page.getByRole("dialog", { name: "Terminal as text" });
  const text = reader.getByRole("textbox", { name: "Terminal as text" });
  expect(await text.inputValue()).toContain("\n7\n8\n9\n");
  expect(await text.evaluate((node) => node === document.activeElement)).toBe(true);
  await stage.type("not written");
  expect(await text.inputValue()).not.toContain("not written");
  await stage.press("ArrowUp", "Home", "Shift+End", "Control+c");
  expect(await stage.clipboard()).toBe("the-2nd-end");
  await stage.press("Escape");
  await reader.waitFor({ state: "detached" });
  await stage.type("echo back-$((1+1))");
  await stage.press("Enter");
  await stage.sees("back-2");
});
