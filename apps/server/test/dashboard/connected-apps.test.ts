import { expect, test } from "vitest";
import { expectNoSeriousFindings } from "#test/axe";
import type { BrowserOptions } from "#test/test-browser";
import { openClient, type TestClient } from "#test/mcp/client";
import { connect, type ConnectedTool } from "#test/oauth/sign-in";
import type { Tenant } from "#test/services";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

const PASSWORD = "correct horse battery staple";

await withDashboard({}, async (node, browser) => {
  const tenant = await node.makeTenant();
  const cookie = await node.signIn(tenant.owner);

  const apps = () => `/w/${tenant.workspace.id}/connected-apps`;

  const open = (path: string, options?: BrowserOptions, as = cookie) => openPage(browser, as, path, options);

  /** A member with a password and a role, and a real client signed in as them. */
  async function connectTool(
    person: { id: Tenant["owner"]["id"] },
    clientName: string,
  ): Promise<{ tool: ConnectedTool; client: TestClient }> {
    const tool = await connect(node, person, { workspaces: tenant.workspace.id, clientName });
    return { tool, client: await openClient(node, tool.accessToken) };
  }

  test("the page shows how to connect, and turns green when the first call arrives", async () => {
    const page = await open(apps());
    await page.getByText("No connected apps yet").waitFor();
    expect(await page.getByLabel("MCP address", { exact: true }).textContent()).toBe(`${node.url}/mcp`);
    // Nobody but this computer reaches the address, so that what is shown first is an assistant that runs on it.
    await page.getByText(`claude mcp add --transport http stet ${node.url}/mcp`).waitFor();
    await page.getByRole("tab", { name: "ChatGPT" }).click();
    await page.getByText("This address works only on this computer").waitFor();
    await expectNoSeriousFindings(page);
    const { client } = await connectTool(tenant.owner, "Claude");
    await page.getByText("App on a computer (“Claude”) is signed in.").waitFor();
    await client.call("list_posts");
    await page.getByText("Connected: App on a computer (“Claude”) made its first call.").waitFor();
    await client.close();
  });

  test("an owner reads what a tool did, compares, and undoes it with a preview", async () => {
    const websiteId = tenant.website.id;
    const mine = await node.rpc(cookie, "create_post", { websiteId, title: "Bread at home", body: "Flour and water." });
    await node.rpc(cookie, "publish_post", { websiteId, postId: mine.id, expectedVersion: 1 });
    const shared = await node.rpc(cookie, "create_post", { websiteId, title: "Shared work", body: "Begun." });
    const { tool, client } = await connectTool(tenant.owner, "Cursor");
    await client.call("update_post", { post: mine.id, expectedVersion: 2, title: "BREAD!!!", body: "Buy bread." });
    await client.call("publish_post", { post: mine.id, expectedVersion: 3 });
    await client.call("publish_post", { post: mine.id, expectedVersion: 4 });
    await client.call("create_post", { title: "Spam", body: "Spam." });
    await client.call("update_post", { post: shared.id, expectedVersion: 1, body: "Begun by a tool." });
    await client.call("delete_post", { post: shared.id, expectedVersion: 2 });
    await node.rpc(cookie, "edit_post", { websiteId, postId: shared.id, expectedVersion: 2, body: "Begun by a tool, mended." });
    // A refused call is in the log within a second, not before its answer.
    const connectionId = tool.connection.id;
    await expect
      .poll(async () => (await node.rpc(cookie, "list_tool_calls", { workspaceId: tenant.workspace.id, connectionId })).items, {
        timeout: 30_000,
      })
      .toHaveLength(6);

    const page = await open(apps());
    await page.getByRole("list", { name: "Connected apps" }).getByRole("link", { name: "Cursor" }).click();
    const log = page.getByRole("region", { name: "Calls" });
    const refused = log.getByRole("listitem").filter({ hasText: "Refused: access does not allow it" });
    await refused.getByRole("link", { name: "Shared work" }).waitFor();
    await log.getByText("Nothing changed").waitFor();
    const line = log.getByRole("listitem").filter({ hasText: "Update post" }).filter({ hasText: "BREAD!!!" });
    await line.getByText("Version 2 → 3").waitFor();
    // What it wrote itself has nothing before it to be compared with.
    const written = log.getByRole("listitem").filter({ hasText: "Spam" });
    await written.getByText("Created").waitFor();
    expect(await written.getByRole("button", { name: "What changed" }).count()).toBe(0);
    await expectNoSeriousFindings(page);
    await line.getByRole("button", { name: "What changed" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("region", { name: "Text" }).locator("ins").first().waitFor();
    await page.keyboard.press("Escape");

    await line.getByRole("button", { name: "Undo from here" }).click();
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByText(/^Changes since \d+ \w+ \d{4}/).waitFor();
    const willBe = dialog.getByRole("region", { name: "Will be undone" });
    await willBe.getByRole("listitem").filter({ hasText: "BREAD!!!" }).getByText("Live version reverted").waitFor();
    await willBe.getByRole("listitem").filter({ hasText: "Spam" }).getByText("To the trash").waitFor();
    await dialog.getByRole("region", { name: "Will be skipped" }).getByText(`${tenant.owner.name} changed it later.`).waitFor();
    await dialog.getByText("2 changes will be undone; 1 item will be skipped").waitFor();
    await expectNoSeriousFindings(page);
    await dialog.getByRole("button", { name: "Undo 2 changes" }).click();
    await dialog.getByText("2 changes undone").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("button", { name: "Undo changes …" }).click();
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByText("Nothing left to undo. The rest is skipped, for these reasons.").waitFor();
    expect(await dialog.getByRole("button", { name: /^Undo/ }).count()).toBe(0);
    await page.context().close();

    const bread = await node.rpc(cookie, "get_post", { websiteId, postId: mine.id });
    expect([bread.status, bread.live?.content.title, bread.working.body]).toEqual(["published", "Bread at home", "Flour and water."]);
    expect((await node.rpc(cookie, "get_post", { websiteId, postId: shared.id })).working.body).toBe("Begun by a tool, mended.");
    await client.close();
    expect(tool.connection.allowDelete).toBe(false);
  });

  test("what an assistant changes where the website holds it waits in the editor, and goes live when it is accepted", async () => {
    const websiteId = tenant.website.id;
    const { version } = await node.rpc(cookie, "get_website", { websiteId });
    await node.rpc(cookie, "update_website", { websiteId, expectedVersion: version, settings: { holdToolChanges: true } });
    const { client } = await connectTool(tenant.owner, "Claude");
    const { id: post } = await node.rpc(cookie, "create_post", { websiteId, title: "Held", body: "As readers know it." });
    await node.rpc(cookie, "publish_post", { websiteId, postId: post, expectedVersion: 1 });
    await client.call("update_post", { post, expectedVersion: 2, body: "Better words." });
    await client.call("publish_post", { post, expectedVersion: 2 });
    await client.close();
    const read = async () => (await node.rpc(cookie, "get_post", { websiteId, postId: post })).live?.content.body;
    expect(await read()).toBe("As readers know it.");
    const page = await open(`/s/${websiteId}/posts/${post}`);
    await page.getByText("App on a computer (“Claude”) suggests changes to text, and asks to publish them").waitFor();
    await page.getByRole("button", { name: "Accept and publish" }).click();
    await page.getByText("Accepted and published. Readers see the changes now.").waitFor();
    expect(await read()).toBe("Better words.");
  });

  test("an author lets a tool delete with the password, narrows it without, and an admin ends it", async () => {
    const account = await node.services.accounts.create({ email: "ada.author@example.com", name: "Ada Author", password: PASSWORD });
    await node.services.platform.members.add({
      workspaceId: tenant.workspace.id,
      userId: account!.id,
      role: "author",
      joinedAt: account!.createdAt,
    });
    const { tool, client } = await connectTool(account!, "ChatGPT");
    const author = await open(`${apps()}/${tool.connection.id}`, { device: "phone", theme: "dark" }, await node.signIn(account!));
    await author.getByText("Not allowed", { exact: true }).waitFor();
    await expectNoSeriousFindings(author);
    await author.getByRole("button", { name: "Change access …" }).click();
    const dialog = author.getByRole("dialog");
    await dialog.getByRole("switch", { name: "Allow deleting" }).click();
    await dialog.getByLabel("Your password").fill("wrong");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("is not your password", { exact: false }).waitFor();
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await expectNoSeriousFindings(author);
    await dialog.getByRole("button", { name: "Save" }).click();
    await author.getByText("Allowed: posts and images").waitFor();
    await author.goto(apps());
    await author.getByRole("list", { name: "Connected apps" }).getByText("ChatGPT").waitFor();
    expect(
      await author
        .getByText("Cursor")
        .filter({ hasNot: author.getByRole("tab") })
        .count(),
    ).toBe(1);
    await author.context().close();

    const owner = await open(`${apps()}/${tool.connection.id}`);
    await owner.getByText("Ada Author, within their role").waitFor();
    await owner.getByRole("button", { name: "Change access …" }).click();
    await owner.getByRole("switch", { name: "Allow deleting" }).click();
    await owner.getByRole("button", { name: "Save" }).click();
    await owner.getByText("Not allowed", { exact: true }).waitFor();
    expect((await client.call("list_posts")).isError).toBe(false);
    await owner.getByRole("button", { name: "Disconnect …" }).click();
    await owner.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await owner.waitForURL(`**${apps()}`);
    await owner.getByRole("region", { name: "Disconnected" }).getByText("ChatGPT").waitFor();
    await owner.getByRole("region", { name: "Disconnected" }).getByRole("link", { name: "ChatGPT" }).click();
    await owner.getByText(`, by ${tenant.owner.name}`).waitFor();
    await expect(client.call("list_posts")).rejects.toThrow();
  });
});
