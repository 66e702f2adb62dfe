import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createPost } from "#operations/posts/create-post";
import { deletePost } from "#operations/posts/delete-post";
import { getPost } from "#operations/posts/get-post";
import { purgePost } from "#operations/posts/purge-post";
import { expectNoSeriousFindings } from "#test/axe";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

await withDashboard({}, async (node, browser) => {
  const { owner, actor, website, addMember } = await node.makeTenant({ plan: "team" });
  const other = await addMember("editor");
  const aPost = async (title: string) => (await node.call(createPost, actor, { websiteId: website.id, title })).id;
  const titleOf = async (postId: string) => (await node.call(getPost, actor, { websiteId: website.id, postId })).working.title;
  const kept = (page: Page) => page.evaluate<string[]>(`Object.keys(localStorage).filter((key) => key.startsWith("stet.unsent/"))`);
  const signOut = async (page: Page) => {
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  };
  const leavePost = async (page: Page) => {
    await page.getByRole("link", { name: "Back to posts" }).click();
    await page.getByRole("heading", { name: "Posts" }).waitFor();
  };
  const question = (page: Page) => page.getByRole("dialog", { name: "Unsaved changes" });

  test("whoever signs out with something unsaved is asked, takes it along as a file, and leaves nothing here once it is saved", async () => {
    const postId = await aPost("Before");
    const page = await openPage(browser, await node.signIn(owner), `/s/${website.id}/posts/${postId}`);
    const title = page.getByRole("textbox", { name: "Title" });
    await title.waitFor();
    await page.route("**/api/rpc/edit_post", (route) => route.abort());
    await title.fill("After");
    await leavePost(page);
    await signOut(page);
    await question(page).getByText("After").waitFor();
    await expectNoSeriousFindings(page);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      question(page).getByRole("button", { name: "Save 1 text as a file" }).click(),
    ]);
    expect(await readFile(await download.path(), "utf8")).toContain("# After");
    await question(page).getByRole("button", { name: "Stay signed in" }).click();
    expect(await kept(page)).toHaveLength(1);

    await page.unroute("**/api/rpc/edit_post");
    await signOut(page);
    await question(page).getByRole("link", { name: "After" }).click();
    await expect.poll(() => kept(page)).toEqual([]);
    expect(await titleOf(postId)).toBe("After");
    await leavePost(page);
    await signOut(page);
    await page.waitForURL(/\/sign-in$/);
    expect(await kept(page)).toEqual([]);
  });

  test("text typed in a post that was deleted meanwhile is handed out as a file, and goes when it is discarded", async () => {
    const postId = await aPost("Before");
    const page = await openPage(browser, await node.signIn(owner), `/s/${website.id}/posts/${postId}`);
    const title = page.getByRole("textbox", { name: "Title" });
    await title.waitFor();
    await page.route("**/api/rpc/edit_post", (route) => route.abort());
    await title.fill("Typed in vain");
    await leavePost(page);
    const at = { websiteId: website.id, postId };
    await node.call(deletePost, actor, { ...at, expectedVersion: 1 });
    await node.call(purgePost, actor, { ...at, expectedVersion: 2 });
    await page.getByRole("link", { name: "1 post not saved: open to save" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as a file" }).click()]);
    expect(await readFile(await download.path(), "utf8")).toContain("# Typed in vain");
    await page.getByRole("button", { name: "Discard …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => kept(page)).toEqual([]);
  });

  test("what is discarded is gone, and what another account left in this browser is neither shown, sent nor removed", async () => {
    const postId = await aPost("Before");
    const page = await openPage(browser, await node.signIn(owner), "/account");
    const entry = { patch: { title: "Of somebody else" }, before: {}, version: 1, at: "2026-11-15T09:00:00.000Z" };
    const foreign = `stet.unsent/${other.userId}/${postId}/tab`;
    await page.evaluate(`localStorage.setItem(${JSON.stringify(foreign)}, ${JSON.stringify(JSON.stringify(entry))})`);
    await page.goto(`/s/${website.id}/posts/${postId}`);
    const title = page.getByRole("textbox", { name: "Title" });
    await title.waitFor();
    expect(await title.inputValue()).toBe("Before");
    await page.route("**/api/rpc/edit_post", (route) => route.abort());
    await title.fill("Not to be kept");
    await leavePost(page);
    await signOut(page);
    await question(page).getByText("Not to be kept").waitFor();
    expect(await question(page).getByText("Of somebody else").count()).toBe(0);
    await question(page).getByRole("button", { name: "Discard and sign out" }).click();
    await page.waitForURL(/\/sign-in$/);
    expect([await kept(page), await titleOf(postId)]).toEqual([[foreign], "Before"]);
  });
});
