import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoSeriousFindings } from "#test/axe";

/** A window of a reader: a phone in the dark, or a wide screen. Reading this machine's Stet from a page is allowed, as it is on the web. */
export const openReader = async (browser: Browser, kind: "phone" | "desk"): Promise<Page> =>
  (
    await browser.newContext({
      viewport: kind === "phone" ? { width: 375, height: 812 } : { width: 1440, height: 900 },
      colorScheme: kind === "phone" ? "dark" : "light",
      permissions: ["local-network-access"],
    })
  ).newPage();

interface Seen {
  readonly scriptBytes: number;
  readonly requests: number;
}

/** How often something moved that was shown already, and by how much the page is wider than the window. Text, since this is no code for Node. */
const LOOK = `new Promise((resolve) => {
  const tell = (moved) => resolve({ moved, tooWide: document.documentElement.scrollWidth - innerWidth });
  new PerformanceObserver((list) => tell(list.getEntries().length)).observe({ type: "layout-shift", buffered: true });
  // Without a shift the observer is never called: two frames later it would have been.
  requestAnimationFrame(() => requestAnimationFrame(() => tell(0)));
})`;

/** A page is accessible, nothing in it moves while it loads, nothing is wider than the window, and nothing goes wrong. */
export async function expectGoodPage(page: Page, address: string): Promise<Seen> {
  const wrong: string[] = [];
  const scripts: Promise<number>[] = [];
  let requests = 0;
  page.removeAllListeners("console").on("console", (message) => void (message.type() === "error" && wrong.push(message.text())));
  page.removeAllListeners("pageerror").on("pageerror", (error) => void wrong.push(String(error)));
  page.removeAllListeners("requestfinished").on("requestfinished", (request) => {
    requests += 1;
    if (request.resourceType() === "script") scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(address, { waitUntil: "networkidle" });
  const shown = await page.evaluate(LOOK);
  expect([address, shown, wrong]).toEqual([address, { moved: 0, tooWide: 0 }, []]);
  await expectNoSeriousFindings(page);
  return { requests, scriptBytes: (await Promise.all(scripts)).reduce((sum, bytes) => sum + Math.max(0, bytes), 0) };
}
