import { expect, test } from "vitest";
import { systemActor, userActor } from "#domain/actor";
import { createAccount } from "#operations/accounts/create-account";
import { createWorkspace } from "#operations/workspaces/create-workspace";
import { expectNoSeriousFindings } from "#test/axe";
import { openPage } from "#test/dashboard/open-page";
import { withDashboard } from "#test/with-dashboard";

await withDashboard({}, (node, browser) => {
  test("a person makes a token for a script, sees it once, and finds it among the connected apps", async () => {
    const password = "correct horse battery";
    const { id } = await node.call(createAccount, systemActor("test"), { email: "ada.scripts@example.com", name: "Ada", password });
    const workspace = await node.call(createWorkspace, userActor(id), { name: "Garden" });
    const page = await openPage(browser, await node.signIn(id), `/w/${workspace.id}/connected-apps`, { device: "phone" });
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByLabel("Name").fill("Nightly build");
    await page.getByLabel("Your password").fill("guessed wrongly");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByText("not your password").waitFor();
    await expectNoSeriousFindings(page);
    await page.getByLabel("Your password").fill(password);
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("heading", { name: "Nightly build is ready" }).waitFor();
    await expectNoSeriousFindings(page);
    const token = /stetci_[\w-]{43}\.[0-9a-f]{16}/.exec(await page.getByRole("dialog").innerText())?.[0] ?? "";
    expect((await node.accessTokens.find(token))?.connection).toMatchObject({ kind: "ci", workspaces: workspace.id, allowDelete: false });
    await page.getByRole("button", { name: "I saved it" }).click();
    await page.getByRole("list", { name: "Connected apps" }).getByText("Nightly build").waitFor();
    expect(await page.content()).not.toContain(token);
  });
});
