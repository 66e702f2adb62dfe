import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { BrowserOptions, TestBrowser } from "#test/test-browser";

/** A page in a window of its own, closed with the test; a fault on it fails the test. Without a cookie, nobody is signed in. */
export async function openPage(browser: TestBrowser, cookie: string | null, address: string, options: BrowserOptions = {}): Promise<Page> {
  const context = await browser.open(cookie, options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  onTestFinished(async () => {
    await context.close();
    if (faults.length > 0) throw new Error(`The page failed: ${faults.join("; ")}`);
  });
  await page.goto(address);
  return page;
}
