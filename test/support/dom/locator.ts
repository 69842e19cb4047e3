// Elements that are looked for anew each time, and waited for: as much of Playwright's locators as the tests use.
import { byLabel, byRole, byText, fits, isShown, normal, type RoleOptions, type Text } from "./find.ts";
import { isTextField, settle } from "./keyboard.ts";
import type { DomPage } from "./page.ts";

const PATIENCE_MS = 10_000;
const POLL_MS = 10;

type State = "visible" | "attached" | "detached" | "hidden";
interface LocatorOptions {
  hasText?: Text;
  has?: DomLocator;
}

/** Until it gives something; fails with the words otherwise. */
export async function until<T>(check: () => T | undefined | false | null, what: () => string): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const got = check();
    if (got !== undefined && got !== false && got !== null) return got;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what()}`);
    await Bun.sleep(POLL_MS);
  }
}

export class DomLocator {
  constructor(
    private readonly page: DomPage,
    private readonly find: () => Element[],
    private readonly words: string,
  ) {}

  private derive(words: string, find: (found: Element[]) => Element[]): DomLocator {
    return new DomLocator(this.page, () => find(this.find()), `${this.words} ▸ ${words}`);
  }

  private inside(words: string, find: (root: Element) => Element[]): DomLocator {
    return this.derive(words, (roots) => [...new Set(roots.flatMap(find))]);
  }

  locator(selector: string, options: LocatorOptions = {}): DomLocator {
    const scoped = selector.startsWith(">") ? `:scope ${selector}` : selector;
    const found = this.inside(selector, (root) => [...root.querySelectorAll(scoped)]);
    return options.hasText === undefined && options.has === undefined ? found : found.filter(options);
  }

  getByRole = (role: string, options: RoleOptions = {}): DomLocator =>
    this.inside(`${role} ${options.name ?? ""}`, (root) => byRole(root, role, options, this.page.view));
  getByLabel = (text: Text, { exact }: { exact?: boolean } = {}): DomLocator =>
    this.inside(`label ${text}`, (root) => byLabel(root, text, exact));
  getByText = (text: Text, { exact }: { exact?: boolean } = {}): DomLocator =>
    this.inside(`text ${text}`, (root) => byText(root, text, exact));
  getByPlaceholder = (text: string): DomLocator =>
    this.inside(`placeholder ${text}`, (root) => [...root.querySelectorAll(`[placeholder*="${text}"]`)]);

  getByTitle = (text: string): DomLocator =>
    this.inside(`title ${text}`, (root) =>
      [...root.querySelectorAll("[title]")].filter((each) => fits(normal(each.getAttribute("title")), text)),
    );

  filter({ hasText, has }: LocatorOptions): DomLocator {
    return this.derive(`with ${hasText ?? "…"}`, (found) =>
      found.filter(
        (element) =>
          (hasText === undefined || fits(normal(element.textContent), hasText)) &&
          (has === undefined || has.find().some((inner) => element.contains(inner))),
      ),
    );
  }

  and(other: DomLocator): DomLocator {
    return this.derive(`and ${other.words}`, (found) => {
      const others = other.find();
      return found.filter((element) => others.includes(element));
    });
  }

  first = () => this.nth(0);
  last = () => this.nth(-1);
  nth = (index: number) =>
    this.derive(`[${index}]`, (found) => {
      const element = found.at(index);
      return element === undefined ? [] : [element];
    });

  all = async (): Promise<DomLocator[]> => this.find().map((_, index) => this.nth(index));
  count = async (): Promise<number> => this.find().length;

  /** The only one there is; waited for. */
  private one(isReady: (element: Element) => boolean = () => true): Promise<Element> {
    return until(
      () => {
        const found = this.find();
        if (found.length > 1) throw new Error(`${this.words}: there are ${found.length}`);
        return found[0] !== undefined && isReady(found[0]) && found[0];
      },
      () => this.words,
    );
  }

  private usable = () =>
    this.one(
      (element) => this.isVisibleNow(element) && !(element as HTMLButtonElement).disabled,
    ) as Promise<HTMLElement>;
  private isVisibleNow = (element: Element) => isShown(element, this.page.view);

  async waitFor({ state = "visible" }: { state?: State } = {}): Promise<void> {
    const isGone = state === "detached" || state === "hidden";
    await until(
      () => {
        const found = this.find();
        if (state === "detached") return found.length === 0;
        if (state === "hidden") return !found.some(this.isVisibleNow);
        if (found.length > 1) throw new Error(`${this.words}: there are ${found.length}`);
        return found.some((element) => state === "attached" || this.isVisibleNow(element));
      },
      () =>
        `${this.words} to be ${state}${isGone ? `, but there is ${this.find()[0]?.outerHTML.slice(0, 300)}` : ""}`,
    );
  }

  async click(): Promise<void> {
    this.page.press(await this.usable());
    await settle();
  }
  tap = () => this.click();

  async hover(): Promise<void> {
    const element = await this.usable();
    for (const type of ["pointerover", "pointerenter", "pointermove", "mouseover", "mousemove"])
      this.page.send(element, type);
  }

  async focus(): Promise<void> {
    ((await this.one()) as HTMLElement).focus();
    await settle();
  }

  async fill(text: string): Promise<void> {
    const element = await this.usable();
    element.focus();
    this.page.keyboard.setValue(element as HTMLInputElement, text);
    await settle();
  }

  async press(chord: string): Promise<void> {
    await this.focus();
    await this.page.keyboard.press(chord);
  }

  async pressSequentially(text: string): Promise<void> {
    await this.focus();
    await this.page.keyboard.type(text);
  }

  async selectOption(wanted: string | { label: string }): Promise<void> {
    const select = (await this.usable()) as HTMLSelectElement;
    const option = await until(
      () =>
        [...select.options].find(({ value, text }) =>
          typeof wanted === "string" ? value === wanted || text === wanted : text === wanted.label,
        ),
      () => `an option ${JSON.stringify(wanted)}`,
    );
    option.selected = true;
    this.page.send(select, "input");
    this.page.send(select, "change");
    await settle();
  }

  check = async () => this.toggle(true);
  uncheck = async () => this.toggle(false);
  private async toggle(to: boolean): Promise<void> {
    const box = (await this.usable()) as HTMLInputElement;
    if (box.checked !== to) this.page.press(box);
    await settle();
  }

  inputValue = async (): Promise<string> => {
    const element = await this.one();
    if (!isTextField(element) && element.tagName !== "SELECT") throw new Error(`${this.words} is no field`);
    return (element as HTMLInputElement).value;
  };
  textContent = async (): Promise<string> => (await this.one()).textContent ?? "";
  innerText = async (): Promise<string> => normal((await this.one()).textContent);
  allTextContents = async (): Promise<string[]> => this.find().map(({ textContent }) => textContent ?? "");
  getAttribute = async (name: string): Promise<string | null> => (await this.one()).getAttribute(name);
  isVisible = async (): Promise<boolean> => this.find().some(this.isVisibleNow);
  isDisabled = async (): Promise<boolean> => ((await this.one()) as HTMLButtonElement).disabled === true;
  isEnabled = async (): Promise<boolean> => !(await this.isDisabled());
  isChecked = async (): Promise<boolean> => ((await this.one()) as HTMLInputElement).checked;

  evaluate = async <T>(check: (element: never, argument?: unknown) => T, argument?: unknown): Promise<T> =>
    this.page.evaluateWith(check as (...all: unknown[]) => T, await this.one(), argument);
  evaluateAll = async <T>(
    check: (elements: never, argument?: unknown) => T,
    argument?: unknown,
  ): Promise<T> => this.page.evaluateWith(check as (...all: unknown[]) => T, this.find(), argument);
}
