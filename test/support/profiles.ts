// Browser profiles that the tests of a file take one after the other, each of them as good as new. A page of their
// own keeps the renderer alive in between, so that the next page finds its scripts compiled.

import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright-core";

/** Any address of the host that the tests' servers are at. Nobody asks for it. */
const KEPT_PAGE = "http://127.0.0.1:9/";

export class Profile {
  private constructor(
    readonly context: BrowserContext,
    private readonly options: BrowserContextOptions,
    private readonly kept: Page,
    private readonly cdp: CDPSession,
  ) {}

  static async create(browser: Browser, options: BrowserContextOptions): Promise<Profile> {
    const context = await browser.newContext(options);
    const kept = await context.newPage();
    await kept.route(KEPT_PAGE, (route) => route.fulfill({ contentType: "text/html", body: "" }));
    await kept.goto(KEPT_PAGE);
    await kept.unrouteAll();
    return new Profile(context, options, kept, await context.newCDPSession(kept));
  }

  get pages(): Page[] {
    return this.context.pages().filter((page) => page !== this.kept);
  }

  /** Closes the pages and forgets what they left. What they compiled and cached stays. */
  async clear(): Promise<void> {
    const { context, pages } = this;
    const origins = new Set(pages.map((page) => new URL(page.url()).origin));
    await Promise.all(pages.map((page) => page.close()));
    for (const origin of origins)
      if (origin !== "null")
        await this.cdp.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    await context.clearCookies();
    await context.unrouteAll();
    await context.setOffline(false);
    await context.clearPermissions();
    await context.grantPermissions(this.options.permissions ?? []);
  }
}

export interface TakenProfile {
  profile: Profile;
  giveBack(): Promise<void>;
}

/** Of one browser. A profile is for one test at a time; a test that takes several has several. */
export class Profiles {
  private readonly free = new Map<string, Profile[]>();

  constructor(private readonly browser: Browser) {}

  async take(options: BrowserContextOptions): Promise<TakenProfile> {
    const key = JSON.stringify(options);
    const free = this.free.get(key) ?? [];
    this.free.set(key, free);
    const profile = free.pop() ?? (await Profile.create(this.browser, options));
    return {
      profile,
      async giveBack() {
        await profile.clear();
        free.push(profile);
      },
    };
  }
}
