import { createClient } from "@stet/client";
import { expect, test } from "vitest";
import { setupToken } from "#operations/without-actor/setup";
import { expectNoSeriousFindings } from "#test/axe";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

await withDashboard({ isAlone: true }, (node, browser) => {
  test("an empty install says where its setup link is, and tells nobody what the link is", async () => {
    const page = await openPage(browser, null, "/", { device: "phone" });
    await page.getByRole("heading", { name: "Almost there" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    expect(await page.content()).not.toContain(setupToken(node.services));
    await expectNoSeriousFindings(page);

    await page.goto("/setup/not-the-token");
    await page.getByLabel("Your name").fill("Mallory");
    await page.getByLabel("Email").fill("mallory@example.com");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Workspace").fill("Mine");
    await page.getByLabel("Website").fill("Mine");
    await page.getByRole("button", { name: "Finish setup" }).click();
    await page.getByRole("heading", { name: "This link does not work" }).waitFor();
  });

  test("from the setup link to a website that reads and a first post that it reads, with the key shown once and kept nowhere", async () => {
    const context = await browser.open(null, { theme: "dark" });
    const page = await context.newPage();
    await page.goto(`/setup/${setupToken(node.services)}`);
    await page.getByLabel("Your name").fill("Ada Lovelace");
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Workspace").fill("Analytical Engines");
    await page.getByLabel("Website").fill("  ");
    await page.getByRole("button", { name: "Finish setup" }).click();
    expect(await page.getByRole("alert").innerText()).toMatch(/^Must not be empty/);
    await page.getByRole("button", { name: "Back" }).click();
    expect(await page.getByLabel("Email").inputValue()).toBe("ada@example.com");
    await page.getByRole("button", { name: "Continue" }).click();
    expect(await page.getByLabel("Workspace").inputValue()).toBe("Analytical Engines");
    await page.getByLabel("Website").fill("Notes");
    expect(await page.getByRole("switch", { name: "Add sample posts" }).isChecked()).toBe(true);
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Finish setup" }).click();

    await page.waitForURL(/\/s\/site_\w+\/connect$/);
    const key = await page.getByLabel("the key", { exact: true }).innerText();
    const snippet = page.getByRole("tabpanel");
    await page.getByText("Waiting for the first request").waitFor();
    await expectNoSeriousFindings(page);
    for (const name of ["fetch", "JavaScript", "Astro", "Next.js", "curl"]) {
      await page.getByRole("tab", { name }).click();
      expect(await snippet.innerText(), name).toContain(key);
      expect(await snippet.innerText(), name).toContain(node.url);
    }
    const kept = await page.evaluate("JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }])");
    expect(kept).not.toContain(key);
    const cookies = await context.cookies();
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: "stet.session_token", httpOnly: true, sameSite: "Lax" },
    ]);

    // As the snippet says.
    const [, address = "", header = ""] = /curl "([^"]+)" \\\s+-H "Authorization: ([^"]+)"/.exec(await snippet.innerText()) ?? [];
    const answer = await fetch(address, { headers: { Authorization: header } });
    expect(await answer.json()).toMatchObject({ data: { length: 10 } });
    await page.getByText("Your website is connected").waitFor();
    await expectNoSeriousFindings(page);
    await page.getByRole("tab", { name: "JavaScript" }).click();
    const [, url = "", apiKey = ""] = /createClient\(\{ url: "([^"]+)", apiKey: "([^"]+)" \}\)/.exec(await snippet.innerText()) ?? [];
    expect((await createClient({ url, apiKey }).posts.list({ limit: 10 })).items).toHaveLength(10);

    await page.reload();
    await page.getByText("A key is shown only once").waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole("button", { name: "Create a new key" }).click();
    expect(await page.getByLabel("the key", { exact: true }).innerText()).not.toBe(key);
    await page.getByText("Waiting for the first request").waitFor();

    const newKey = await page.getByLabel("the key", { exact: true }).innerText();
    await page.getByRole("button", { name: "Write your first post" }).click();
    await page.waitForURL(/\/s\/site_\w+\/posts\/post_\w+$/);
    await page.locator(".ProseMirror").waitFor();
    await page.getByLabel("Title", { exact: true }).fill("Notes on the engine");
    await page.locator(".ProseMirror").fill("It weaves algebraical patterns.");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish now" }).click();
    await page.getByText("Published. Readers see it now.").waitFor();
    const read = await fetch(`${node.url}/v1/blog/posts/notes-on-the-engine`, { headers: { Authorization: `Bearer ${newKey}` } });
    expect(await read.json()).toMatchObject({ data: { title: "Notes on the engine", body: { html: expect.stringContaining("weaves") } } });

    await page.goto(`/setup/${setupToken(node.services)}`);
    await page.getByRole("heading", { name: "Stet is already set up" }).waitFor();
    await context.close();
  });

  test("where accounts begin with an invitation and no mail is sent, the pages say what to do instead", async () => {
    const page = await openPage(browser, null, "/sign-up");
    await page.getByRole("heading", { name: "By invitation only" }).waitFor();
    await expectNoSeriousFindings(page);
    await page.goto("/forgot-password");
    await page.getByText("user reset-link").waitFor();
    await expectNoSeriousFindings(page);
    await page.goto("/reset-password");
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  });
});
