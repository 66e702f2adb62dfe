import type { Browser, BrowserContext } from "playwright-core";
import { findChromium } from "#test/chromium";

export interface BrowserOptions {
  readonly device?: "desktop" | "phone";
  readonly theme?: "light" | "dark";
}

export interface TestBrowser {
  /** A window of its own, signed in with this cookie (`signIn`); without one, nobody is. */
  open(cookie: string | null, options?: BrowserOptions): Promise<BrowserContext>;
  /** Closes the windows that were opened. */
  close(): Promise<void>;
}

/** One for all files of a worker, which runs them one after another in one process. It ends with the worker. */
let running: Promise<Browser> | null = null;

/** A Chromium for the pages of this node. Throws where there is none: wrap the tests with `withPart` and `findChromium`. */
export async function openBrowser(node: { readonly url: string }): Promise<TestBrowser> {
  const found = findChromium();
  if ("missing" in found) throw new Error(`Chromium: ${found.missing}`);
  const browser = await (running ??= found.part());
  const opened: BrowserContext[] = [];
  return {
    async open(cookie, { device = "desktop", theme = "light" } = {}) {
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
      opened.push(context);
      if (cookie) {
        const at = cookie.indexOf("=");
        await context.addCookies([
          { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: node.url, httpOnly: true, sameSite: "Lax" },
        ]);
      }
      return context;
    },
    close: async () => void (await Promise.all(opened.map((context) => context.close()))),
  };
}
