import { readFile } from "node:fs/promises";
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { systemActor } from "#domain/actor";
import { seedWebsite } from "#operations/sample/seed-website";
import { expectNoSeriousFindings } from "#test/axe";
import type { BrowserOptions } from "#test/test-browser";
import type { Tenant } from "#test/services";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

await withDashboard({}, (node, browser) => {
  /** A tenant of its own, and a page of its website's settings. */
  async function openSettings(
    path: string,
    options: { plan?: "free" | "team"; look?: BrowserOptions } = {},
  ): Promise<{ page: Page; tenant: Tenant; cookie: string; websiteId: string }> {
    const tenant = await node.makeTenant({ plan: options.plan ?? "team" });
    const cookie = await node.signIn(tenant.owner);
    const page = await openPage(browser, cookie, `/s/${tenant.website.id}/settings${path}`, options.look);
    return { page, tenant, cookie, websiteId: tenant.website.id };
  }
  const toast = (page: Page, text: string) => page.getByRole("region", { name: "Messages" }).getByText(text).waitFor();

  test("settings are saved, and what someone else changed meanwhile is told and kept", async () => {
    const { page, cookie, websiteId } = await openSettings("");
    await page.getByLabel("Title").fill("Notes on gardens");
    await page.getByLabel("Language", { exact: true }).selectOption("other");
    await page.getByLabel("Language tag").fill("pt-br");
    await page.getByLabel("Time zone").selectOption("Europe/Lisbon");
    await page.getByLabel("Preview address").fill("https://example.com/look?secret=1");
    await page.getByText("https://example.com/look?secret=1&token=TOKEN").waitFor();
    await page.getByRole("switch", { name: /Hold AI changes/ }).click();
    await node.rpc(cookie, "update_website", { websiteId, expectedVersion: 1, settings: { description: "Theirs", title: "Their title" } });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Someone else changed these settings").waitFor();
    await page.getByText("Changed by them: Title (yours is kept below), Description.").waitFor();
    expect(await page.getByLabel("Description").inputValue()).toBe("Theirs");
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Save" }).click();
    await toast(page, "Settings saved.");
    const { settings } = await node.rpc(cookie, "get_website", { websiteId });
    expect(settings).toMatchObject({
      title: "Notes on gardens",
      description: "Theirs",
      language: "pt-BR",
      timeZone: "Europe/Lisbon",
      previewUrl: "https://example.com/look?secret=1",
      holdToolChanges: true,
    });
    await page.getByLabel("Public address").fill("not an address");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("must be an http or https address").waitFor();
  });

  test("what is typed while the server saves stays, and is saved next", async () => {
    const { page, cookie, websiteId } = await openSettings("");
    const asked: Route[] = [];
    await page.route("**/api/rpc/update_website", (route) => void (asked.push(route) > 1 && route.continue()));
    await page.getByLabel("Title").fill("Notes on gardens");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => asked.length).toBe(1);
    await page.getByLabel("Description").fill("Typed meanwhile");
    await asked[0]!.continue();
    await toast(page, "Settings saved.");
    await page.getByText("Unsaved changes: Description").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("All changes saved").waitFor();
    const { settings } = await node.rpc(cookie, "get_website", { websiteId });
    expect(settings).toMatchObject({ title: "Notes on gardens", description: "Typed meanwhile" });
  });

  test("leaving with unsaved changes asks first, and a name that looks like HTML stays text", async () => {
    const { page } = await openSettings("");
    const name = `<img src=x onerror="window.hurt=1"> & "Co"`;
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stay here" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await toast(page, "Settings saved.");
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
    await page.reload();
    await page.getByText(name).first().waitFor();
    expect(await page.evaluate(() => "hurt" in globalThis)).toBe(false);
  });

  test("fields are added, put in another order, changed and deleted, and a deletion can be undone", async () => {
    const { page, cookie, websiteId } = await openSettings("/fields", { look: { device: "phone", theme: "dark" } });
    const dialog = page.getByRole("dialog");
    for (const [label, type] of [
      ["Reading level", "select"],
      ["Sub-title", "text"],
    ] as const) {
      await page.getByRole("button", { name: "Add field" }).click();
      await dialog.getByLabel("Label").fill(label);
      await dialog.getByLabel("Type").selectOption(type);
      if (type === "select") await dialog.getByLabel("Options").fill("Easy\nHard\n\n");
      if (type === "select") await expectNoSeriousFindings(page);
      await dialog.getByRole("button", { name: "Add field" }).click();
      await dialog.waitFor({ state: "detached" });
    }
    await page.getByRole("button", { name: "Move Sub-title up" }).click();
    const fields = async () => (await node.rpc(cookie, "get_website", { websiteId })).fieldDefinitions;
    await expect.poll(async () => (await fields()).map(({ key }) => key)).toEqual(["subtitle", "readingLevel"]);
    expect((await fields())[1]).toMatchObject({ label: "Reading level", type: "select", options: ["Easy", "Hard"], required: false });

    await page.getByRole("button", { name: "Edit Sub-title" }).click();
    await dialog.getByRole("switch", { name: "Required" }).click();
    await dialog.getByLabel("Key").fill("readingLevel");
    await dialog.getByText("Another field has this key.").waitFor();
    await dialog.getByLabel("Key").fill("2nd");
    await dialog.getByRole("button", { name: "Save field" }).click();
    await dialog.getByText("must start with a letter").waitFor();
    await dialog.getByLabel("Key").fill("subtitle");
    await dialog.getByRole("button", { name: "Save field" }).click();
    await page.getByText("Required").waitFor();

    await page.getByRole("button", { name: "Delete Sub-title" }).click();
    await dialog.getByText("Existing values stay in the posts").waitFor();
    await dialog.getByRole("button", { name: "Delete field" }).click();
    await expect.poll(async () => (await fields()).length).toBe(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect
      .poll(async () => (await fields()).map(({ key, required }) => [key, required]))
      .toEqual([
        ["subtitle", true],
        ["readingLevel", false],
      ]);
  });

  test("a field that somebody else changes while it is edited gets both changes, and no other does", async () => {
    const { page, cookie, websiteId } = await openSettings("/fields");
    const field = (key: string, label: string) => ({ key, label, type: "text" as const, required: false, help: "", options: [] });
    const put = async (...fieldDefinitions: ReturnType<typeof field>[]) => {
      const { version } = await node.rpc(cookie, "get_website", { websiteId });
      await node.rpc(cookie, "set_field_definitions", { websiteId, expectedVersion: version, fieldDefinitions });
    };
    await put(field("first", "First"), field("second", "Second"));
    await page.reload();
    await page.getByRole("button", { name: "Edit First" }).click();
    await put(field("first", "First of all"), field("second", "Second"));
    await page.clock.install();
    await page.clock.fastForward(60_000);
    await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`);
    await page.getByText("First of all").waitFor();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Help").fill("Comes before the others.");
    await dialog.getByRole("button", { name: "Save field" }).click();
    await dialog.waitFor({ state: "detached" });
    const { fieldDefinitions } = await node.rpc(cookie, "get_website", { websiteId });
    expect(fieldDefinitions.map(({ key, label, help }) => [key, label, help])).toEqual([
      ["first", "First of all", "Comes before the others."],
      ["second", "Second", ""],
    ]);
  });

  test("a key is shown once and reads, its origins hold, the plan's limit is explained, and revoked it is refused", async () => {
    const { page, cookie, websiteId } = await openSettings("/keys", { plan: "free" });
    const dialog = page.getByRole("dialog");
    await page.getByText("allows 2 live keys per website, and 0 are in use").waitFor();
    await page.getByRole("button", { name: "Create key" }).click();
    await dialog.getByLabel("Name").fill("Production");
    await dialog.getByLabel("Allowed origins").fill("example.com\nhttps://example.com/blog");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("“https://example.com/blog” must end after the domain").waitFor();
    await dialog.getByLabel("Allowed origins").fill("example.com");
    await dialog.getByLabel("Monthly cap").fill("1000");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const key = (await dialog.getByLabel("key", { exact: true }).textContent()) ?? "";
    expect(await dialog.getByLabel("command", { exact: true }).textContent()).toContain(`curl "${node.url}/v1/blog/posts?limit=5"`);
    expect(await dialog.getByLabel("code", { exact: true }).textContent()).toContain(`createClient({ url: "${node.url}"`);
    await page.keyboard.press("Escape");
    await dialog.getByText("cannot be shown again").waitFor();
    await expectNoSeriousFindings(page);
    await dialog.getByRole("button", { name: "I saved it" }).click();
    await page.getByRole("cell", { name: "Production", exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);

    const read = (headers: Record<string, string> = {}) =>
      fetch(`${node.url}/v1/blog/posts`, { headers: { Authorization: `Bearer ${key}`, ...headers } });
    expect((await read()).status).toBe(200);
    expect((await read({ Origin: "https://elsewhere.example" })).status).toBe(403);

    await page.getByRole("button", { name: "Edit Production" }).click();
    expect(await dialog.getByLabel("Monthly cap").inputValue()).toBe("1000");
    await dialog.getByLabel("Allowed origins").fill("example.com, elsewhere.example");
    await dialog.getByRole("button", { name: "Save key" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(async () => (await read({ Origin: "https://elsewhere.example" })).status).toBe(200);

    // What somebody else changed while the dialog was open stays.
    await page.getByRole("button", { name: "Edit Production" }).click();
    await dialog.getByLabel("Name").fill("Public site");
    const { id: keyId } = (await node.rpc(cookie, "list_keys", { websiteId })).find(({ name }) => name === "Production")!;
    await node.rpc(cookie, "update_key", { websiteId, keyId, monthlyCap: 500 });
    await dialog.getByRole("button", { name: "Save key" }).click();
    await dialog.waitFor({ state: "detached" });
    const keys = await node.rpc(cookie, "list_keys", { websiteId });
    expect(keys.find(({ id }) => id === keyId)).toMatchObject({ name: "Public site", monthlyCap: 500 });

    // One more, made elsewhere: the page learns of the limit from the refusal.
    await page.getByRole("button", { name: "Create key" }).click();
    await dialog.getByLabel("Name").fill("Third");
    await node.rpc(cookie, "create_key", { websiteId, name: "Second" });
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("The free plan allows 2 live keys per website").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.reload();
    await page.getByText("Revoke one before you create another").waitFor();
    expect(await page.getByRole("button", { name: "Create key" }).isDisabled()).toBe(true);

    await page.getByRole("button", { name: "Revoke Public site" }).click();
    await dialog.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("Revoked", { exact: true }).waitFor();
    expect((await read()).status).toBe(401);
    expect(await page.getByRole("button", { name: "Create key" }).isEnabled()).toBe(true);
  });

  test("what is exported from one website and imported into another is the same there", async () => {
    const { page, tenant, cookie, websiteId } = await openSettings("/transfer", { look: { theme: "dark" } });
    await node.call(seedWebsite, systemActor("test"), { websiteId, posts: 12 });
    const second = await node.rpc(cookie, "create_website", { workspaceId: tenant.workspace.id, name: "Second" });
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download export" }).click();
    const file = await (await download).path();
    const whole = await readFile(file, "utf8");

    await page.goto(`/s/${second.id}/settings/transfer`);
    const lines = whole.split("\n");
    const choose = (text: string, name: string) =>
      page.getByLabel("File to import").setInputFiles({ name, mimeType: "application/x-ndjson", buffer: Buffer.from(text) });
    await choose(`${lines.slice(0, 4).join("\n")}\nnot json\n`, "broken.ndjson");
    await page.getByText("broken.ndjson was not imported completely").waitFor();
    await page.getByText("Line 5 is not JSON.").waitFor();
    await page.getByText(/^Imported: /).waitFor();
    await expectNoSeriousFindings(page);
    await choose(whole, "whole.ndjson");
    await page.getByText("whole.ndjson was imported").waitFor();
    await page.getByText(/Imported: 12 posts/).waitFor();
    await page.getByText(/Already here and unchanged: /).waitFor();

    /** Without the first line, which says when and from which website, and the last, which sums up. */
    const content = (text: string) => text.trimEnd().split("\n").slice(1, -1).toSorted();
    const copy = await (await node.fetch(`/api/websites/${second.id}/export`, { cookie })).text();
    expect(content(copy)).toEqual(content(whole));
  });

  test("an import goes on while one is elsewhere, and tells there when it is done", async () => {
    const { page, cookie, websiteId } = await openSettings("/transfer");
    await node.call(seedWebsite, systemActor("test"), { websiteId, posts: 3 });
    const file = await (await node.fetch(`/api/websites/${websiteId}/export`, { cookie })).text();
    const held = Promise.withResolvers<void>();
    await page.route("**/import", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page
      .getByLabel("File to import")
      .setInputFiles({ name: "held.ndjson", mimeType: "application/x-ndjson", buffer: Buffer.from(file) });
    await page.getByRole("progressbar", { name: "Import" }).waitFor();
    await page.getByRole("link", { name: "Fields" }).click();
    await page.getByRole("heading", { name: "Fields", exact: true }).waitFor();
    await page.getByRole("link", { name: "Import and export" }).click();
    await page.getByRole("progressbar", { name: "Import" }).waitFor();
    await page.getByRole("link", { name: "Fields" }).click();
    await page.getByRole("heading", { name: "Fields", exact: true }).waitFor();
    held.resolve();
    await toast(page, "held.ndjson was imported");
    await page.getByRole("link", { name: "Import and export" }).click();
    await page.getByText(/Already here and unchanged: 3 posts/).waitFor();
  });

  test("a website is deleted by its owner with its name typed, and its keys with it", async () => {
    const { page, tenant, cookie, websiteId } = await openSettings("", { look: { device: "phone" } });
    const { key } = await node.rpc(cookie, "create_key", { websiteId, name: "Key" });
    await page.getByRole("button", { name: "Delete website …" }).click();
    const dialog = page.getByRole("dialog");
    const button = dialog.getByRole("button", { name: "Delete website" });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill(tenant.website.name);
    await button.click();
    await page.getByText("No websites yet.").waitFor();
    expect((await fetch(`${node.url}/v1/blog/posts`, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(401);
  });

  test("an admin does everything but delete; an editor has no settings, and is told so at their address", async () => {
    const { page, tenant, websiteId } = await openSettings("/database");
    await page.getByText("Connect a database on MongoDB").waitFor();
    await page.getByRole("link", { name: "Image storage" }).click();
    await page.getByText("Connect a bucket on AWS S3").waitFor();
    await page.context().close();

    const admin = await openPage(browser, await node.signIn(await tenant.addMember("admin")), `/s/${websiteId}/settings`);
    await admin.getByLabel("Title").waitFor();
    expect(await admin.getByRole("button", { name: "Delete website …" }).count()).toBe(0);
    await admin.context().close();

    const editor = await (await browser.open(await node.signIn(await tenant.addMember("editor")), { theme: "dark" })).newPage();
    for (const path of ["", "/webhooks"]) {
      await editor.goto(`/s/${websiteId}/settings${path}`);
      await editor.getByText("You do not have access to this").waitFor();
    }
    expect(await editor.getByRole("link", { name: "Website settings" }).count()).toBe(0);
    await expectNoSeriousFindings(editor);
  });
});
