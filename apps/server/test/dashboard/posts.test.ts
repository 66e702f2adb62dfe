import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { toolOf } from "#test/connected-tool";
import { registry } from "#operations/registry";
import { expectNoSeriousFindings } from "#test/axe";
import type { Tenant } from "#test/services";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";
import { type PostWriter, postWriter, titlesOn } from "./post-writer.ts";

/** Pages are loaded on machines that do much else. */

await withDashboard({}, (node, browser) => {
  async function newBlog(): Promise<PostWriter & { tenant: Tenant }> {
    const tenant = await node.makeTenant();
    return { tenant, ...(await postWriter(node, tenant)) };
  }
  const postsOf = (blog: { cookie: string; websiteId: string }, search = "", options = {}) =>
    openPage(browser, blog.cookie, `/s/${blog.websiteId}/posts${search}`, options);
  const tick = (page: Page, title: string, options = {}) => page.getByRole("checkbox", { name: `Select ${title}` }).click(options);
  const bar = (page: Page) => page.getByRole("region", { name: "Selected posts" });
  const shown = (page: Page) => expect.poll(() => titlesOn(page));

  test("tabs count the posts of each state, and show those only", async () => {
    const blog = await newBlog();
    await Promise.all([blog.draft("A draft"), blog.draft("<b>Another</b>"), blog.scheduled("Soon"), blog.published("Live")]);
    await Promise.all([blog.unpublished("Taken back"), blog.trashed("Thrown away")]);
    const page = await postsOf(blog);
    const tabs = page.getByRole("navigation", { name: "Posts by state" });
    await expect
      .poll(() => tabs.getByRole("link").allTextContents())
      .toEqual(["All5", "Drafts2", "Scheduled1", "Published1", "Unpublished1", "Trash1"]);
    expect((await titlesOn(page)).toSorted()).toEqual(["<b>Another</b>", "A draft", "Live", "Soon", "Taken back"]);
    for (const [tab, title] of [
      ["Scheduled", "Soon"],
      ["Unpublished", "Taken back"],
      ["Trash", "Thrown away"],
    ] as const) {
      await tabs.getByRole("link", { name: tab === "Unpublished" ? /^Unpublished/ : tab }).click();
      await shown(page).toEqual([title]);
    }
  });

  test("a title is found while one types, filters narrow, and the address keeps it all", async () => {
    const blog = await newBlog();
    const { websiteId, cookie } = blog;
    const term = (kind: "category" | "tag" | "author", name: string) => node.rpc(cookie, "create_term", { websiteId, kind, name });
    const [travel, quiet, ada] = [await term("category", "Travel"), await term("tag", "quiet"), await term("author", "Ada")];
    await blog.draft("Harbour notes", { categoryIds: [travel.id] });
    await blog.draft("Harbour lights", { tagIds: [quiet.id] });
    const asked = await blog.draft("A night train", { categoryIds: [travel.id], authorIds: [ada.id] });
    await node.rpc(cookie, "request_review", blog.at(asked));
    const byTool = await blog.draft("Made by a tool");
    const tool = await toolOf(node.services, blog.tenant.owner.id);
    await node.call(registry.edit_post, tool, { ...blog.at(byTool), excerpt: "Short." });

    const page = await postsOf(blog);
    await page.getByRole("searchbox", { name: "Search by title" }).fill("HARBOUR");
    await shown(page).toEqual(["Harbour lights", "Harbour notes"]);
    await page.getByRole("button", { name: "Category" }).click();
    await page.getByRole("option", { name: /^Travel/ }).click();
    await shown(page).toEqual(["Harbour notes"]);
    await page.reload();
    await shown(page).toEqual(["Harbour notes"]);
    expect(await page.getByRole("searchbox").inputValue()).toBe("HARBOUR");
    await page.getByRole("button", { name: "Clear" }).click();
    await shown(page).toHaveLength(4);
    expect(await page.getByRole("searchbox").inputValue()).toBe("");

    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByRole("checkbox", { name: "Last edited by an app" }).click();
    await shown(page).toEqual(["Made by a tool"]);
    expect(await page.getByRole("row", { name: /Made by a tool/ }).innerText()).toContain("App (“Test tool”)");
    await page.getByRole("checkbox", { name: "Last edited by an app" }).click();
    await page.getByRole("checkbox", { name: "Waiting for review" }).click();
    await shown(page).toEqual(["A night train"]);
    await page
      .getByRole("row", { name: /A night train/ })
      .getByText("You requested a review just now")
      .waitFor();
    await page.goto(`/s/${websiteId}/posts?tag=${quiet.id}`);
    await shown(page).toEqual(["Harbour lights"]);
    // What makes no sense in an address is left out.
    await page.goto(`/s/${websiteId}/posts?tab=nonsense&sort=1&author=${ada.id}`);
    await shown(page).toEqual(["A night train"]);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("combobox", { name: "Sort by" }).selectOption("Title, A to Z");
    await shown(page).toEqual(["A night train", "Harbour lights", "Harbour notes", "Made by a tool"]);
    await page.getByRole("searchbox").fill("nothing like it");
    await page.getByText("No matching posts").waitFor();
  });

  test("a search that the server answers in parts goes on until something is found, and ends when one types on", async () => {
    const blog = await newBlog();
    const { websiteId, cookie } = blog;
    await blog.draft("Harbour lights");
    await blog.draft("A night train");
    const { nextCursor } = await node.rpc(cookie, "list_posts", { websiteId, limit: 1 });
    const page = await postsOf(blog);
    await shown(page).toHaveLength(2);
    // As with more titles than one answer looks at: the first holds nothing yet, and the next one waits until it is let through.
    let later = Promise.withResolvers<void>();
    await page.route("**/api/rpc/list_posts", async (route) => {
      const { cursor } = route.request().postDataJSON() as { cursor?: string };
      if (cursor === undefined) return route.fulfill({ json: { data: { items: [], nextCursor } } });
      await later.promise;
      // Nobody waits any more for the one that was left.
      return route.continue().catch(() => {});
    });
    const goesOn = () => page.waitForRequest((request) => request.url().endsWith("/list_posts") && request.postData()!.includes("cursor"));
    const find = (text: string) => Promise.all([goesOn(), page.getByRole("searchbox").fill(text)]);
    await find("harbour");
    expect(await page.getByText("No matching posts").count()).toBe(0);
    later.resolve();
    await shown(page).toEqual(["Harbour lights"]);

    await find("nothing like it");
    await page.getByText("No matching posts").waitFor();
    later = Promise.withResolvers();
    const [left] = await find("nor like");
    expect(await page.getByText("No matching posts").count()).toBe(0);
    await page.getByRole("status", { name: "Loading the posts" }).waitFor();
    const ended = page.waitForEvent("requestfailed", (request) => request === left);
    await page.getByRole("searchbox").fill("HARBOUR");
    await ended;
    later.resolve();
    await shown(page).toEqual(["Harbour lights"]);
    // The palette looks in the same way.
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Search and commands" }).fill("harbour");
    await page.getByRole("option", { name: "Harbour lights" }).waitFor();
  });

  test("85 posts come page by page, each once", async () => {
    const blog = await newBlog();
    const titles = Array.from({ length: 85 }, (_, index) => `Post ${index + 1}`);
    const { tenant, websiteId } = blog;
    await Promise.all(titles.map((title) => node.call(registry.create_post, tenant.actor, { websiteId, title })));
    const page = await postsOf(blog);
    await shown(page).toHaveLength(40);
    const more = page.getByRole("button", { name: "Load more" });
    await more.focus();
    await page.keyboard.press("Enter");
    await shown(page).toHaveLength(80);
    await more.click();
    await shown(page).toHaveLength(85);
    expect((await titlesOn(page)).toSorted()).toEqual(titles.toSorted());
    expect(await more.count()).toBe(0);
  });

  test("many posts go to the trash together, and Undo brings each back to the state it had", async () => {
    const blog = await newBlog();
    const posts = [await blog.draft("One"), await blog.scheduled("Two"), await blog.published("Three")];
    const changed = await node.rpc(blog.cookie, "edit_post", { ...blog.at(await blog.published("Four")), excerpt: "Not seen yet." });
    const page = await postsOf(blog, "?sort=createdAt");
    await shown(page).toEqual(["One", "Two", "Three", "Four"]);
    await tick(page, "One");
    await tick(page, "Four", { modifiers: ["Shift"] });
    await bar(page).getByText("4 selected").waitFor();
    await expectNoSeriousFindings(page);
    await bar(page).getByRole("button", { name: "Move to trash" }).click();
    await page.getByText("Moved 4 posts to the trash.").waitFor();
    await page.getByText("No posts yet").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone for 3 posts.").waitFor();
    expect(await Promise.all(posts.map(blog.statusOf))).toEqual(["draft", "scheduled", "published"]);
    // What readers have never seen is not published by an Undo.
    expect(await page.getByRole("dialog").innerText()).toContain("It had unpublished changes, so it was not published again");
    expect(await blog.statusOf(changed)).toBe("draft");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await shown(page).toEqual(["One", "Two", "Three", "Four"]);
  });

  test("of many that are published those that cannot be are named with the reason; Undo takes the others back", async () => {
    const blog = await newBlog();
    const [good, untitled] = [await blog.draft("Ready"), await blog.draft("")];
    const page = await postsOf(blog);
    await page.getByRole("checkbox", { name: "Select everything shown" }).click();
    await bar(page).getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog", { name: /failed for 1 post/ });
    expect(await dialog.innerText()).toMatch(/Untitled\s+.*title/);
    expect([await blog.statusOf(good), await blog.statusOf(untitled)]).toEqual(["published", "draft"]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone for 1 post.").waitFor();
    expect(await blog.statusOf(good)).toBe("unpublished");
    const act = async (name: string) => {
      await page.getByRole("button", { name: "Actions for Ready" }).click();
      await page.getByRole("menuitem", { name, exact: true }).click();
    };
    await act("Publish");
    await page.getByText("Published 1 post.").last().waitFor();
    await page.getByRole("row", { name: /Ready/ }).getByText("Published").waitFor();
    await act("Unpublish");
    await page.getByText("Unpublished 1 post.").waitFor();
    await page.getByRole("button", { name: "Undo" }).last().click();
    await expect.poll(() => blog.statusOf(good)).toBe("published");
  });

  test("a category is added to many; what is deleted for good is asked for first", async () => {
    const blog = await newBlog();
    const { websiteId, cookie } = blog;
    const news = await node.rpc(cookie, "create_term", { websiteId, kind: "category", name: "News" });
    const posts = await Promise.all([blog.draft("One"), blog.draft("Two")]);
    await blog.trashed("Old");
    const page = await postsOf(blog);
    await page.getByRole("checkbox", { name: "Select everything shown" }).click();
    await bar(page).getByRole("button", { name: "Add category" }).click();
    await page.getByRole("option", { name: /^News/ }).click();
    await page.getByText("Added “News” to 2 posts.").waitFor();
    for (const { id } of posts) {
      expect((await node.rpc(cookie, "get_post", { websiteId, postId: id })).working.categoryIds).toEqual([news.id]);
    }
    await page.goto(`/s/${websiteId}/posts?tab=trash`);
    await page.getByRole("button", { name: "Actions for Old" }).click();
    await page.getByRole("menuitem", { name: "Delete permanently" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await tick(page, "Old");
    await bar(page).getByRole("button", { name: "Delete permanently" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
    await page.getByText("Permanently deleted 1 post.").waitFor();
    await page.getByText("The trash is empty").waitFor();
  });

  test("every post of a view is chosen at once, also what is not shown; it can be stopped, and says what was left alone and why", async () => {
    const blog = await newBlog();
    const { tenant, websiteId, cookie } = blog;
    const titles = Array.from({ length: 85 }, (_, index) => `Post ${index + 1}`);
    await Promise.all(titles.map((title) => node.call(registry.create_post, tenant.actor, { websiteId, title })));
    await node.rpc(cookie, "create_term", { websiteId, kind: "tag", name: "winter" });
    const page = await postsOf(blog, "?sort=title");
    const chooseShown = () => page.getByRole("checkbox", { name: "Select everything shown" }).click();
    await shown(page).toHaveLength(40);
    await chooseShown();
    await bar(page).getByText("40 selected").waitFor();
    await bar(page).getByRole("button", { name: "Select all 85 posts" }).press("Enter");
    await bar(page).getByText("85 selected").waitFor();
    // The keyboard goes on with what can be done to them.
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Selected posts");
    await expectNoSeriousFindings(page);

    // Ten come through; four are on their way when it is stopped.
    const { promise: open, resolve: letThrough } = Promise.withResolvers<void>();
    let asked = 0;
    await page.route("**/api/rpc/delete_post", async (route) => {
      asked += 1;
      if (asked > 10) await open;
      await route.continue();
    });
    await bar(page).getByRole("button", { name: "Move to trash" }).click();
    await page.getByRole("dialog", { name: "Move 85 posts to the trash?" }).getByRole("button", { name: "Move to trash" }).click();
    await bar(page).getByText("Moving to trash … 10 of 85").waitFor();
    await bar(page).getByRole("button", { name: "Stop" }).click();
    letThrough();
    const message = page.getByRole("status").filter({ hasText: "Moved 14 posts to the trash. Skipped: 71 not started." });
    await message.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone for 14 posts.").waitFor();
    expect((await node.rpc(cookie, "count_posts", { websiteId })).draft).toBe(85);

    // How many match is known when they were found. What is not ticked any more is not among them.
    await page.getByRole("searchbox").fill("post");
    await page.waitForURL(/q=post/);
    await shown(page).toHaveLength(40);
    await chooseShown();
    await bar(page).getByRole("button", { name: "Select all that match" }).click();
    await bar(page).getByText("85 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select Post 1", exact: true }).click();
    await bar(page).getByText("84 selected").waitFor();
    const addWinter = async () => {
      await bar(page).getByRole("button", { name: "Add tag" }).click();
      await page.getByRole("option", { name: /^winter/ }).click();
    };
    await addWinter();
    await page.getByText("Added “winter” to 84 posts.").waitFor();
    await page.getByRole("searchbox").fill("post 8");
    await shown(page).toHaveLength(7);
    await chooseShown();
    await addWinter();
    await page.getByText("Nothing was changed. Skipped: 7 already have it.").waitFor();
  });

  test("what is done to one post leaves the others ticked", async () => {
    const blog = await newBlog();
    for (const title of ["One", "Two", "Three"]) await blog.draft(title);
    const page = await postsOf(blog, "?sort=createdAt");
    await tick(page, "One");
    await tick(page, "Two");
    await page.getByRole("button", { name: "Actions for Three" }).click();
    await page.getByRole("menuitem", { name: "Move to trash" }).click();
    await shown(page).toEqual(["One", "Two"]);
    await bar(page).getByText("2 selected").waitFor();
  });

  test("who leaves the page while it goes on is told what came of it, and finds there what did not work", async () => {
    const blog = await newBlog();
    await Promise.all([blog.draft("Ready"), blog.draft("")]);
    const page = await postsOf(blog);
    const { promise: open, resolve: letThrough } = Promise.withResolvers<void>();
    await page.route("**/api/rpc/publish_post", async (route) => {
      await open;
      await route.continue();
    });
    await page.getByRole("checkbox", { name: "Select everything shown" }).click();
    await bar(page).getByRole("button", { name: "Publish" }).click();
    await bar(page).getByText("Publishing … 0 of 2").waitFor();
    await page.getByRole("link", { name: "Tags" }).click();
    await page.getByText("No tags yet").waitFor();
    letThrough();
    await page.getByText("Publishing failed for 1 post. See Posts.").waitFor();
    await page.getByText("Published 1 post.").waitFor();
    await page.getByRole("link", { name: "Posts" }).click();
    await page.getByRole("dialog", { name: /failed for 1 post/ }).waitFor();
  });

  test("a contributor sees their own drafts and what is published, and is offered no publishing", async () => {
    const blog = await newBlog();
    await Promise.all([blog.draft("Not theirs"), blog.published("For everybody")]);
    const contributor = await postWriter(node, blog.tenant, await blog.tenant.addMember("contributor"));
    await contributor.draft("Their own");
    const page = await postsOf(contributor);
    await shown(page).toEqual(["Their own", "For everybody"]);
    await page.getByRole("checkbox", { name: "Select everything shown" }).click();
    await expect.poll(() => bar(page).getByRole("button").allInnerTexts()).toEqual(["Add category", "Add tag", ""]);
    await page.getByRole("button", { name: "Actions for Their own" }).click();
    await expect.poll(() => page.getByRole("menuitem").allInnerTexts()).toEqual(["Open", "Preview", "Duplicate"]);
  });

  test("by keyboard alone: j and k walk, x ticks, Enter opens, n begins a post; letters typed into a field are only letters", async () => {
    const blog = await newBlog();
    const post = await blog.draft("First");
    await blog.draft("Second");
    const page = await postsOf(blog, "?sort=title");
    await shown(page).toEqual(["First", "Second"]);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByRole("checkbox", { name: "Select Second", checked: true }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/posts/${post.id}`);
    await page.goBack();
    await page.getByRole("searchbox").pressSequentially("jxn");
    await page.getByText("No title contains “jxn”.").waitFor();
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await shown(page).toHaveLength(2);
    await page.keyboard.press("n");
    await page.waitForURL(/posts\/post_/);
    expect(page.url()).not.toContain(post.id);
  });

  test("what a keyboard did leaves it in the list: at the next post, at those that Undo brings back, at the heading when none is left", async () => {
    const blog = await newBlog();
    for (const title of ["One", "Two", "Three", "Four", "Five"]) await blog.draft(title);
    const page = await postsOf(blog, "?sort=createdAt");
    await shown(page).toEqual(["One", "Two", "Three", "Four", "Five"]);
    const focusIsOn = (name: string) =>
      expect.poll(() => page.evaluate(`document.activeElement.ariaLabel ?? document.activeElement.innerText`)).toBe(name);
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };

    const choose = async (title: string, item: string) => {
      await page.getByRole("button", { name: `Actions for ${title}` }).press("Enter");
      await page.getByRole("menuitem", { name: item }).press("Enter");
    };

    await choose("Two", "Move to trash");
    await shown(page).toEqual(["One", "Three", "Four", "Five"]);
    await focusIsOn("Actions for Three");
    await page.getByRole("button", { name: "Undo" }).focus();
    await press("Enter");
    await shown(page).toEqual(["One", "Two", "Three", "Four", "Five"]);
    await focusIsOn("Two");

    await press("x", "j", "x");
    await bar(page).getByRole("button", { name: "Move to trash" }).focus();
    await press("Enter");
    await shown(page).toEqual(["One", "Four", "Five"]);
    await focusIsOn("Four");
    await press("x", "k", "x", "j", "j", "x");
    await bar(page).getByRole("button", { name: "Move to trash" }).focus();
    await press("Enter");
    await focusIsOn("No posts yet");
    // The message before may still be there, and this one comes when the server has answered: each is found by its words.
    const message = page.getByRole("status").filter({ hasText: "Moved 3 posts to the trash." });
    await message.getByRole("button", { name: "Undo" }).focus();
    await press("Enter");
    await shown(page).toEqual(["One", "Four", "Five"]);
    await focusIsOn("One");

    await page.goto(`/s/${blog.websiteId}/posts?tab=trash&sort=createdAt`);
    await shown(page).toEqual(["Two", "Three"]);
    await choose("Two", "Delete permanently");
    await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).press("Enter");
    await shown(page).toEqual(["Three"]);
    await focusIsOn("Three");
  });

  test("on a phone posts are cards that fit, in the dark too", async () => {
    const blog = await newBlog();
    await blog.published("A title that is so long that it needs more than one line on the screen of a phone", { featured: true });
    const page = await postsOf(blog, "", { device: "phone", theme: "dark" });
    await shown(page).toHaveLength(1);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await page
      .getByRole("row", { name: /A title/ })
      .getByText("0 views")
      .waitFor();
    await expectNoSeriousFindings(page);
  });
});
