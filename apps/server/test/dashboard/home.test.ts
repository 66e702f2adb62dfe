import { expect, test } from "vitest";
import { timestamp } from "#domain/time";
import { expectNoSeriousFindings } from "#test/axe";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";
import { postWriter, inDays } from "./post-writer.ts";

await withDashboard({}, (node, browser) => {
  test("an empty website shows the first steps, each with a way to go", async () => {
    const tenant = await node.makeTenant({ plan: "free" });
    const page = await openPage(browser, await node.signIn(tenant.owner), `/s/${tenant.website.id}`);
    await page.getByRole("heading", { name: /^Good (morning|afternoon|evening)/ }).waitFor();
    await page.getByRole("heading", { name: "Write your first post" }).waitFor();
    expect(await page.title()).toBe("Home · Stet");
    expect(await page.getByRole("link", { name: "Show me how" }).getAttribute("href")).toBe(`/s/${tenant.website.id}/connect`);
    expect(await page.getByRole("link", { name: "Invite" }).getAttribute("href")).toBe(`/w/${tenant.workspace.id}/members`);
    await page.getByRole("meter", { name: "Requests this month" }).waitFor();
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Start writing" }).click();
    await page.waitForURL(/posts\/post_/);
  });

  test("home shows what to write, what is scheduled and waits, who did what, the views, and text stays text", async () => {
    const tenant = await node.makeTenant();
    const writer = await postWriter(node, tenant);
    const { websiteId, cookie } = writer;
    const nasty = `<img src=x onerror="document.title='broken'"> & <script>1</script>`;
    const live = await writer.published("Read by some");
    await writer.scheduled("For tomorrow", inDays(1));
    const contributor = await postWriter(node, tenant, await tenant.addMember("contributor"));
    const asked = await contributor.draft("Please look");
    await node.rpc(contributor.cookie, "request_review", contributor.at(asked));
    const draft = await writer.draft(nasty);
    const at = timestamp(Date.now());
    await node.services.readers.add(
      ["a", "b", "c"].map((visitor) => ({ websiteId: tenant.website.id, postId: live.id, at, referrer: null, visitors: [visitor] })),
    );

    const page = await openPage(browser, cookie, `/s/${websiteId}`, { theme: "dark" });
    const card = (name: string | RegExp) => page.locator("section", { has: page.getByRole("heading", { name }) });
    await card("Continue writing").getByText(nasty).waitFor();
    await card("Scheduled")
      .getByRole("link", { name: /For tomorrow/ })
      .waitFor();
    await card("Waiting for review (1)").getByText("Please look").waitFor();
    await card("Recent activity")
      .getByRole("listitem")
      .filter({ hasText: `${tenant.owner.name} published Read by some` })
      .waitFor();
    expect(await card("Recent activity").getByRole("link", { name: nasty }).getAttribute("href")).toContain(draft.id);
    const chart = page.getByRole("slider", { name: "Views per day. 3 views in the last 30 days" });
    await chart.focus();
    await page.keyboard.press("End");
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/: 3$/);
    await page.keyboard.press("ArrowLeft");
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/: 0$/);
    expect(await page.title()).toBe("Home · Stet");
    await expectNoSeriousFindings(page);
  });

  test("a webhook that was switched off stands on top, with what to do and the way there; only for those who can", async () => {
    const tenant = await node.makeTenant();
    const writer = await postWriter(node, tenant);
    const { websiteId, cookie } = writer;
    await writer.published("Live");
    const { record } = await node.rpc(cookie, "create_webhook", { websiteId, url: "https://hooks.example.com/stet" });
    await node.services.database.query({
      text: "UPDATE webhooks SET status = 'off', failures = 20, off_reason = 'failing' WHERE id = $1",
      values: [record.id],
    });
    const page = await openPage(browser, cookie, `/s/${websiteId}`, { device: "phone" });
    const alert = page.getByRole("region", { name: "Alerts" }).getByRole("alert");
    expect(await alert.innerText()).toMatch(/hooks\.example\.com was switched off[^]*Fix the receiver/);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await expectNoSeriousFindings(page);
    await alert.getByRole("link", { name: "Open webhook" }).click();
    await page.waitForURL(`**/settings/webhooks/${record.id}`);

    const contributor = await node.signIn(await tenant.addMember("contributor"));
    const theirs = await openPage(browser, contributor, `/s/${websiteId}`);
    await theirs.getByText("No drafts.").waitFor();
    await theirs.getByRole("heading", { name: "Recent activity on your posts" }).waitFor();
    expect(await theirs.getByRole("alert").count()).toBe(0);
    expect(await theirs.getByText("Waiting for review").count()).toBe(0);
  });
});
