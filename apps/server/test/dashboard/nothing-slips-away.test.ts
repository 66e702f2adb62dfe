import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { withDashboard } from "#test/with-dashboard";
import { bodyOf, eventually, saveLine, write } from "./test-editor.ts";
import { openPage } from "./open-page.ts";
import { postWriter } from "./post-writer.ts";

/** Longer than any message stays by itself, in milliseconds. */
const LONG = 60_000;

await withDashboard({}, (node, browser) => {
  const openWith = async (path: string): Promise<{ page: Page; writer: Awaited<ReturnType<typeof postWriter>> }> => {
    const writer = await postWriter(node, await node.makeTenant());
    return { page: await openPage(browser, writer.cookie, `/s/${writer.websiteId}${path}`), writer };
  };

  test("a message stays while the pointer is over it or the keyboard is in it, and goes when both have left", async () => {
    const { page } = await openWith("/tags");
    await page.clock.install();
    await page.getByRole("button", { name: "New tag" }).first().click();
    await page.getByLabel("Name").fill("Copper");
    await page.keyboard.press("Enter");
    const message = page.getByRole("region", { name: "Messages" }).getByRole("status");
    await message.hover();
    await page.clock.fastForward(LONG);
    expect(await message.count()).toBe(1);

    await message.getByRole("button", { name: "Dismiss" }).focus();
    await page.mouse.move(10, 10);
    await page.clock.fastForward(LONG);
    expect(await message.count()).toBe(1);

    await page.getByRole("button", { name: "New tag" }).first().focus();
    await page.clock.fastForward(LONG);
    await message.waitFor({ state: "detached" });
  });

  test("Back does not take away a secret that is shown this once", async () => {
    const { page } = await openWith("/posts");
    await page.getByRole("link", { name: "Website settings" }).click();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Create key" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Production");
    await page.keyboard.press("Enter");
    const key = await dialog.getByLabel("key", { exact: true }).textContent();
    await page.evaluate("history.back()");
    await dialog.getByText("The key cannot be shown again. If it is lost, revoke it and create another.").waitFor();
    expect(await dialog.getByLabel("key", { exact: true }).textContent()).toBe(key);
    expect(page.url()).toMatch(/\/settings\/keys$/);
    await dialog.getByRole("button", { name: "Close anyway" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.evaluate("history.back()");
    await page.waitForURL(/\/settings$/);
  });

  test("who leaves a post offline stays in the dashboard, is told what is not saved, and saves it by opening the post", async () => {
    const writer = await postWriter(node, await node.makeTenant());
    const { id } = await writer.draft("In the tunnel");
    const page = await openPage(browser, writer.cookie, `/s/${writer.websiteId}/posts/${id}`, { isNew: true });
    await bodyOf(page).waitFor();
    await page.context().setOffline(true);
    await write(page, "Typed in the dark.");
    await eventually(() => saveLine(page).textContent()).toBe("Offline — kept in this browser");
    // The files of this page never came.
    await page.getByRole("link", { name: "Back to posts" }).click();
    await page.getByText("Cannot reach the server.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Posts", exact: true }).waitFor();
    await page.getByRole("link", { name: "1 post not saved: open to save" }).click();
    await bodyOf(page).getByText("Typed in the dark.").waitFor();
    const saved = async () => (await node.rpc(writer.cookie, "get_post", { websiteId: writer.websiteId, postId: id })).working.body;
    await eventually(saved).toContain("Typed in the dark.");
  });

  test("without a connection a page says so, what was entered stays, and the connection brings the rest by itself", async () => {
    const { page } = await openWith("/tags");
    const name = page.getByRole("dialog").getByLabel("Name");
    await page.getByRole("button", { name: "New tag" }).first().click();
    await name.fill("Copper");
    await page.context().setOffline(true);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("Cannot reach the server.").waitFor();
    expect(await name.inputValue()).toBe("Copper");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await page.getByLabel("Search tags").fill("zinc");
    await page.getByRole("main").getByText("Cannot reach the server.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("main").getByText("zinc").waitFor();
    await page.getByRole("main").getByText("Cannot reach the server.").waitFor({ state: "detached" });
  });

  test("what is shown stays when asking for it again fails, and the next part of a list can be asked for again", async () => {
    const { page, writer } = await openWith("/tags");
    const { websiteId } = writer;
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => node.rpc(writer.cookie, "create_term", { websiteId, kind: "tag", name: `Tag ${index}` })),
    );
    await page.reload();
    const rows = page.getByRole("button", { name: /^Actions for Tag/ });
    await expect.poll(() => rows.count()).toBe(50);
    await page.clock.install();
    let refused = 0;
    await page.route("**/api/rpc/list_terms", (route) => {
      refused += 1;
      return route.abort();
    });
    // Somebody comes back to the window after a while.
    await page.clock.fastForward(LONG);
    await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`);
    // Tried three times, at last.
    await expect.poll(async () => (await page.clock.fastForward(LONG), refused)).toBeGreaterThanOrEqual(3);
    await expect.poll(() => page.getByText("This could not be loaded").count()).toBe(0);
    expect(await rows.count()).toBe(50);

    await page.getByRole("button", { name: "Load more" }).click();
    await expect.poll(async () => (await page.clock.fastForward(LONG), refused)).toBeGreaterThanOrEqual(6);
    await page.getByText("This could not be loaded").waitFor();
    expect(await rows.count()).toBe(50);
    await page.unroute("**/api/rpc/list_terms");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => rows.count()).toBe(60);
  });

  test("a change that did not reach the server is never called saved", async () => {
    const { page, writer } = await openWith("/posts");
    await writer.draft("Alone");
    await page.reload();
    const line = page.getByRole("complementary", { name: "Sidebar" }).getByRole("status");
    const duplicate = async () => {
      await page.getByRole("button", { name: "Actions for Alone" }).click();
      await page.getByRole("menuitem", { name: "Duplicate" }).click();
    };
    // As a network does that wants one to sign in first: it answers everything with its own page.
    await page.route("**/api/rpc/duplicate_post", (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<html>" }));
    await duplicate();
    await page.getByText("The server did not respond.").waitFor();
    expect(await line.textContent()).toBe("");
    await page.unroute("**/api/rpc/duplicate_post");
    await duplicate();
    await expect.poll(() => line.textContent()).toBe("Saved");
  });

  test("who asks twice for a new post gets one, and an answer that never comes is told", async () => {
    const { page, writer } = await openWith("/posts");
    await page.getByRole("button", { name: "New post" }).waitFor();
    const asked: Route[] = [];
    await page.route("**/api/rpc/create_post", (route) => void asked.push(route));
    await page.getByRole("button", { name: "New post" }).click();
    await eventually(() => asked.length).toBe(1);
    await page.getByText("Saving …").waitFor();
    await page.getByRole("button", { name: "New post" }).click();
    await page.keyboard.press("n");
    await asked[0]!.abort();
    await page.getByText("Cannot reach the server.").waitFor();
    await page.getByRole("button", { name: "New post" }).click();
    await eventually(() => asked.length).toBe(2);
    await asked[1]!.continue();
    await bodyOf(page).waitFor();
    expect((await node.rpc(writer.cookie, "count_posts", { websiteId: writer.websiteId })).draft).toBe(1);
  });

  test("an editor that could not be loaded is asked for again without losing the page", async () => {
    const { page, writer } = await openWith("/posts");
    const { id } = await writer.draft("Far away");
    await page.route(/\/assets\/body-editor/, (route) => route.abort());
    await page.goto(`/s/${writer.websiteId}/posts/${id}`);
    await page.getByText("The editor could not be loaded.").waitFor();
    await page.unroute(/\/assets\/body-editor/);
    await page.getByRole("button", { name: "Try again" }).click();
    await bodyOf(page).waitFor();
  });
});
