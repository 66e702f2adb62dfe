import { expect, test } from "vitest";
import { type Actor, toolActor } from "#domain/actor";
import { registry } from "#operations/registry";
import { expectNoSeriousFindings } from "#test/axe";
import type { Tenant } from "#test/services";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

await withDashboard({}, async (node, browser) => {
  /** A website that holds what apps change, or not, and an app of its owner called Claude. */
  async function open(holdToolChanges: boolean) {
    const tenant = await node.makeTenant();
    const websiteId = tenant.website.id;
    const cookie = await node.signIn(tenant.owner);
    const { version } = await node.rpc(cookie, "get_website", { websiteId });
    await node.rpc(cookie, "update_website", { websiteId, expectedVersion: version, settings: { holdToolChanges } });
    return { tenant, websiteId, cookie, tool: await connectClaude(tenant) };
  }
  async function connectClaude(tenant: Tenant): Promise<Actor> {
    const { connection } = await node.call(registry.connect_tool, tenant.actor, {
      kind: "ai",
      client: { id: "claude", name: "Claude", host: "claude.ai", redirectHost: null },
      workspaces: "all",
      allowDelete: true,
    });
    return toolActor(tenant.owner.id, connection);
  }
  type Blog = Awaited<ReturnType<typeof open>>;
  const write = async ({ tenant, websiteId }: Blog, more: object = {}) => {
    const { id } = await node.call(registry.create_post, tenant.actor, {
      websiteId,
      title: "Bread",
      body: "One.\n\nTwo.\n\nThree.",
      ...more,
    });
    await node.call(registry.publish_post, tenant.actor, { websiteId, postId: id, expectedVersion: 1 });
    return id;
  };
  const edit = (actor: Actor, { websiteId }: Blog, postId: string, expectedVersion: number, change: object) =>
    node.call(registry.edit_post, actor, { websiteId, postId, expectedVersion, ...change });
  const read = ({ cookie, websiteId }: Blog, postId: string) => node.rpc(cookie, "get_post", { websiteId, postId });

  test("accepting brings the suggested words into the open text, beside what was typed and not sent yet", async () => {
    const blog = await open(true);
    const postId = await write(blog);
    await edit(blog.tool, blog, postId, 2, { body: "One.\n\nTwo, better.\n\nThree." });
    await node.call(registry.update_live_post, blog.tool, { websiteId: blog.websiteId, postId, expectedVersion: 2 });
    const page = await openPage(browser, blog.cookie, `/s/${blog.websiteId}/posts/${postId}`);
    await page.getByText("claude.ai (“Claude”) suggests changes to text, and asks to publish them").waitFor();
    const text = page.locator(".ProseMirror");
    expect(await text.innerText()).not.toContain("better");
    await page.getByRole("button", { name: "View", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("region", { name: "Text" }).locator("ins").getByText(", better").waitFor();
    await dialog.getByText("Accepting it also publishes the post.").waitFor();
    await expectNoSeriousFindings(page);
    await page.keyboard.press("Escape");
    await text.getByText("One.").click();
    await page.keyboard.press("Home");
    await page.keyboard.type("Mine. ");
    await page.getByRole("button", { name: "Accept text only" }).click();
    await page.getByText("Accepted. The changes are in the post.").waitFor();
    await expect.poll(() => text.innerText()).toContain("Two, better.");
    await page.getByText("claude.ai (“Claude”) suggests").waitFor({ state: "detached" });
    expect(await read(blog, postId)).toMatchObject({
      working: { body: "Mine. One.\n\nTwo, better.\n\nThree." },
      live: { content: { body: "One.\n\nTwo.\n\nThree." } },
    });
  });

  test("rejecting leaves the text alone and can be undone; a takedown is one click", async () => {
    const blog = await open(true);
    const postId = await write(blog);
    await node.call(registry.unpublish_post, blog.tool, { websiteId: blog.websiteId, postId, expectedVersion: 2 });
    const page = await openPage(browser, blog.cookie, `/s/${blog.websiteId}/posts/${postId}`);
    const banner = page.getByText("claude.ai (“Claude”) suggests unpublishing this post");
    await banner.waitFor();
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByText("Suggestion rejected.").waitFor();
    await banner.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await banner.waitFor();
    expect(await read(blog, postId)).toMatchObject({ version: 2, status: "published" });
    await page.getByRole("button", { name: "Unpublish", exact: true }).click();
    await page.getByText("Unpublished. Readers no longer see it.").waitFor();
    expect((await read(blog, postId)).status).toBe("unpublished");
  });

  test("where people changed the same part since, both are shown and a person chooses", async () => {
    const blog = await open(true);
    const postId = await write(blog);
    await edit(blog.tool, blog, postId, 2, { body: "One.\n\nTwo, the app's.\n\nThree." });
    await edit(blog.tenant.actor, blog, postId, 2, { body: "One.\n\nTwo, mine.\n\nThree." });
    const page = await openPage(browser, blog.cookie, `/s/${blog.websiteId}/posts/${postId}`);
    await page.getByRole("button", { name: "Accept", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Someone changed the text after this was suggested.").waitFor();
    await dialog.getByRole("region", { name: "Suggested" }).locator("ins").getByText("the app's").waitFor();
    await dialog.getByRole("region", { name: "Changed since" }).locator("ins").getByText(", mine").waitFor();
    expect((await read(blog, postId)).version).toBe(3);
    await dialog.getByRole("button", { name: "Use the suggested version" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.locator(".ProseMirror").innerText()).toContain("the app's");
    expect((await read(blog, postId)).working.body).toBe("One.\n\nTwo, the app's.\n\nThree.");
  });

  test("what the app suggests while a person compares is shown before it can be accepted", async () => {
    const blog = await open(true);
    const postId = await write(blog);
    await edit(blog.tool, blog, postId, 2, { title: "Bread, better" });
    const page = await openPage(browser, blog.cookie, `/s/${blog.websiteId}/suggestions`);
    await page.getByRole("button", { name: "View" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("region", { name: "Title" }).locator("ins").getByText("better").waitFor();
    await edit(blog.tool, blog, postId, 2, { title: "Buy this" });
    await dialog.getByRole("button", { name: "Accept", exact: true }).click();
    await page.getByText("This suggestion was just changed or decided.").waitFor();
    await dialog.getByRole("region", { name: "Title" }).locator("ins").getByText("Buy this").waitFor();
    expect((await read(blog, postId)).version).toBe(2);
    await dialog.getByRole("button", { name: "Accept", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await read(blog, postId)).working.title).toBe("Buy this");
  });

  test("an author's new name is decided on the page, which is found from home and tells what was decided", async () => {
    const blog = await open(true);
    const { websiteId, tenant } = blog;
    const { id } = await node.call(registry.create_term, tenant.actor, { websiteId, kind: "author", name: "Ada" });
    await write(blog, { authorIds: [id] });
    await node.call(registry.edit_term, blog.tool, { websiteId, termId: id, expectedVersion: 1, name: "Eve" });
    const page = await openPage(browser, blog.cookie, `/s/${websiteId}`);
    await page.getByText("1 suggestion waits for you").waitFor();
    await page.getByRole("link", { name: "View suggestions" }).click();
    const row = page.getByRole("list", { name: "Suggestions" }).getByRole("listitem").filter({ hasText: "Ada" });
    await row.getByText("claude.ai (“Claude”) suggests changes to name").waitFor();
    await page
      .getByRole("link", { name: /^Suggestions/ })
      .getByText("1 waits")
      .waitFor({ state: "attached" });
    await expectNoSeriousFindings(page);
    await row.getByRole("button", { name: "View" }).click();
    await page.getByRole("dialog").getByRole("region", { name: "Name" }).locator("ins").getByText("Eve").waitFor();
    await page.keyboard.press("Escape");
    await row.getByRole("button", { name: "Accept" }).click();
    await page.getByText("Accepted. Readers see the change now.").waitFor();
    await page.getByText("No open suggestions").waitFor();
    expect((await node.rpc(blog.cookie, "get_term", { websiteId, termId: id })).name).toBe("Eve");
    await page.getByRole("link", { name: "Decided" }).click();
    await page.getByRole("listitem").filter({ hasText: "Accepted" }).getByText("by you, ").waitFor();
    // What cannot be undone is said before it is done.
    await node.call(registry.delete_term, blog.tool, { websiteId, termId: id });
    await page.goto(`/s/${websiteId}/suggestions`);
    await page.getByRole("button", { name: "Delete author …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Accepting it deletes the author, and removes it from every post. This cannot be undone.").waitFor();
    await dialog.getByRole("button", { name: "Delete author", exact: true }).click();
    await page.getByText("The author was deleted.").waitFor();
  });

  test("without holding, publishing names the changes of an app, with the comparison, and they can be discarded", async () => {
    const blog = await open(false);
    const postId = await write(blog);
    await edit(blog.tool, blog, postId, 2, { body: "One.\n\nTwo, better.\n\nThree." });
    await edit(blog.tool, blog, postId, 3, { excerpt: "Short." });
    const page = await openPage(browser, blog.cookie, `/s/${blog.websiteId}/posts/${postId}`);
    await page.getByRole("button", { name: "Publish changes" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Includes 2 changes by claude.ai (“Claude”)").waitFor();
    await dialog.getByRole("button", { name: "View changes" }).click();
    await dialog.getByRole("region", { name: "Text" }).locator("ins").getByText(", better").waitFor();
    await expectNoSeriousFindings(page);
    await dialog.getByRole("button", { name: "Discard changes …" }).click();
    await dialog.getByRole("button", { name: "Discard changes", exact: true }).click();
    await page.getByText("Changes discarded. The text stays in the history.").waitFor();
    await expect.poll(() => page.locator(".ProseMirror").innerText()).not.toContain("better");
    expect(await read(blog, postId)).toMatchObject({ hasUnpublishedChanges: false, working: { excerpt: "" } });
  });
});
