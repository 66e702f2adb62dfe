import { EVENT_TYPES } from "@stet/contract";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { timestamp } from "#domain/time";
import { expectNoSeriousFindings } from "#test/axe";
import { openReceiver } from "#test/webhooks/receiver";
import { withDashboard } from "#test/with-dashboard";
import { runWorkers } from "#worker/run-workers";
import { openPage } from "./open-page.ts";

await withDashboard({}, async (node, browser) => {
  const receiver = await openReceiver();
  afterAll(() => receiver.close());
  afterAll(runWorkers(node.services));
  const tenant = await node.makeTenant();
  const cookie = await node.signIn(tenant.owner);
  const settings = `/s/${tenant.website.id}/settings/webhooks`;

  async function publishAPost(title: string): Promise<void> {
    const websiteId = tenant.website.id;
    const { id: postId, version } = await node.rpc(cookie, "create_post", { websiteId, title, body: "Text." });
    await node.rpc(cookie, "publish_post", { websiteId, postId, expectedVersion: version });
  }

  /** What told that a post was published, in the log, which is read anew once it has arrived. */
  async function openDelivery(page: Page, title: string): Promise<void> {
    const arrived = { websiteId: tenant.website.id, title, status: "delivered" } as const;
    await expect.poll(async () => (await node.rpc(cookie, "list_deliveries", arrived)).items.length).toBeGreaterThan(0);
    await page.reload();
    await page
      .getByRole("region", { name: "Deliveries" })
      .getByRole("button", { name: `${title} post.published` })
      .click();
  }

  test("an endpoint is added, its secret is shown once, a test and a publish reach it, and the log tells", async () => {
    const page = await openPage(browser, cookie, settings);
    expect(await page.getByLabel("Commands", { exact: true }).textContent()).toContain(
      `listen --website ${tenant.website.id} --forward http://localhost`,
    );
    await page.getByRole("button", { name: "Add endpoint" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Address").fill(receiver.url);
    await form.getByLabel("Deleted").uncheck();
    await form.getByRole("button", { name: "Add endpoint" }).click();
    const secret = page.getByLabel("signing secret", { exact: true });
    await expect.poll(() => secret.textContent()).toMatch(/^whsec_/);
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "I saved it" }).click();
    await page.getByRole("link", { name: receiver.url }).click();
    await page.getByRole("button", { name: "Send a test" }).click();
    // What came of the test opens by itself.
    await page.getByRole("dialog").getByText("Answered 204").waitFor();
    expect(receiver.received.map(({ event }) => event.type)).toEqual(["webhook.test"]);

    await publishAPost("It <b>went</b> out");
    await expect.poll(() => receiver.received.map(({ event }) => event.type)).toContain("post.published");
    await openDelivery(page, "It <b>went</b> out");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Answered 204").waitFor();
    expect(await dialog.getByLabel("request body", { exact: true }).textContent()).toContain("It <b>went</b> out");
    expect(await dialog.getByLabel("request headers", { exact: true }).textContent()).toContain(`POST ${receiver.url}`);
    await expectNoSeriousFindings(page);

    const before = receiver.received.length;
    await dialog.getByRole("button", { name: "Resend" }).click();
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
    expect(await page.content()).not.toMatch(/whsec_/);
  });

  test("deliveries are found by the title of their post, whatever its accents and case", async () => {
    const page = await openPage(browser, cookie, settings);
    await publishAPost("Žluťoučký kůň");
    await expect.poll(() => receiver.received.map(({ event }) => event.data.post?.["title"])).toContain("Žluťoučký kůň");
    await page.getByRole("link", { name: receiver.url }).click();
    const lines = page.getByRole("region", { name: "Deliveries" }).getByRole("listitem");
    await page.getByLabel("Search by post").fill("zlutoucky");
    await expect.poll(() => lines.allTextContents()).toEqual([expect.stringContaining("Žluťoučký kůň")]);
    await page.getByLabel("Search by post").fill("no post is called this");
    await page.getByText("No matching deliveries").waitFor();
  });

  test("an endpoint that fails says when it is tried next, and is tried when asked to", async () => {
    receiver.reaction = 500;
    const page = await openPage(browser, cookie, settings, { device: "phone" });
    await publishAPost("Refused at first");
    await page.getByText("Failing").waitFor();
    // So far away that no probe comes in between; whoever probes at this moment loses the lease.
    await node.services.database.query({
      text: `UPDATE webhooks SET lease_holder = NULL, due_at = now() + interval '119 minutes', probe_at = now() + interval '119 minutes'
        WHERE website_id = $1`,
      values: [tenant.website.id],
    });
    await page.getByRole("link", { name: receiver.url }).click();
    await page.getByText("Next attempt in 2 hours").waitFor();
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: /Refused at first/ }).click();
    await page.getByRole("dialog").getByText("The endpoint is failing, so this delivery waits.").waitFor();
    await page.keyboard.press("Escape");
    receiver.reaction = 204;
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Active").waitFor();
  });

  test("an endpoint that was switched off has a banner, and switching it on sends what it missed", async () => {
    const { services } = node;
    const websiteId = tenant.website.id;
    const [webhook] = await services.webhooks.list(websiteId);
    await services.database.query({
      text: `UPDATE webhooks SET status = 'off', off_reason = 'failures', failures = 20, failing_since = $2 WHERE id = $1`,
      values: [webhook!.id, timestamp(new Date())],
    });
    await publishAPost("Missed by everyone");
    const page = await openPage(browser, cookie, settings, { device: "phone", theme: "dark" });
    await page.getByText("was switched off").waitFor();
    await page.getByText("20 attempts in a row failed").first().waitFor();
    await expectNoSeriousFindings(page);
    await page.getByRole("link", { name: "View endpoint" }).click();
    await page.getByRole("button", { name: "Switch on and resend 1" }).click();
    await expect.poll(() => receiver.received.map(({ event }) => event.data.post?.["title"])).toContain("Missed by everyone");
    await page.getByText("Active").waitFor();
  });

  test("saving an endpoint leaves what somebody else changed in it meanwhile", async () => {
    const page = await openPage(browser, cookie, settings);
    await page.getByRole("link", { name: receiver.url }).click();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit endpoint" });
    await dialog.getByLabel("Grouping").selectOption("120");
    const at = { websiteId: tenant.website.id };
    const { id: webhookId } = (await node.rpc(cookie, "list_webhooks", at)).find(({ url }) => url === receiver.url)!;
    await node.rpc(cookie, "update_webhook", { ...at, webhookId, events: ["post.published"] });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const webhook = (await node.rpc(cookie, "list_webhooks", at)).find(({ id }) => id === webhookId);
    expect(webhook).toMatchObject({ events: ["post.published"], debounceSeconds: 120 });
    await node.rpc(cookie, "update_webhook", { ...at, webhookId, events: [...EVENT_TYPES], debounceSeconds: 0 });
  });

  test("an address that leads inside is refused beside its field, and rolling the secret shows another one", async () => {
    const page = await openPage(browser, cookie, settings);
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByLabel("Address").fill("ftp://example.com/hook");
    await page.getByRole("dialog").getByRole("button", { name: "Add endpoint" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("link", { name: receiver.url }).click();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Roll secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Roll secret" }).click();
    await expect.poll(() => page.getByLabel("signing secret", { exact: true }).textContent()).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "I saved it" }).click();
    await page.getByText("The previous one also works until").waitFor();
  });
});
