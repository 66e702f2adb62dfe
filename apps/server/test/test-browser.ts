import type { Browser, BrowserContext, Page } from "playwright-core";
import { findChromium } from "#test/chromium";

export interface BrowserOptions {
  readonly device?: "desktop" | "phone";
  readonly theme?: "light" | "dark";
}

export interface TestBrowser {
  /** A window of its own, signed in with this cookie (`signIn`); without one, nobody is. */
  open(cookie: string | null, options?: BrowserOptions): Promise<BrowserContext>;
  /**
   * A window that `giveBack` empties and lends again. Its Chromium process lives on, where the dashboard is compiled and warm:
   * a page takes half the processor time of one in a new process.
   */
  borrow(cookie: string | null, options?: BrowserOptions): Promise<BrowserContext>;
  giveBack(context: BrowserContext): Promise<void>;
  /** Closes the windows that were opened; those to borrow too, unless told. */
  close(options?: { readonly lendable: boolean }): Promise<void>;
}

/** One for all files of a worker, which runs them one after another in one process. It ends with the worker. */
let running: Promise<Browser> | null = null;

/** A Chromium for the pages of this node. Throws where there is none: wrap the tests with `withPart` and `findChromium`. */
export async function openBrowser(node: { readonly url: string }): Promise<TestBrowser> {
  const found = findChromium();
  if ("missing" in found) throw new Error(`Chromium: ${found.missing}`);
  const browser = await (running ??= found.part());
  const opened = new Set<BrowserContext>();
  const idle = new Map<string, BrowserContext[]>();
  const lent = new Map<BrowserContext, { readonly keeper: Page; readonly look: string }>();

  async function openWindow({ device = "desktop", theme = "light" }: BrowserOptions): Promise<BrowserContext> {
    const isPhone = device === "phone";
    const context = await browser.newContext({
      baseURL: node.url,
      viewport: isPhone ? { width: 390, height: 844 } : { width: 1280, height: 800 },
      colorScheme: theme,
      reducedMotion: "reduce",
      locale: "en-GB",
      timezoneId: "UTC",
      ...(isPhone && { isMobile: true, hasTouch: true, deviceScaleFactor: 2 }),
    });
    opened.add(context);
    context.once("close", () => opened.delete(context));
    return context;
  }

  async function signInto(context: BrowserContext, cookie: string | null): Promise<BrowserContext> {
    if (!cookie) return context;
    const at = cookie.indexOf("=");
    await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: node.url, httpOnly: true, sameSite: "Lax" }]);
    return context;
  }

  return {
    open: async (cookie, options = {}) => signInto(await openWindow(options), cookie),
    async borrow(cookie, options = {}) {
      const look = `${options.device} ${options.theme}`;
      let context = idle.get(look)?.pop();
      if (!context) {
        context = await openWindow(options);
        // A process ends with its last page, so one page stays, of the same website and with nothing on it.
        const keeper = await context.newPage();
        await keeper.goto("/healthz");
        lent.set(context, { keeper, look });
      }
      return signInto(context, cookie);
    },
    async giveBack(context) {
      const { keeper, look } = lent.get(context)!;
      if (!opened.has(context)) return;
      const pages = context.pages().filter((page) => page !== keeper);
      await Promise.all(pages.map((page) => page.close()));
      await context.setOffline(false);
      await context.clearCookies();
      // A clock that a test set stays set for every page of the window.
      const isAsNew = await keeper.evaluate<boolean>("localStorage.clear(), /native code/.test(setTimeout)");
      if (isAsNew) idle.set(look, [...(idle.get(look) ?? []), context]);
      else await context.close();
    },
    async close({ lendable } = { lendable: true }) {
      const done = [...opened].filter((context) => lendable || !lent.has(context));
      await Promise.all(done.map((context) => context.close()));
    },
  };
}
