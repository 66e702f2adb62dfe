import { expect, test } from "vitest";
import { systemActor, userActor } from "#domain/actor";
import { timestamp } from "#domain/time";
import { createAccount } from "#operations/accounts/create-account";
import { connectTool } from "#operations/connections/connect-tool";
import { removeMember } from "#operations/members/remove-member";
import { createWorkspace } from "#operations/workspaces/create-workspace";
import { expectNoSeriousFindings } from "#test/axe";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

const PASSWORD = "correct horse battery";

await withDashboard({ mail: true }, async (node, browser) => {
  await node.makeTenant();
  const makePerson = async (name: string, emailVerified = false) => {
    const email = `${name.toLowerCase()}@example.com`;
    const { id } = await node.call(createAccount, systemActor("test"), { email, name, password: PASSWORD, emailVerified });
    return { id, email, cookie: await node.signIn(id) };
  };
  const linkIn = (email: string): string => /http\S+token=\S+/.exec(node.mails.findLast(({ to }) => to === email)!.text)![0];

  test("an address is confirmed by a letter, then changed with the password and by a letter to the new one", async () => {
    const { email, cookie } = await makePerson("Emmy");
    const page = await openPage(browser, cookie, "/account", { device: "phone" });
    await page.getByText("Not confirmed", { exact: true }).waitFor();
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Send confirmation link" }).click();
    await page.getByText("Link sent to").waitFor();
    await page.goto(linkIn(email));
    await page.getByRole("button", { name: "Confirm address" }).click();
    await page.getByText("Confirmed", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Change address" }).click();
    const dialog = page.getByRole("dialog", { name: "Change your email address" });
    await dialog.getByLabel("New address").fill("noether@example.com");
    await dialog.getByLabel("Your password").fill("not the password");
    await dialog.getByRole("button", { name: "Send link" }).click();
    await dialog.getByText("is not your password").waitFor();
    await expectNoSeriousFindings(page);
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Send link" }).click();
    await page.getByText("Check the inbox of noether@example.com").waitFor();
    await page.getByRole("main").getByText(email).waitFor();

    await page.goto(linkIn("noether@example.com"));
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Use this address" }).click();
    await page.getByText("noether@example.com is confirmed").waitFor();
    await page.goto(linkIn("noether@example.com"));
    await page.getByRole("button", { name: "Confirm address" }).click();
    await page.getByText("This link was used").waitFor();
  });

  test("whoever opens such a letter without being signed in is asked to, and comes back to it", async () => {
    const { id, email } = await makePerson("Sofia");
    await node.rpc(await node.signIn(id), "send_email_proof", {});
    const page = await openPage(browser, null, linkIn(email));
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Confirm address" }).click();
    await page.getByText("Confirmed", { exact: true }).waitFor();
  });

  test("where passkeys cannot be made, the page says what would have to change", async () => {
    const { cookie } = await makePerson("Hedy");
    const page = await openPage(browser, cookie, "/account/security");
    await page.getByText("Passkeys need a domain. Set PUBLIC_URL and restart.").waitFor();
    expect(await page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
  });

  test("one's own connected apps of all workspaces are listed once, and disconnected", async () => {
    const { id, cookie } = await makePerson("Ida", true);
    const actor = userActor(id);
    const { id: press } = await node.call(createWorkspace, actor, { name: "Press" });
    await node.call(createWorkspace, actor, { name: "Garden" });
    const client = { id: "client", host: null, redirectHost: "claude.example" };
    await node.call(connectTool, actor, { kind: "ai", client: { ...client, name: "Claude" }, workspaces: "all", allowDelete: true });
    await node.call(connectTool, actor, { kind: "ai", client: { ...client, name: "Other" }, workspaces: press });
    const page = await openPage(browser, cookie, "/account/connected-apps", { theme: "dark" });
    const rows = page.getByRole("list", { name: "Your connected apps" }).getByRole("listitem");
    await rows.nth(1).waitFor();
    expect((await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ")).toSorted()).toEqual([
      expect.stringMatching(/^claude\.example \(“Claude”\) Can delete .*All your workspaces .*not used yet/),
      expect.stringMatching(/^claude\.example \(“Other”\) Cannot delete .*Press .*not used yet/),
    ]);
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Disconnect claude.example (“Claude”)" }).click();
    await page.getByRole("dialog", { name: "Disconnect claude.example (“Claude”)?" }).getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("claude.example (“Claude”) is disconnected").waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    expect((await node.services.connections.listOf(id)).map(({ client: { name } }) => name)).toEqual(["Other"]);
  });

  test("a connected app of a workspace that one has left is listed as one without access, and disconnected", async () => {
    const { id, cookie } = await makePerson("Joan");
    const { actor: owner, workspace } = await node.makeTenant();
    const joinedAt = timestamp(new Date());
    await node.services.platform.members.add({ workspaceId: workspace.id, userId: id, role: "author", joinedAt });
    const client = { id: "client", name: "Claude", host: null, redirectHost: "claude.example" };
    await node.call(connectTool, userActor(id), { kind: "ai", client, workspaces: workspace.id });
    await node.call(removeMember, owner, { workspaceId: workspace.id, userId: id });
    const page = await openPage(browser, cookie, "/account/connected-apps");
    const row = page.getByRole("list", { name: "Your connected apps" }).getByRole("listitem");
    await row.getByText("No access").waitFor();
    await row.getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("No connected apps", { exact: true }).waitFor();
    expect(await node.services.connections.listOf(id)).toEqual([]);
  });
});
