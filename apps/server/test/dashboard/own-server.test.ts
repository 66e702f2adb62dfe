import { expect, test } from "vitest";
import { systemActor } from "#domain/actor";
import { plansWith } from "#domain/plans";
import { seedWebsite } from "#operations/sample/seed-website";
import { expectNoSeriousFindings } from "#test/axe";
import { openDashboardNode } from "#test/dashboard-node";
import { openBrowser } from "#test/test-browser";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

/** Where a plan, a limit or a number that is part of one can be read. */
const OF_A_WEBSITE = ["", "/media", "/analytics", "/settings/keys", "/settings/database", "/settings/images"];
const OF_A_WORKSPACE = ["", "/plan", "/activity", "/connected-apps"];
/** What only customers of a host should read. */
const FOR_CUSTOMERS = /(free|starter|team|unlimited|paid|larger|your) plan|plan and usage|\bplans\b|upgrade|downgrade|quota/i;

await withDashboard({}, (node, browser) => {
  test("no page of one's own server names a plan to buy, blurs a number or draws a bar against a limit", async () => {
    const { owner, workspace, website } = await node.makeTenant({ plan: "unlimited" });
    await node.call(seedWebsite, systemActor("own server"), { websiteId: website.id, posts: 3 });
    const page = await openPage(browser, await node.signIn(owner), "/welcome");
    const addresses = [
      ...OF_A_WEBSITE.map((ids) => `/s/${website.id}${ids}`),
      ...OF_A_WORKSPACE.map((ids) => `/w/${workspace.id}${ids}`),
      "/welcome",
    ];
    for (const address of addresses) {
      await page.goto(address);
      await page.locator("h1, h2").first().waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.locator("body").innerText(), address).not.toMatch(FOR_CUSTOMERS);
      expect(await page.getByRole("meter").count(), address).toBe(0);
      expect(await page.locator('main [class*="blur-["]').count(), address).toBe(0);
    }
  });

  test("the usage page shows numbers, says who sets the limits and that nothing is charged, and offers no other plan", async () => {
    const tenant = await node.makeTenant({ plan: "unlimited" });
    const address = `/w/${tenant.workspace.id}/plan`;
    const page = await openPage(browser, await node.signIn(tenant.owner), address, { device: "phone" });
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    await page.getByText("The only limits are the ones you set on this server. Nothing is charged.").waitFor();
    await page.getByText("STET_PLANS").waitFor();
    await page.getByRole("table", { name: "By website" }).getByText(tenant.website.name).waitFor();
    expect(await page.getByRole("main").innerText()).toMatch(/Requests this month\s+0\s+Image storage\s+0 B\s+Websites\s+1\s+Live keys/);
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    await expectNoSeriousFindings(page);
    await page.context().close();

    const author = await node.signIn(await tenant.addMember("author"));
    const theirs = await openPage(browser, author, address);
    await theirs.getByText("The only limits are the ones set on this server. Nothing is charged.").waitFor();
    expect(await theirs.getByText("STET_PLANS").count()).toBe(0);
  });

  test("limits that the operator sets are shown as the server's, with what is used of them", async () => {
    const plans = plansWith({ unlimited: { liveKeys: 1, websites: 1, storageBytes: 1_000_000, trafficPerEndpoint: false } });
    // Its pages are built already.
    const limited = await openDashboardNode({ plans, pages: false });
    const { owner, workspace, website } = await limited.makeTenant({ plan: "unlimited" });
    const cookie = await limited.signIn(owner);
    await limited.rpc(cookie, "create_key", { websiteId: website.id, name: "Website" });
    const theirs = await openBrowser(limited);
    const page = await openPage(theirs, cookie, `/s/${website.id}/settings/keys`);
    await page
      .getByText("This server allows 1 live key per website, and 1 is in use. Revoke one before you create another.", { exact: true })
      .waitFor();
    await page.goto(`/w/${workspace.id}/plan`);
    await page.getByRole("meter", { name: "Image storage" }).waitFor();
    expect(await page.getByRole("meter").count()).toBe(3);
    await page.goto(`/s/${website.id}/analytics`);
    await page.getByRole("heading", { name: /No views/ }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.getByText("Included in Starter and Team").count()).toBe(0);
    await page.goto("/welcome");
    await page.getByLabel("Website").fill("Second");
    await page.getByRole("button", { name: "Create website" }).click();
    await page.getByText("This server has room for 1 website in a workspace.").waitFor();
    await theirs.close();
    await limited.stop();
  });
});
