import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { timestamp } from "#domain/time";
import { expectNoSeriousFindings } from "#test/axe";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";
import { postWriter } from "./post-writer.ts";

await withDashboard({}, (node, browser) => {
  // Next year's March: always ahead, never the month of today, and Tokyo knows no summer time.
  const year = new Date().getUTCFullYear() + 1;
  async function newBlog() {
    const tenant = await node.makeTenant();
    const writer = await postWriter(node, tenant);
    const { websiteId, cookie } = writer;
    await node.rpc(cookie, "update_website", { websiteId, expectedVersion: tenant.website.version, settings: { timeZone: "Asia/Tokyo" } });
    const post = await writer.scheduled("Cherry <b>blossom</b>", timestamp(Date.UTC(year, 2, 10, 15, 30)));
    return { tenant, post, ...writer };
  }
  const open = (blog: { cookie: string; websiteId: string }, options = {}) =>
    openPage(browser, blog.cookie, `/s/${blog.websiteId}/calendar?month=${year}-03`, options);
  const cell = (page: Page, day: string) => page.getByRole("cell").filter({ has: page.locator(`time[datetime="${day}"]`) });

  test("a scheduled post stands on its day by the website's clock, moves to another, and back with Undo", async () => {
    const blog = await newBlog();
    const page = await open(blog);
    // 15:30 in UTC is half past midnight of the next day in Tokyo.
    await cell(page, `${year}-03-11`)
      .getByRole("button", { name: /^00:30 Cherry <b>blossom<\/b>.*scheduled$/ })
      .click();
    await page.getByRole("button", { name: "Reschedule" }).click();
    const field = page.getByLabel("Publish at");
    expect(await field.inputValue()).toBe(`${year}-03-11T00:30`);
    await expectNoSeriousFindings(page);
    await field.fill(`${year}-03-20T18:00`);
    await page.getByRole("dialog").getByRole("button", { name: "Reschedule" }).click();
    await cell(page, `${year}-03-20`)
      .getByRole("button", { name: /^18:00 Cherry/ })
      .waitFor();
    const scheduledAt = async () =>
      (await node.rpc(blog.cookie, "get_post", { websiteId: blog.websiteId, postId: blog.post.id })).scheduledAt;
    expect(await scheduledAt()).toBe(`${year}-03-20T09:00:00.000Z`);
    await page.getByRole("button", { name: "Undo" }).click();
    await cell(page, `${year}-03-11`)
      .getByRole("button", { name: /Cherry/ })
      .waitFor();
    expect(await scheduledAt()).toBe(`${year}-03-10T15:30:00.000Z`);
  });

  test("a time stays entered when somebody saves the post meanwhile, and the next try is made with it", async () => {
    const blog = await newBlog();
    const page = await open(blog);
    await page.getByRole("button", { name: /Cherry/ }).click();
    await page.getByRole("button", { name: "Reschedule" }).click();
    await page.getByLabel("Publish at").fill(`${year}-03-20T18:00`);
    const at = { websiteId: blog.websiteId, postId: blog.post.id };
    await node.rpc(blog.cookie, "edit_post", { ...at, expectedVersion: blog.post.version, excerpt: "Saved meanwhile" });
    const again = page.waitForResponse("**/api/rpc/get_post");
    await page.getByRole("dialog").getByRole("button", { name: "Reschedule" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await (await again).finished();
    await page.getByRole("dialog").getByRole("button", { name: "Reschedule" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await node.rpc(blog.cookie, "get_post", at)).scheduledAt).toBe(`${year}-03-20T09:00:00.000Z`);
  });

  test("the months go by with buttons and keys; a time in the past is refused with the reason", async () => {
    const blog = await newBlog();
    const page = await open(blog, { theme: "dark" });
    await page.getByRole("heading", { name: `March ${year}` }).waitFor();
    await page.getByRole("button", { name: "Next month" }).click();
    await page.getByRole("heading", { name: `April ${year}` }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("heading", { name: `March ${year}` }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("heading", { name: `February ${year}` }).waitFor();
    await page.keyboard.press("t");
    await page.waitForURL(`**/s/${blog.websiteId}/calendar`);
    await page.getByRole("heading", { name: `February ${year}` }).waitFor({ state: "detached" });
    await page.goto(`/s/${blog.websiteId}/calendar?month=${year}-03`);
    await page.getByRole("button", { name: /Cherry/ }).click();
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Reschedule" }).click();
    // As a browser without the rule of the field would send it.
    await page
      .getByLabel("Publish at")
      .evaluate((input) => (input as unknown as { removeAttribute(name: string): void }).removeAttribute("min"));
    await page.getByLabel("Publish at").fill("2020-01-01T10:00");
    await page.getByRole("dialog").getByRole("button", { name: "Reschedule" }).click();
    await page.getByRole("alert").filter({ hasText: "must be in the future" }).waitFor();
  });

  test("on a phone the month is a list; an author cannot move the post of another, and a contributor is not asked to", async () => {
    const blog = await newBlog();
    const member = async (role: "author" | "contributor") =>
      open({ ...blog, cookie: await node.signIn(await blog.tenant.addMember(role)) }, { device: "phone" });
    const author = await member("author");
    await author.getByRole("link", { name: "Cherry <b>blossom</b>" }).waitFor();
    await expectNoSeriousFindings(author);
    await author.getByRole("button", { name: "Reschedule Cherry <b>blossom</b>" }).click();
    await author.getByText("You can only reschedule your own posts.").waitFor();
    const contributor = await member("contributor");
    await contributor.getByText("No posts this month").waitFor();
  });
});
