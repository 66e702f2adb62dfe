import { expect, test } from "vitest";
import { DAY, timestamp } from "#domain/time";
import { expectNoSeriousFindings } from "#test/axe";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";
import { postWriter } from "./post-writer.ts";

/** Pages are loaded on machines that do much else, and what was counted is written down a moment later. */

await withDashboard({}, (node, browser) => {
  test("the numbers are those that were collected: views, posts, referrers, and requests by endpoint", async () => {
    const tenant = await node.makeTenant({ plan: "starter" });
    const writer = await postWriter(node, tenant);
    const { websiteId, cookie } = writer;
    const [first, second] = [await writer.published("Often <i>read</i>"), await writer.published("Rarely read")];
    let readers = 0;
    const collect = (post: string, referrer: string) =>
      fetch(`${node.url}/v1/collect`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "User-Agent": `Mozilla/5.0 (X11; Linux x86_64; rv:14${readers++}.0) Firefox` },
        body: JSON.stringify({ website: websiteId, post, referrer }),
      });
    for (let n = 0; n < 5; n++) await collect(first.working.slug, "https://news.example.org/item?id=1");
    await collect(second.id, "https://search.example.net/");
    await collect(second.id, "");
    const monthAgo = timestamp(Date.now() - 40 * DAY);
    await node.services.readers.add(
      [1, 2, 3, 4].map((n) => ({
        websiteId: tenant.website.id,
        postId: first.id,
        at: monthAgo,
        referrer: null,
        visitors: [`before ${n}`],
      })),
    );
    const { key } = await node.rpc(cookie, "create_key", { websiteId, name: "Website" });
    for (const path of ["posts", "posts", "posts/often-i-read-i", "posts/no-such-post"]) {
      await fetch(`${node.url}/v1/blog/${path}`, { headers: { Authorization: `Bearer ${key}` } });
    }
    await expect.poll(async () => (await node.rpc(cookie, "get_views", { websiteId })).total).toBe(7);
    await expect.poll(async () => (await node.rpc(cookie, "get_traffic", { websiteId })).total).toBe(4);

    const page = await openPage(browser, cookie, `/s/${websiteId}/analytics`, { theme: "dark" });
    await page.getByText("+75 % vs the previous 30 days").waitFor();
    await page.getByRole("slider", { name: "Views per day. 7 views in the last 30 days" }).waitFor();
    // Each list comes with an answer of its own.
    const listed = (name: string) => page.getByRole("list", { name }).getByRole("listitem").allInnerTexts();
    const lines = async (name: string) => (await listed(name)).map((text) => text.split(/\s*\n\s*/));
    await expect
      .poll(() => lines("Most read posts"))
      .toEqual([
        ["Often <i>read</i>", "5"],
        ["Rarely read", "2"],
      ]);
    await expect
      .poll(() => lines("Referrers"))
      .toEqual([
        ["news.example.org", "5"],
        ["search.example.net", "1"],
      ]);
    await page.getByText("1 other view came without a referrer").waitFor();
    await expect
      .poll(() => lines("Requests by route"))
      .toEqual([
        ["/blog/posts", "2"],
        ["/blog/posts/{slugOrId}", "50 % errors", "2"],
      ]);
    await expect
      .poll(() => listed("Requests by status"))
      .toEqual(["Success (2xx)\n3", "Refused (4xx)\n1"].map((text) => expect.stringMatching(words(text))));
    await expectNoSeriousFindings(page);

    await page.getByRole("link", { name: "90 days" }).click();
    await page.getByRole("slider", { name: "Views per day. 11 views in the last 90 days" }).waitFor();
    expect(page.url()).toContain("period=90d");
    await node.rpc(cookie, "unpublish_post", writer.at(second));
    await page.reload();
    await page.getByText("A post that is no longer published").waitFor();
  });

  test("the free plan sees what it would get and the way to it; without views the tracker is explained, on a phone too", async () => {
    const tenant = await node.makeTenant({ plan: "free" });
    const page = await openPage(browser, await node.signIn(tenant.owner), `/s/${tenant.website.id}/analytics`, { device: "phone" });
    await page.getByRole("heading", { name: "No views in the last 30 days" }).waitFor();
    expect(await page.getByLabel("tracker", { exact: true }).innerText()).toContain(`${node.url}/v1/view.js`);
    expect(await page.getByLabel("tracker", { exact: true }).innerText()).toContain(tenant.website.id);
    await page.getByRole("heading", { name: "Included in Starter and Team" }).waitFor();
    expect(await page.getByRole("list", { name: "Requests by route" }).count()).toBe(0);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await expectNoSeriousFindings(page);
    await page.getByRole("link", { name: "Compare plans" }).click();
    await page.waitForURL(`**/w/${tenant.workspace.id}/plan`);

    const editor = await node.signIn(await tenant.addMember("editor"));
    const theirs = await openPage(browser, editor, `/s/${tenant.website.id}/analytics`);
    await theirs.getByText("The owner of the workspace can change its plan.").waitFor();
  });
});

/** Text with whatever white space the layout puts between its parts. */
const words = (text: string): RegExp => new RegExp(`^${text.replaceAll(/[()]/g, "\\$&").replaceAll(/\s+/g, "\\s*")}$`);
