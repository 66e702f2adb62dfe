import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { systemActor, userActor } from "#domain/actor";
import { createAccount } from "#operations/accounts/create-account";
import { createWorkspace } from "#operations/workspaces/create-workspace";
import { expectNoSeriousFindings } from "#test/axe";
import { openPage } from "#test/dashboard/open-page";
import { withDashboard } from "#test/with-dashboard";
import { authorizeUrl, pkce, register, token } from "./sign-in.ts";

await withDashboard({}, async (node, browser) => {
  /** The program on the person's machine: answers are seen here. */
  const program = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Done</h1>"));
  program.listen(0, "127.0.0.1");
  await once(program, "listening");
  const callback = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
  afterAll(async () => {
    program.closeAllConnections();
    program.close();
  });

  const begin = async (page: Page) => {
    const clientId = await register(node, { client_name: "Claude Code", redirect_uris: [callback] });
    const { verifier, challenge } = pkce();
    await page.goto(authorizeUrl(node, { client_id: clientId, redirect_uri: callback, code_challenge: challenge }));
    return { clientId, verifier };
  };

  test("a person signs in, chooses one workspace, allows, and the program is connected", async () => {
    const { id } = await node.call(createAccount, systemActor("test"), {
      email: "ada.consents@example.com",
      name: "Ada",
      password: "correct horse battery",
    });
    await node.call(createWorkspace, userActor(id), { name: "Garden" });
    const notes = await node.call(createWorkspace, userActor(id), { name: "Notes" });
    const context = await browser.open(null);
    const page = await context.newPage();
    const { clientId, verifier } = await begin(page);
    await page.getByLabel("Email").fill("ada.consents@example.com");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Connect an app on this computer to Stet?" }).waitFor();
    await expectNoSeriousFindings(page);
    expect(await page.getByLabel("Allow deleting").isChecked()).toBe(false);
    await page.getByLabel("Notes").check();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: "Done" }).waitFor();
    const code = new URL(page.url()).searchParams.get("code")!;
    const form = { grant_type: "authorization_code", client_id: clientId, redirect_uri: callback, code, code_verifier: verifier };
    const { access_token: access } = (await (await token(node, form)).json()) as Record<string, string>;
    expect((await node.accessTokens.find(access!))?.connection).toMatchObject({ userId: id, workspaces: notes.id, allowDelete: false });
    await context.close();
  });

  test("Deny goes back to the program without a code", async () => {
    const { owner } = await node.makeTenant();
    const context = await browser.open(await node.signIn(owner), { device: "phone", theme: "dark" });
    const page = await context.newPage();
    await begin(page);
    await expectNoSeriousFindings(page);
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("heading", { name: "Done" }).waitFor();
    expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
    expect(await node.services.connections.listOf(owner.id)).toEqual([]);
    await context.close();
  });

  test("the page for a code is reached by keyboard alone and leads to the same question", async () => {
    const { owner } = await node.makeTenant();
    const started = await fetch(`${node.url}/oauth/device/authorize`, {
      method: "POST",
      body: new URLSearchParams({ client_id: "stet-cli", scope: "mcp offline_access" }),
    });
    const { verification_uri_complete: address } = (await started.json()) as Record<string, string>;
    const page = await openPage(browser, await node.signIn(owner), address!);
    await expectNoSeriousFindings(page);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Connect Stet command line to Stet?" }).waitFor();
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: "Connected" }).waitFor();
  });
});
