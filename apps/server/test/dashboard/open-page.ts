import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { BrowserOptions, TestBrowser } from "#test/test-browser";

/** A page in a window that is emptied when the test ends; a fault on it fails the test. Without a cookie, nobody is signed in. */
export async function openPage(
  browser: TestBrowser,
  cookie: string | null,
  address: string,
  {
    isNew = false,
    ...options
  }: BrowserOptions & { /** For tests in which no file of the dashboard was loaded before. */ readonly isNew?: boolean } = {},
): Promise<Page> {
  const context = isNew ? await browser.open(cookie, options) : await browser.borrow(cookie, options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  onTestFinished(async () => {
    await (isNew ? context.close() : browser.giveBack(context));
    if (faults.length > 0) throw new Error(`The page failed: ${faults.join("; ")}`);
  });
  await page.goto(address);
  return page;
}
