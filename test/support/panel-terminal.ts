// The panel's tabs and the terminal in it, as one sees and uses them.
import type { Locator } from "playwright-core";
import type { Tab } from "./visitor.ts";

export class PanelTerminal {
  constructor(readonly tab: Tab) {}

  named = (name: string | RegExp): Locator => this.tab.panel().getByRole("tab", { name, exact: true });

  names = (): Promise<string[]> =>
    this.tab
      .panel()
      .getByRole("tab")
      .evaluateAll((tabs) => tabs.map((tab) => tab.textContent ?? ""));

  async expectNames(...names: string[]): Promise<void> {
    const expected = ["Terminal", ...names, "Task", "History"];
    try {
      await this.tab.waitFor(
        (wanted) =>
          [...document.querySelectorAll("[data-panel] [role=tab]")]
            .map(({ textContent }) => textContent)
            .join("\n") === wanted.join("\n"),
        expected,
      );
    } catch (cause) {
      throw new Error(`the tabs are ${await this.names()}, not ${expected}`, { cause });
    }
  }

  expectActive = (name: string) =>
    this.tab.panel().getByRole("tab", { name, exact: true, selected: true }).waitFor();

  sees = (text: string | RegExp) =>
    this.tab.panel().locator("[data-screen]", { hasText: text }).waitFor({ state: "attached" });

  expectLive = () => this.tab.panel().locator("[data-connection=live]").waitFor({ state: "attached" });

  /** What is typed goes to the terminal in the panel. */
  expectKeyboard = () =>
    this.tab.waitFor(() => document.activeElement?.matches("[data-panel] [data-terminal] textarea"), null);

  /** Types a line into the terminal, which has the keyboard by then. */
  async enter(line: string): Promise<void> {
    await this.expectLive();
    await this.expectKeyboard();
    await this.tab.type(line);
    await this.tab.press("Enter");
  }

  /** The process id of the shell in the terminal, which prints it. */
  async pid(): Promise<string> {
    const mark = `pid${++asked}`;
    await this.enter(`echo ${mark}=$$`);
    await this.sees(new RegExp(`${mark}=\\d+`));
    const text = await this.tab.panel().locator("[data-screen]").textContent();
    return new RegExp(`${mark}=(\\d+)`).exec(text ?? "")?.[1] ?? "";
  }
}

let asked = 0;
