import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { systemActor } from "#domain/actor";
import { seedWebsite } from "#operations/sample/seed-website";
import { expectNoSeriousFindings } from "#test/axe";
import { withDashboard } from "#test/with-dashboard";

/**
 * What every page keeps, in light, in dark and on a phone. With STET_TEST_SCREENS=FOLDER each leaves a picture there, to be looked at:
 * those of docs/screens are made so.
 */
const SCREENS = process.env.STET_TEST_SCREENS;

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** Light is asked everything, the others what can differ there: colours in the dark, what scrolls on a phone. */
const LOOKS: readonly { name: string; theme: "light" | "dark"; size: typeof DESKTOP; axeRules?: readonly string[] }[] = [
  { name: "light", theme: "light", size: DESKTOP },
  { name: "dark", theme: "dark", size: DESKTOP, axeRules: ["color-contrast"] },
  { name: "phone", theme: "light", size: PHONE, axeRules: ["scrollable-region-focusable"] },
];

/** The page has drawn what it heard: that its window has another size or its system other colours. */
const DRAWN = "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))";

const ofWebsite = [
  "",
  "/posts",
  "/posts/POST",
  "/calendar",
  "/suggestions",
  "/media",
  "/categories",
  "/tags",
  "/authors",
  "/analytics",
  "/connect",
  "/settings",
  "/settings/fields",
  "/settings/keys",
  "/settings/webhooks",
  "/settings/webhooks/WEBHOOK",
  "/settings/database",
  "/settings/images",
  "/settings/transfer",
];
const ofWorkspace = ["", "/members", "/plan", "/activity", "/connected-apps"];
const PAGES = [
  ...ofWebsite.map((page) => `/s/WEBSITE${page}`),
  ...ofWorkspace.map((page) => `/w/WORKSPACE${page}`),
  "/account",
  "/account/security",
  "/account/sessions",
  "/account/connected-apps",
  "/account/confirm-email?email=ada@example.com&token=x",
  "/welcome",
];
const BEFORE_SIGNING_IN = [
  "/sign-in",
  "/sign-up",
  "/finish-sign-up?email=a%40example.com&token=x",
  "/forgot-password",
  "/reset-password?token=x",
];

await withDashboard({}, async (node, browser) => {
  const { owner, website, workspace } = await node.makeTenant({ plan: "team" });
  await node.call(seedWebsite, systemActor("every page"), { websiteId: website.id, posts: 8 });
  const cookie = await node.signIn(owner);
  const websiteId = website.id;
  await node.rpc(cookie, "create_post", { websiteId, title: "A draft that waits" });
  await node.rpc(cookie, "create_key", { websiteId, name: "Website" });
  const webhook = await node.rpc(cookie, "create_webhook", { websiteId, url: "https://example.com/hook" });
  const { items } = await node.rpc(cookie, "list_posts", { websiteId, statuses: ["published"], limit: 1 });
  const ids: Record<string, string> = { WEBSITE: websiteId, WORKSPACE: workspace.id, WEBHOOK: webhook.record.id, POST: items[0]!.id };

  /** Opens a page and waits until it has what it asked for; answers what the browser complained about. */
  async function open(context: BrowserContext, address: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    await page.goto(address.replace(/[A-Z]{4,}/g, (name) => ids[name] ?? name));
    await page.locator("h1, h2").first().waitFor();
    await page.getByText("Loading …").first().waitFor({ state: "detached" });
    if (address.endsWith("/POST")) await page.locator(".ProseMirror").waitFor();
    await page.waitForLoadState("networkidle");
    return { page, complaints };
  }

  // One window for all pages, so that the dashboard is loaded and compiled once.
  const [signedIn, signedOut] = [await browser.borrow(cookie), await browser.borrow(null)];
  afterAll(() => Promise.all([signedIn, signedOut].map((window) => browser.giveBack(window))));

  test.each([...PAGES, ...BEFORE_SIGNING_IN])(
    "%s opens without a complaint, stands still for whoever asks for less motion, fits its screen and has no serious finding of axe",
    async (address) => {
      const { page, complaints } = await open(BEFORE_SIGNING_IN.includes(address) ? signedOut : signedIn, address);
      for (const { name, theme, size, axeRules } of LOOKS) {
        // A page follows the system's colours and its window's size while it is open, so it is loaded once for all.
        await page.emulateMedia({ colorScheme: theme });
        await page.setViewportSize(size);
        expect(await page.evaluate("document.getAnimations().length"), `what moves on ${address}, though less motion was asked for`).toBe(
          0,
        );
        await page.evaluate(DRAWN);
        const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        expect(overflow, `sideways scrolling of ${address}`).toBeLessThanOrEqual(0);
        if (SCREENS) await keep(page, address, name);
        await expectNoSeriousFindings(page, axeRules);
      }
      expect(complaints, address).toEqual([]);
      await page.close();
    },
  );
});

async function keep(page: Page, address: string, look: string): Promise<void> {
  await mkdir(SCREENS!, { recursive: true });
  const name = address
    .replace(/^\/[sw]\/[A-Z]+/, (place) => (place.startsWith("/s") ? "website" : "workspace"))
    .replaceAll(/[^a-zA-Z]+/g, "-");
  await page.screenshot({ path: path.join(SCREENS!, `${name.replace(/^-|-x$/g, "")}-${look}.jpg`), type: "jpeg", quality: 55 });
}
