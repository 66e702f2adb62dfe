import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { toolOf } from "#test/connected-tool";
import { systemActor } from "#domain/actor";
import { createTerm } from "#operations/terms/create-term";
import { expectNoSeriousFindings } from "#test/axe";
import { openDashboardNode } from "#test/dashboard-node";
import { type BrowserOptions, openBrowser } from "#test/test-browser";
import type { Tenant } from "#test/services";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

await withDashboard({}, (node, browser) => {
  /** A tenant of its own, and a page of its workspace's settings. */
  async function openSettings(
    path: string,
    look?: BrowserOptions,
  ): Promise<{ page: Page; tenant: Tenant; cookie: string; workspaceId: string; websiteId: string }> {
    const tenant = await node.makeTenant();
    const cookie = await node.signIn(tenant.owner);
    const page = await openPage(browser, cookie, `/w/${tenant.workspace.id}${path}`, look);
    return { page, tenant, cookie, workspaceId: tenant.workspace.id, websiteId: tenant.website.id };
  }

  test("someone is invited by a link, joins, gets another role, and is out with the next request after being removed", async () => {
    const { page, workspaceId, websiteId } = await openSettings("/members");
    const dialog = page.getByRole("dialog");
    const guest = await node.makeAccount(`Grace <b onclick="1">Hopper</b>`);
    await page.getByRole("button", { name: "Invite" }).click();
    await dialog.getByRole("button", { name: "Invite" }).click();
    await dialog.getByText("must be an email address").waitFor();
    await dialog.getByLabel("Email address").fill(guest.email);
    await dialog.getByLabel("Role").selectOption("contributor");
    await dialog.getByText("Writes drafts and requests reviews").waitFor();
    await dialog.getByText("What a contributor can do").click();
    await dialog.getByText("Edit posts (own only)").waitFor();
    await expectNoSeriousFindings(page);
    await dialog.getByRole("button", { name: "Invite" }).click();
    await dialog.getByText("Email is not set up here.").waitFor();
    const link = (await dialog.getByLabel("invitation link", { exact: true }).textContent()) ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText(guest.email).waitFor();
    expect(await page.content()).not.toContain(link);

    const theirs = await node.signIn(guest);
    await node.rpc(theirs, "accept_invitation", { token: link.split("/").at(-1)! });
    await page.reload();
    const role = page.getByLabel(`Role of ${guest.name}`);
    await role.selectOption("editor");
    await page.getByText(`${guest.name} now has the role editor.`).waitFor();
    expect((await node.rpc(theirs, "get_workspace", { workspaceId })).role).toBe("editor");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await node.rpc(theirs, "get_workspace", { workspaceId })).role).toBe("contributor");

    await page.getByRole("button", { name: `Remove ${guest.name}` }).click();
    await dialog.getByRole("button", { name: "Remove member" }).click();
    await role.waitFor({ state: "detached" });
    await expect(node.rpc(theirs, "get_website", { websiteId })).rejects.toThrow("NOT_FOUND");
  });

  test("an invitation is withdrawn, and the roles are explained from the policy's own table", async () => {
    const { page, cookie, workspaceId } = await openSettings("/members", { device: "phone", theme: "dark" });
    await node.rpc(cookie, "invite_member", { workspaceId, email: "late@example.com", role: "admin" });
    await page.reload();
    await page.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await page.getByText("No open invitations.").waitFor();
    await page.getByText("All permissions").click();
    const row = page.getByRole("row", { name: /Publish, schedule/ });
    const marks = await row
      .getByRole("cell")
      .evaluateAll((cells) => cells.map((cell) => cell.querySelector("[aria-label]")?.getAttribute("aria-label") ?? cell.textContent));
    expect(marks).toEqual(["Yes", "Yes", "Yes", "Own only", "No", "Yes"]);
  });

  test("a downgrade that does not fit lists what to change first; one that fits changes the plan", async () => {
    const { page, cookie, workspaceId, websiteId } = await openSettings("/plan");
    const dialog = page.getByRole("dialog");
    for (const name of ["One", "Two", "Three"]) await node.rpc(cookie, "create_key", { websiteId, name });
    await page.reload();
    await page.getByRole("meter", { name: "Websites" }).waitFor();
    await page.getByRole("button", { name: "Downgrade to Free" }).click();
    await dialog.getByText(/allows 2 live keys per website .* has 3\. Revoke 1/).waitFor();
    expect(await dialog.getByRole("button", { name: "Change plan" }).count()).toBe(0);
    await expectNoSeriousFindings(page);
    await dialog.getByRole("link", { name: /^Keys of/ }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("button", { name: "Downgrade to Starter" }).click();
    // What is added between looking and changing is refused with the same list.
    await dialog.getByRole("button", { name: "Change plan" }).waitFor();
    const { id } = await node.rpc(cookie, "create_website", { workspaceId, name: "Second" });
    await dialog.getByRole("button", { name: "Change plan" }).click();
    await dialog.getByText("The plan has room for 1 website and the workspace has 2.").waitFor();
    await node.rpc(cookie, "delete_website", { websiteId: id, confirmName: "Second" });
    await page.reload();
    await page.getByRole("button", { name: "Downgrade to Starter" }).click();
    await dialog.getByRole("button", { name: "Change plan" }).click();
    await page.getByText("The workspace is on the starter plan now.").waitFor();
    await page.getByRole("button", { name: "Upgrade to Team" }).waitFor();
    expect((await node.rpc(cookie, "get_usage", { workspaceId })).plan).toBe("starter");
  });

  test("where plans are changed by whoever runs the install, the page says so", async () => {
    // Its pages are built already.
    const governed = await openDashboardNode({ planChanges: "operator", pages: false });
    const theirs = await openBrowser(governed);
    const { owner, workspace } = await governed.makeTenant();
    const page = await openPage(theirs, await governed.signIn(owner), `/w/${workspace.id}/plan`, { device: "phone" });
    await page.getByText("Plans on this server are managed by its administrator.").waitFor();
    expect(await page.getByRole("button", { name: /grade to/ }).count()).toBe(0);
    await theirs.close();
    await governed.stop();
  });

  test("the activity log tells who did what, by person, tool, action, website and time", async () => {
    const { page, tenant, cookie, workspaceId, websiteId } = await openSettings("/activity", { theme: "dark" });
    const admin = await tenant.addMember("admin");
    const second = await node.rpc(cookie, "create_website", { workspaceId, name: "Second" });
    await node.rpc(await node.signIn(admin), "create_key", { websiteId: second.id, name: "<i>Theirs</i>" });
    const tool = await toolOf(node.services, tenant.owner.id);
    await node.call(createTerm, tool, { websiteId, kind: "tag", name: "News" });
    await node.call(createTerm, systemActor("import"), { websiteId, kind: "tag", name: "Old" });
    await page.reload();
    const shown = async (expected: readonly string[]) => {
      const lines = page.getByRole("list", { name: "Activity" }).locator("summary > span:nth-child(2) > span:first-child");
      await expect.poll(() => lines.allTextContents()).toEqual(expected);
    };
    const { name } = tenant.owner;
    const { name: adminName } = await node.services.accounts.get(admin.userId).then((account) => account!);
    const [tag, old] = [`A connected app of ${name} created the tag News`, "Stet created the tag Old"];
    const key = `${adminName} created the key <i>Theirs</i>`;
    const made = (what: string) => `${name} created the ${what}`;
    const websites = [made("website Second"), made(`website ${tenant.website.name}`)];
    await shown([old, tag, key, ...websites, made(`workspace ${tenant.workspace.name}`)]);
    await expectNoSeriousFindings(page);

    await page.getByLabel("Action").selectOption("create_website");
    await shown(websites);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByLabel("Person").selectOption(admin.userId);
    await shown([key]);
    await page.getByText("Details").click();
    await page.getByText("Monthly cap").waitFor();
    await page.getByLabel("Person").selectOption("");
    await page.getByLabel("Source").selectOption("tool");
    await shown([tag]);
    await page.getByLabel("Source").selectOption("");
    await page.getByLabel("Website").selectOption(second.id);
    await page.getByLabel("Time").selectOption("7");
    await shown([key]);
    await page.reload();
    await shown([key]);
    await page.getByLabel("Time").selectOption("..");
    await page.getByLabel("To", { exact: true }).fill("2020-01-01");
    await page.getByText("No matching activity").waitFor();
    await page.getByRole("button", { name: "Show all activity" }).click();
    await shown([old, tag, key, ...websites, made(`workspace ${tenant.workspace.name}`)]);
  });

  test("the activity log goes on where a page of it ends", async () => {
    const { page, cookie, workspaceId } = await openSettings("/activity", { device: "phone" });
    for (let i = 0; i < 55; i++) await node.rpc(cookie, "rename_workspace", { workspaceId, name: `Name ${i}` });
    await page.reload();
    const lines = page.getByRole("list", { name: "Activity" }).getByRole("listitem");
    await expect.poll(() => lines.count()).toBe(50);
    await page.getByRole("button", { name: "Load more" }).click();
    await expect.poll(() => lines.count()).toBe(57);
    expect(await page.getByRole("button", { name: "Load more" }).count()).toBe(0);
  });

  test("an author reads who is here and what is used, and is offered nothing else", async () => {
    const { page: owners, tenant, workspaceId } = await openSettings("/connected-apps");
    await owners.getByText("No connected apps yet").waitFor();
    await owners.context().close();
    const page = await openPage(browser, await node.signIn(await tenant.addMember("author")), `/w/${workspaceId}/members`, {
      device: "phone",
    });
    await page.getByRole("table", { name: "Members" }).getByText(tenant.owner.name, { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Invite" }).count()).toBe(0);
    expect(await page.getByText(tenant.owner.email).count()).toBe(0);
    await page.goto(`/w/${workspaceId}/plan`);
    await page.getByText("Only the owner of the workspace can change the plan.").waitFor();
    await page.goto(`/w/${workspaceId}/activity`);
    await page.getByText("You do not have access to this").waitFor();
  });

  test("a workspace is renamed, handed over, left and deleted, the last with its name typed", async () => {
    const { page, tenant, workspaceId } = await openSettings("");
    const dialog = page.getByRole("dialog");
    const heir = await tenant.addMember("editor");
    await page.getByLabel("Workspace name").fill("Garden & Sons");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Workspace renamed.").waitFor();
    await page.reload();
    expect(await page.getByRole("button", { name: "Leave …" }).isDisabled()).toBe(true);
    await page.getByLabel("New owner").selectOption(heir.userId);
    await page.getByRole("button", { name: "Transfer …" }).click();
    await dialog.getByRole("textbox").fill("Garden & Sons");
    await dialog.getByRole("button", { name: "Transfer ownership" }).click();
    await page.getByText("You are a member with the role admin.").waitFor();
    expect(await page.getByRole("button", { name: "Delete workspace …" }).count()).toBe(0);
    await page.getByRole("button", { name: "Leave …" }).click();
    await dialog.getByRole("button", { name: "Leave workspace" }).click();
    await page.waitForURL("**/welcome");
    await page.context().close();

    const theirs = await openPage(browser, await node.signIn(heir), `/w/${workspaceId}`, { device: "phone", theme: "dark" });
    await theirs.getByRole("button", { name: "Delete workspace …" }).click();
    const last = theirs.getByRole("dialog");
    await last.getByText("1 website with all posts, images and keys").waitFor();
    await last.getByRole("textbox").fill("Garden");
    expect(await last.getByRole("button", { name: "Delete workspace" }).isDisabled()).toBe(true);
    await last.getByRole("textbox").fill("Garden & Sons");
    await last.getByRole("button", { name: "Delete workspace" }).click();
    await theirs.waitForURL("**/welcome");
    expect(await node.services.platform.workspaces.get(tenant.workspace.id)).toBeNull();
  });
});
