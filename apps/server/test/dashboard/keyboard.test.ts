import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";
import { postWriter } from "./post-writer.ts";

/** What the next key would act on, by its label or its words. */
const focused = (page: Page) => () =>
  page.evaluate<string>(
    `(({ activeElement: at }) => at.getAttribute("aria-label") ?? at.labels?.[0]?.innerText ?? (at === document.body ? "nothing" : at.innerText))(document)`,
  );
const focusIsOn = (page: Page, name: string) => expect.poll(focused(page)).toBe(name);

await withDashboard({}, (node, browser) => {
  test("the palette finds a post while its title is typed letter by letter, and begins one", async () => {
    const tenant = await node.makeTenant();
    const writer = await postWriter(node, tenant);
    for (const title of ["Nobody wants backups", "Notes", "Nothing new"]) await writer.draft(title);
    const wanted = await writer.draft("Noise has a shape");
    const page = await openPage(browser, writer.cookie, `/s/${writer.websiteId}`);
    await page.getByRole("heading", { name: "Continue writing" }).waitFor();

    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Search and commands" });
    for (const letter of "noise") {
      await page.keyboard.press(letter);
      await palette.getByRole("option", { name: /Noise has a shape/ }).waitFor();
    }
    await palette.getByRole("option", { name: /Nobody/ }).waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`/posts/${wanted.id}$`));

    await page.goto(`/s/${writer.websiteId}/tags`);
    await page.getByRole("heading", { name: "Tags", exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    await palette.waitFor();
    await page.keyboard.type("new po");
    await palette.getByRole("option", { name: "New post", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await focusIsOn(page, "Title");
  });

  test("tags are typed one after the other with Enter, and it is the typed one that is taken, however slow the server", async () => {
    const tenant = await node.makeTenant();
    const writer = await postWriter(node, tenant);
    const tags = ["Alpha", "Beta", "Gamma"];
    for (const name of tags) await node.rpc(writer.cookie, "create_term", { websiteId: writer.websiteId, kind: "tag", name });
    const { id } = await writer.draft("Letters");
    const page = await openPage(browser, writer.cookie, `/s/${writer.websiteId}/posts/${id}`);
    const panel = page.getByRole("group", { name: "Tags" });
    const chosen = () => panel.getByRole("listitem").allTextContents();
    await page.getByRole("button", { name: "Choose tags" }).click();
    await page.getByRole("option", { name: "Beta" }).waitFor();
    const { promise: answers, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/api/rpc/list_terms", async (route) => {
      await answers;
      await route.continue();
    });
    await page.keyboard.type("gam");
    await page.keyboard.press("Enter");
    await page.keyboard.type("beta");
    await page.keyboard.press("Enter");
    await expect.poll(chosen).toEqual(["Gamma", "Beta"]);
    // One that nobody knows yet is offered when the server has said so.
    await page.keyboard.type("Delta");
    expect(await page.getByRole("option").count()).toBe(0);
    answer();
    await page.getByRole("option", { name: "Add “Delta”", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(chosen).toEqual(["Gamma", "Beta", "Delta"]);

    // New ones as well, one before the other is there.
    const { promise: room, resolve: makeRoom } = Promise.withResolvers<void>();
    await page.route("**/api/rpc/create_term", async (route) => {
      await room;
      await route.continue();
    });
    for (const name of ["Epsilon", "Zeta"]) {
      await page.keyboard.type(name);
      await page.getByRole("option", { name: `Add “${name}”`, selected: true }).waitFor();
      await page.keyboard.press("Enter");
    }
    await page.keyboard.type("alp");
    await page.getByRole("option", { name: "Alpha", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(chosen).toEqual(["Gamma", "Beta", "Delta", "Alpha"]);
    makeRoom();
    await expect.poll(async () => (await chosen()).toSorted()).toEqual(["Alpha", "Beta", "Delta", "Epsilon", "Gamma", "Zeta"]);
  });

  test("a dialog begins at its first field, and gives the focus back to what opened it, or to what is left", async () => {
    const tenant = await node.makeTenant();
    const writer = await postWriter(node, tenant);
    const page = await openPage(browser, writer.cookie, `/s/${writer.websiteId}/settings/webhooks`);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await focusIsOn(page, "Address");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await focusIsOn(page, "Add endpoint");

    await page.keyboard.press("Enter");
    await page.getByLabel("Address").fill("https://example.com/hook");
    await page.keyboard.press("Enter");
    await focusIsOn(page, "I saved it");
    await page.locator("li", { hasText: "https://example.com/hook" }).waitFor();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    // The button that opened it has gone with the empty list.
    await expect.poll(() => page.evaluate(`document.activeElement.tagName`)).toBe("MAIN");

    await page.getByRole("link", { name: /example\.com/ }).click();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await focusIsOn(page, "Address");
    await page.keyboard.press("Escape");
    await focusIsOn(page, "More actions");
  });
});
