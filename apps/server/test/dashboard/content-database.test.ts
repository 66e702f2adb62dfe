import { afterAll, beforeAll, expect, test } from "vitest";
import { expectNoSeriousFindings } from "#test/axe";
import { openBreakableProxy } from "#test/breakable-proxy";
import { writingIn } from "#test/delivery/writing";
import { type MongoServer, mongoJavaServer } from "#test/mongodb";
import { onContent } from "#test/own-content/moving";
import { openScriptedCluster } from "#test/own-databases/scripted-cluster";
import { withPart } from "#test/parts";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

await withDashboard({}, (node, browser) => {
  const seedHealth = async (websiteId: string) => {
    const quarter = (ago: string) => `date_bin('15 minutes', now() - interval '${ago}', '2000-01-01')`;
    await node.services.database.query({
      text: `INSERT INTO own_database_health (website_id, at, answered, failed, timed, timed_millis)
             SELECT $1, at, CASE WHEN at = ${quarter("5 hours")} THEN 0 ELSE 20 END,
                    CASE WHEN at = ${quarter("5 hours")} THEN 3 WHEN at = ${quarter("6 hours")} THEN 20 ELSE 0 END,
                    CASE WHEN at = ${quarter("5 hours")} THEN 0 ELSE 1 END, CASE WHEN at = ${quarter("9 hours")} THEN 180 ELSE 12 END
             FROM generate_series(${quarter("23 hours")}, now() - interval '1 hour', interval '15 minutes') AS at`,
      values: [websiteId],
    });
    await node.services.database.query({
      text: "UPDATE own_databases SET error = 'It was away.', error_at = now() - interval '5 hours' WHERE website_id = $1",
      values: [websiteId],
    });
  };

  test("a plan without it says so in a line, and shows no form", async () => {
    const tenant = await node.makeTenant({ plan: "free" });
    const page = await openPage(browser, await node.signIn(tenant.owner), `/s/${tenant.website.id}/settings/database`);
    await page.getByText("The free plan does not include your own database.").waitFor();
    expect(await page.getByLabel("Address", { exact: true }).count()).toBe(0);
  });

  withPart(mongoJavaServer.name, mongoJavaServer.find(), (server: MongoServer) => {
    let started: Awaited<ReturnType<MongoServer["start"]>>;
    let proxy: Awaited<ReturnType<typeof openBreakableProxy>>;
    beforeAll(async () => {
      started = await server.start();
      proxy = await openBreakableProxy(started.url);
    });
    afterAll(async () => {
      await proxy?.close();
      await started?.stop();
    });

    test("from the form to Disconnect: what is wrong is named, moving is shown as it goes, and so is the way back", async () => {
      const tenant = await node.makeTenant();
      const at = onContent(node.services, tenant);
      await writingIn(node.services, tenant).post("Before");
      const suspicious = await openScriptedCluster({ script: { saslStart: { ok: 0, code: 18, errmsg: "refused" } } });
      const cookie = await node.signIn(tenant.owner);
      const page = await openPage(browser, cookie, `/s/${tenant.website.id}/settings/database`);
      const address = page.getByLabel("Address", { exact: true });
      const button = (name: string) => page.getByRole("button", { name, exact: true });
      const dialog = page.getByRole("dialog");
      const url = `${proxy.url}own_blog`;

      await page.getByText("What the database needs").click();
      for (const [typed, named] of [
        [`mongodb://ada:wrong@127.0.0.1:${suspicious.port}/own_blog`, "The user name or password is wrong"],
        ["mongodb://ada:secret@127.0.0.1:9/own_blog", "127.0.0.1:9 refuses connections"],
        ["postgres://ada:secret@127.0.0.1/own_blog", "Enter an address that starts with mongodb://"],
      ] as const) {
        await address.fill(typed);
        await button("Test").click();
        await page.getByRole("alert").getByText(named).waitFor();
      }
      await suspicious.close();
      expect(await page.getByLabel("command", { exact: true }).textContent()).toContain('role: "readWrite", db: "DATABASE"');
      await address.fill(url);
      expect(await page.getByLabel("command", { exact: true }).textContent()).toContain('db: "own_blog"');
      expect(await address.getAttribute("type")).toBe("password");
      await button("Test").click();
      await page.getByText(/answers in \d+ ms and can be written and read\. Nothing is saved yet\./).waitFor();
      await expectNoSeriousFindings(page);
      // By keyboard: Enter sends the form.
      await address.press("Enter");
      await page.getByText(/^Connected to mongodb:\/\/127.*\/own_blog\.$/).waitFor();

      await button("Migrate").click();
      await button("Stop").click();
      await button("Continue").click();
      await button("Stop").waitFor();
      await at.step();
      await page.getByText("Copying").waitFor();
      await page.getByRole("progressbar", { name: "Records in your database" }).waitFor();
      await expectNoSeriousFindings(page);
      await at.finish();
      await page.getByText("Changes since then are copied when you activate.").waitFor();
      await page.getByText("Saving pauses for up to ten seconds").waitFor();
      await button("Activate").click();
      await button("Stop").waitFor();
      expect(await at.finish()).toMatchObject({ state: "done" });
      await page.getByText("Your website reads from and saves to your database.").waitFor();
      await page.getByText(/Answers in \d+ ms\. Version 5\.0\.0\./).waitFor();
      // A day of it, as other nodes found it: a quarter of an hour in which it was slow, one in which half failed, one without an answer.
      await seedHealth(tenant.website.id);
      await page.reload();
      await page.getByText(/Last 24 hours: 9\d\.\d % answered, in \d+ ms on average, 180 ms at most\./).waitFor();
      await page.getByText(/^Last error .* ago: It was away\.$/).waitFor();
      await expectNoSeriousFindings(page);
      const [download] = await Promise.all([page.waitForEvent("download"), button("Download migration report").click()]);
      expect(download.suggestedFilename()).toBe(`migration-report-${tenant.website.id}.json`);

      await button("Disconnect …").click();
      await dialog.getByText("every record compared first").waitFor();
      await dialog.getByRole("button", { name: "Disconnect" }).click();
      await page.getByText("Your content is copied back to Stet and compared.").waitFor();
      expect(await at.finish()).toMatchObject({ state: "done" });
      await page.getByText("Stet’s own database").waitFor();
      await page.getByText("Connect a database on MongoDB").waitFor();
    });

    test("while the database is away its owner reads why, and can return without it to the copy, in the dark and on a phone", async () => {
      const tenant = await node.makeTenant();
      const at = onContent(node.services, tenant);
      expect(await at.out(`${proxy.url}own_gone`)).toMatchObject({ state: "done" });
      await writingIn(node.services, tenant).post("Only there");
      await writingIn(node.services, tenant).draft("A draft there");
      proxy.cut();
      const page = await openPage(browser, await node.signIn(tenant.owner), `/s/${tenant.website.id}/settings/database`, { theme: "dark" });
      await page.setViewportSize({ width: 375, height: 800 });
      await page.getByText("Your database did not answer").waitFor();
      await page.getByText("Not responding").waitFor();
      expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= 375")).toBe(true);
      await expectNoSeriousFindings(page);
      await page.getByRole("button", { name: "Disconnect without copying …" }).click();
      const missing = page.getByRole("list", { name: "Missing changes" });
      await missing.getByText("Only there").waitFor();
      await missing.getByText("A draft there · Not published").waitFor();
      await page.getByLabel(/^Type/).fill(tenant.website.name);
      await expectNoSeriousFindings(page);
      await page.getByRole("button", { name: "Disconnect without copying", exact: true }).click();
      await page.getByText("Connect a database on MongoDB").waitFor();
      expect(await at.home()).toMatchObject({ kind: "managed" });

      // It is back: what it has is fetched.
      proxy.restore();
      await page.getByText(/^Not everything was copied back from mongodb:\/\/.*own_gone$/).waitFor();
      await page.getByLabel("Address", { exact: true }).fill(`${proxy.url}own_gone`);
      await page.getByRole("button", { name: "Test and connect" }).click();
      await page.getByText("missing posts are added unpublished").waitFor();
      await expectNoSeriousFindings(page);
      await page.getByRole("button", { name: "Fetch", exact: true }).click();
      await page.getByRole("progressbar", { name: "Records checked" }).waitFor();
      expect(await at.finish(node.services, "left content")).toMatchObject({ state: "done", error: null });
      await page.getByText(/^Fetched .*: 2 posts, \d versions?\.$/).waitFor();
      expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= 375")).toBe(true);
    });
  });
});
