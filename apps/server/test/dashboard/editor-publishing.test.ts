import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { timestamp } from "#domain/time";
import { expectNoSeriousFindings } from "#test/axe";
import { bodyOf, chooseAction, eventually, titleOf, waitUntilSaved, withEditor, write } from "#test/dashboard/test-editor";
import { imageBytes } from "#test/images";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;

await withEditor((testEditor) => {
  test("published, readers get it; edited, they get the old text until Update; unpublished and undone, as before", async () => {
    const id = await testEditor.draft({ title: "Going live", body: "First text." });
    const { page } = await testEditor.open(id);
    await write(page, " Typed a moment ago.");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Publish" });
    await dialog.getByText("There is no excerpt and no description").waitFor();
    await expectNoSeriousFindings(page);
    await dialog.getByRole("button", { name: "Publish now" }).click();
    await page.getByText("Published", { exact: true }).waitFor();
    expect((await testEditor.deliver("going-live")).post.body.markdown).toBe("First text. Typed a moment ago.");

    await write(page, " Not yet.");
    await page.getByText("Unpublished changes").waitFor();
    await waitUntilSaved(page);
    expect((await testEditor.deliver("going-live")).post.body.markdown).toBe("First text. Typed a moment ago.");
    await page.getByRole("button", { name: "Publish changes", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish changes" }).click();
    await eventually(async () => (await testEditor.deliver("going-live")).post.body.markdown).toBe(
      "First text. Typed a moment ago. Not yet.",
    );
    await page.getByText("Unpublished changes").waitFor({ state: "detached" });

    await chooseAction(page, "Unpublish");
    await eventually(async () => (await testEditor.deliver("going-live")).status).toBe(404);
    await page.getByRole("status").filter({ hasText: "Readers no longer see it" }).getByRole("button", { name: "Undo" }).click();
    await eventually(async () => (await testEditor.deliver("going-live")).status).toBe(200);
    await page.close();
  });

  test("scheduled by a clock elsewhere: the moment is that clock's, and it is said what it is here", async () => {
    const id = await testEditor.draft({ title: "Later", body: "Text." });
    const { page } = await testEditor.open(id);
    await chooseAction(page, "Schedule …");
    const dialog = page.getByRole("dialog", { name: "Publish" });
    await dialog.getByLabel("Time zone").selectOption("Asia/Tokyo");
    await dialog.getByLabel("Date and time").fill("2020-01-01T09:30");
    await dialog.getByText("This time has passed").waitFor();
    await dialog.getByLabel("Date and time").fill("2031-03-04T09:30");
    await dialog.getByText("4 Mar 2031, 00:30").waitFor();
    await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
    await page.getByText("Will publish the latest version on").waitFor();
    expect(await testEditor.read(id)).toMatchObject({ status: "scheduled", scheduledAt: "2031-03-04T00:30:00.000Z" });
    await page.close();
  });

  test("Undo leads to where it was: to the time before, and never to words that readers have not seen", async () => {
    const at = { websiteId: testEditor.tenant.website.id };
    const messageOf = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });
    const id = await testEditor.draft({ title: "Moved", body: "Text." });
    const first = "2031-03-04T09:30:00.000Z";
    const { version } = await testEditor.read(id);
    await testEditor.node.rpc(testEditor.cookie, "schedule_post", {
      ...at,
      postId: id,
      expectedVersion: version,
      at: timestamp(Date.parse(first)),
    });
    const { page } = await testEditor.open(id);
    await page.getByRole("button", { name: "Reschedule" }).click();
    const dialog = page.getByRole("dialog", { name: "Reschedule" });
    await dialog.getByLabel("Date and time").fill("2032-03-04T09:30");
    await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
    await messageOf(page, "Scheduled for").getByRole("button", { name: "Undo" }).click();
    await messageOf(page, "Scheduled again for").waitFor();
    expect(await testEditor.read(id)).toMatchObject({ status: "scheduled", scheduledAt: first });

    await page.getByRole("button", { name: "Reschedule" }).click();
    await dialog.getByLabel("Now").check();
    await dialog.getByRole("button", { name: "Publish now" }).click();
    await messageOf(page, "Readers see it now").waitFor();
    await write(page, " Not seen yet.");
    await waitUntilSaved(page);
    await chooseAction(page, "Unpublish");
    await messageOf(page, "Readers no longer see it").getByRole("button", { name: "Undo" }).click();
    await page.getByText("It has unpublished changes, so it was not published again").waitFor();
    expect((await testEditor.read(id)).status).toBe("unpublished");
    await page.close();
  });

  test("what stops a post from going live is said before, and the button waits for it", async () => {
    const id = await testEditor.draft({ body: "Text." });
    const { page } = await testEditor.open(id);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("dialog").getByText("The post has no title").waitFor();
    expect(await page.getByRole("button", { name: "Publish now" }).isDisabled()).toBe(true);
    await page.close();
  });

  test("what the checks found leads to its place: a field takes the focus, a piece of the text is selected", async () => {
    const image = "https://example.com/a.png";
    const id = await testEditor.draft({ body: `## One\n\n[Nowhere](/no-such-post)\n\n#### Skips\n\n![](${image})\n` });
    const { page } = await testEditor.open(id);
    const focusIsOn = (name: string) =>
      eventually(() => page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.labels?.[0].innerText")).toBe(name);
    const selected = () => page.evaluate<string>("getSelection().toString()");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /no title/ })
      .click();
    await focusIsOn("Title");
    await page.keyboard.press("Control+Shift+P");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /no excerpt/ })
      .press("Enter");
    await focusIsOn("Excerpt");
    await page.getByRole("tab", { name: "Checks" }).click();
    const checks = page.getByRole("tabpanel", { name: "Checks" });
    await checks.getByRole("button", { name: /An image has no alt text/ }).click();
    await focusIsOn("Alt text of the image");
    await page.keyboard.type("A kettle");
    await checks.getByRole("button", { name: /does not lead to a published post/ }).click();
    await eventually(selected).toBe("Nowhere");
    await page.getByRole("button", { name: "Markdown", exact: true }).click();
    await checks.getByRole("button", { name: /does not lead to a published post/ }).click();
    await eventually(() => page.evaluate("document.activeElement.value.slice(document.activeElement.selectionStart)")).toMatch(
      /^\/no-such-post/,
    );
    await eventually(async () => (await testEditor.read(id)).working.body).toContain(`![A kettle](${image})`);
    await page.close();
  });

  test("a contributor asks for review with a note; an editor sees it and publishes", async () => {
    const contributor = await testEditor.signIn(await testEditor.tenant.addMember("contributor"));
    const editor = await testEditor.signIn(await testEditor.tenant.addMember("editor"));
    const id = await testEditor.draft({ title: "By a guest", body: "Guest text." }, contributor);
    const theirs = await testEditor.open(id, { as: contributor });
    expect(await theirs.page.getByRole("button", { name: "Publish", exact: true }).count()).toBe(0);
    await theirs.page.getByRole("button", { name: "Request review" }).click();
    await theirs.page.getByLabel("Note for the editor").fill(HOSTILE);
    await theirs.page.getByRole("dialog").getByRole("button", { name: "Request review" }).click();
    await theirs.page.getByText("You requested a review").waitFor();

    const { page, context } = await testEditor.open(id, { as: editor });
    await page.getByText(HOSTILE, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("button", { name: "Publish now" }).click();
    await eventually(async () => (await testEditor.deliver("by-a-guest")).status).toBe(200);
    await page.getByText("requested a review").waitFor({ state: "detached" });
    await context.close();

    // Now it is published by an editor: the contributor still owns it. Another's published post is read only.
    const foreign = await testEditor.draft({ title: "Not theirs", body: "Owner's." });
    await testEditor.node.rpc(testEditor.cookie, "publish_post", {
      websiteId: testEditor.tenant.website.id,
      postId: foreign,
      expectedVersion: 1,
    });
    await theirs.page.goto(`/s/${testEditor.tenant.website.id}/posts/${foreign}`);
    await theirs.page.getByText("Contributors can only edit their own posts.").waitFor();
    expect(await titleOf(theirs.page).getAttribute("readonly")).not.toBeNull();
    expect(await bodyOf(theirs.page).getAttribute("contenteditable")).toBe("false");
    await theirs.context.close();
  });

  test("a renamed post keeps its old address as a redirect; a taken address says whose it is and can be taken over", async () => {
    const id = await testEditor.draft({ title: "Old name", body: "Text." });
    const websiteId = testEditor.tenant.website.id;
    await testEditor.node.rpc(testEditor.cookie, "publish_post", { websiteId, postId: id, expectedVersion: 1 });
    const { page } = await testEditor.open(id);
    await page.getByLabel("Address", { exact: true }).fill("New Name");
    await page.getByRole("button", { name: "Change", exact: true }).first().click();
    await page.getByText("Unpublished changes").waitFor();
    await page.getByRole("button", { name: "Publish changes", exact: true }).click();
    await page.getByText("The old address /old-name will redirect here").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Publish changes" }).click();
    await page.getByRole("list", { name: "Old addresses" }).getByText("/old-name").waitFor();
    expect((await testEditor.deliver("old-name")).post).toMatchObject({ slug: "new-name", slugRedirectedFrom: "old-name" });

    const other = await testEditor.draft({ title: "Another", body: "Other." });
    await page.goto(`/s/${websiteId}/posts/${other}`);
    const address = page.getByLabel("Address", { exact: true });
    await address.fill("new-name");
    await address.press("Enter");
    await page.getByText("It belongs to").waitFor();
    expect(await page.getByRole("button", { name: "Take over" }).count()).toBe(0);
    await address.fill("old-name");
    await address.press("Enter");
    await page.getByRole("button", { name: "Take over" }).click();
    await eventually(async () => (await testEditor.read(other)).working.slug).toBe("old-name");
    await page.close();
  });

  test("the history shows word by word what changed, brings it back, and that can be undone", async () => {
    const id = await testEditor.draft({ title: "History", body: "The quick brown fox." });
    const websiteId = testEditor.tenant.website.id;
    await testEditor.node.rpc(testEditor.cookie, "edit_post", { websiteId, postId: id, expectedVersion: 1, body: "The slow brown fox." });
    const { page } = await testEditor.open(id);
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByRole("list", { name: "Versions, newest first" }).getByRole("button").last().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("deletion").getByText("quick", { exact: true }).waitFor();
    await dialog.getByRole("insertion").getByText("slow", { exact: true }).waitFor();
    await expectNoSeriousFindings(page);
    await dialog.getByRole("button", { name: "Restore this version" }).click();
    await bodyOf(page).getByText("The quick brown fox.").waitFor();
    expect((await testEditor.read(id)).working.body).toBe("The quick brown fox.");
    await page.getByRole("button", { name: "Undo" }).click();
    await bodyOf(page).getByText("The slow brown fox.").waitFor();
    expect((await testEditor.read(id)).working.body).toBe("The slow brown fox.");
    await page.close();
  });

  test("cover, alt text, terms, custom fields and search words are set in the panel and stay text", async () => {
    const websiteId = testEditor.tenant.website.id;
    await testEditor.node.rpc(testEditor.cookie, "set_field_definitions", {
      websiteId,
      expectedVersion: 1,
      fieldDefinitions: [
        { key: "price", label: "Price", type: "number", required: false, help: "", options: [] },
        { key: "level", label: HOSTILE, type: "select", required: false, help: "", options: ["easy", "hard"] },
      ],
    });
    const id = await testEditor.draft({ title: "Panel", body: "Text." });
    const { page } = await testEditor.open(id);
    await page.getByRole("button", { name: "Add a cover" }).click();
    await page.getByLabel("Image file").setInputFiles({ name: "cover.png", mimeType: "image/png", buffer: Buffer.from(imageBytes("png")) });
    await page.getByRole("dialog").getByLabel("Alt text").fill(HOSTILE);
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Use this image" }).click();
    await page.getByLabel("Cover alt text").waitFor();
    await page.getByRole("button", { name: "Choose tags" }).click();
    await page.getByPlaceholder("Find or add a tag").fill(HOSTILE);
    await page.getByRole("option", { name: "Add" }).click();
    await page.getByRole("button", { name: `Remove ${HOSTILE}` }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Price").fill("12,5");
    await page.getByText("Not saved. Enter a number.").waitFor();
    await page.getByLabel("Price").fill("12.5");
    await page.getByRole("combobox", { name: HOSTILE }).selectOption("hard");
    await page.getByRole("tab", { name: "SEO" }).click();
    await page.getByLabel("Search title").fill(HOSTILE);
    await page.getByRole("figure", { name: "Preview of a search result" }).getByText(HOSTILE).waitFor();
    await eventually(async () => (await testEditor.read(id)).working).toMatchObject({
      coverMediaId: expect.stringMatching(/^media_/),
      coverAlt: HOSTILE,
      tagIds: [expect.stringMatching(/^tag_/)],
      fields: { price: 12.5, level: "hard" },
      seo: { title: HOSTILE },
    });
    expect(await page.title()).toBe("Panel · Stet");
    await page.close();
  });

  test("deleted, the post is in the trash, read only, and comes back with Restore; previews are links for an hour", async () => {
    const id = await testEditor.draft({ title: "Short life", body: "Text." });
    const { page, context } = await testEditor.open(id);
    await page.getByRole("button", { name: "Preview" }).click();
    const [preview] = await Promise.all([context.waitForEvent("page"), page.getByRole("menuitem", { name: "Open preview" }).click()]);
    await preview.getByText("Short life").first().waitFor();
    expect(new URL(preview.url()).pathname).toMatch(/^\/preview\//);
    await preview.close();
    await chooseAction(page, "Move to trash …");
    await page.getByRole("button", { name: "Move to trash" }).click();
    await page.getByText("Moved to trash. You can restore it for 30 days.").waitFor();
    await page.goto(`/s/${testEditor.tenant.website.id}/posts/${id}`);
    await page.getByText("This post is in the trash").waitFor();
    expect(await bodyOf(page).getAttribute("contenteditable")).toBe("false");
    await page.getByRole("button", { name: "Restore" }).click();
    await eventually(() => bodyOf(page).getAttribute("contenteditable")).toBe("true");
    await write(page, " Again.");
    await eventually(async () => (await testEditor.read(id)).working.body).toBe("Text. Again.");
    await page.close();
  });

  test("by keyboard: shortcuts save a version, open the publishing, hide everything but the text, and are listed", async () => {
    const id = await testEditor.draft({ title: "Keys", body: "Text." });
    const { page } = await testEditor.open(id);
    await write(page, " More.");
    await page.keyboard.press("Control+s");
    await waitUntilSaved(page);
    const { items } = await testEditor.node.rpc(testEditor.cookie, "list_revisions", {
      websiteId: testEditor.tenant.website.id,
      postId: id,
    });
    expect(items[0]?.kind).toBe("save");
    await page.keyboard.press("Control+.");
    await page.getByRole("banner").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.getByRole("banner").waitFor();
    await page.keyboard.press("Control+Shift+P");
    await page.getByRole("dialog", { name: "Publish" }).getByText("There is no excerpt").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Post" }).focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.close();
  });

  test("the date that readers see is entered by the writer's own clock, and what it is on the website is said", async () => {
    const websiteId = testEditor.tenant.website.id;
    const { version } = await testEditor.node.rpc(testEditor.cookie, "get_website", { websiteId });
    const settings = { timeZone: "Asia/Tokyo" };
    await testEditor.node.rpc(testEditor.cookie, "update_website", { websiteId, expectedVersion: version, settings });
    const id = await testEditor.draft({ title: "Dated", body: "Text." });
    const { page } = await testEditor.open(id);
    const date = page.getByLabel("Publish date");
    await date.fill("2024-05-06T10:30");
    await page.getByText("Your time zone: UTC. On the website (Asia/Tokyo) that is 6 May 2024, 19:30.").waitFor();
    await eventually(async () => (await testEditor.read(id)).working.publishedAt).toBe("2024-05-06T10:30:00.000Z");
    await page.reload();
    expect(await date.inputValue()).toBe("2024-05-06T10:30");
    await page.getByRole("button", { name: "Clear" }).click();
    await eventually(async () => (await testEditor.read(id)).working.publishedAt).toBe(null);
    await page.close();
  });
});
