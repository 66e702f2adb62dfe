import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { registry } from "#operations/registry";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";
import { postWriter } from "./post-writer.ts";
import { bodyOf, eventually, write } from "./test-editor.ts";

await withDashboard({}, (node, browser) => {
  /** All tabs of a browser have the cookie that came last. */
  const signInElsewhere = (page: Page, cookie: string) => {
    const at = cookie.indexOf("=");
    return page
      .context()
      .addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: node.url, httpOnly: true, sameSite: "Lax" }]);
  };
  const endSessions = (userId: string) =>
    node.services.database.query({ text: `DELETE FROM "session" WHERE "userId" = $1`, values: [userId] });

  test("a post is not saved for whoever signed in last in the browser, and is for the writer who comes back", async () => {
    const tenant = await node.makeTenant();
    const writer = await postWriter(node, tenant);
    const other = await tenant.addMember("editor");
    const { email } = (await node.services.accounts.get(other.userId))!;
    const { id: postId } = await writer.draft("Whose words");
    const read = () => node.call(registry.get_post, tenant.actor, { websiteId: writer.websiteId, postId });
    const page = await openPage(browser, writer.cookie, `/s/${writer.websiteId}/posts/${postId}`);
    await bodyOf(page).waitFor();
    await signInElsewhere(page, await node.signIn(other.userId));
    await write(page, "Typed by the first.");
    await page.getByText(`You signed in as ${email} in another tab`).waitFor();
    await page.getByText("Your text is kept in this browser.").waitFor();
    // The page moves down instead of being covered.
    const notice = page.getByRole("alert").filter({ hasText: "You signed in as" });
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    const first = page.getByRole("alert").filter({ hasText: "Not saved" });
    /** Between the notice, the header and what the page begins with: less than nothing where one covers the next. */
    const gaps = async () => {
      const boxes = await Promise.all([notice, publish, first].map(async (each) => (await each.boundingBox())!));
      return Math.min(...boxes.slice(1).map(({ y }, n) => y - boxes[n]!.y - boxes[n]!.height));
    };
    await eventually(gaps).toBeGreaterThanOrEqual(0);
    expect((await read()).working.body).toBe("Some words.");
    // To the other one the text is not there.
    const others = await page.context().newPage();
    await others.goto(`/s/${writer.websiteId}/posts/${postId}`);
    await bodyOf(others).getByText("Some words.").waitFor();
    expect(await others.getByText("Typed by the first.").count()).toBe(0);
    await others.close();

    await signInElsewhere(page, writer.cookie);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await eventually(async () => (await read()).working.body).toContain("Typed by the first.");
    expect((await read()).editedBy).toMatchObject({ userId: tenant.owner.id });
    await expect.poll(() => page.getByText("in another tab").count()).toBe(0);
  });

  async function openSettings() {
    const tenant = await node.makeTenant();
    const cookie = await node.signIn(tenant.owner);
    const page = await openPage(browser, cookie, `/s/${tenant.website.id}/settings`);
    await page.getByLabel("Title").fill("Notes on gardens");
    const title = async () => (await node.call(registry.get_website, tenant.actor, { websiteId: tenant.website.id })).settings.title;
    return { tenant, cookie, page, title };
  }
  const save = (page: Page) => page.getByRole("button", { name: "Save" }).click();

  test("settings are not saved for whoever signed in last in the browser, and stay on the page", async () => {
    const { tenant, cookie, page, title } = await openSettings();
    const other = await tenant.addMember("admin");
    const { email } = (await node.services.accounts.get(other.userId))!;
    await signInElsewhere(page, await node.signIn(other.userId));
    await save(page);
    await page.getByText(`You signed in as ${email} in another tab`).waitFor();
    expect(await title()).not.toBe("Notes on gardens");
    expect(await page.getByLabel("Title").inputValue()).toBe("Notes on gardens");
    await signInElsewhere(page, cookie);
    await save(page);
    await expect.poll(title).toBe("Notes on gardens");
    await expect.poll(() => page.getByText("in another tab").count()).toBe(0);
  });

  test("settings that were not saved when the session ended stay on the page, and are saved after signing in elsewhere", async () => {
    const { tenant, page, title } = await openSettings();
    await endSessions(tenant.owner.id);
    // Something asks by itself, as pages do when one comes back to them.
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("gard");
    await page.getByText("Your session has ended", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByLabel("Title").inputValue()).toBe("Notes on gardens");
    await save(page);
    await page.getByRole("alert").getByText("Sign in again").waitFor();
    expect(await page.getByLabel("Title").inputValue()).toBe("Notes on gardens");
    await signInElsewhere(page, await node.signIn(tenant.owner));
    await save(page);
    await expect.poll(title).toBe("Notes on gardens");
    await expect.poll(() => page.getByText("Your session has ended", { exact: true }).count()).toBe(0);
  });
});
