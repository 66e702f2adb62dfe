import { expect, test } from "vitest";
import { expectNoSeriousFindings } from "#test/axe";
import { bodyOf, eventually, openPost, saveLine, titleOf, waitUntilSaved, withEditor, write } from "#test/dashboard/test-editor";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;
const ODD =
  "Setext\n===\n\n*  a list\n*  with odd spaces\n\nLine with trailing spaces  \nand <b>html</b> &amp; an entity\n\n~~~js\ncode\n~~~\n";

await withEditor((testEditor) => {
  test("what is written is saved by itself and stands there after a reload", async () => {
    const id = await testEditor.draft({});
    const { page } = await testEditor.open(id);
    await titleOf(page).fill("Tea, slowly");
    await titleOf(page).press("Enter");
    await page.keyboard.type("Warm the pot first.");
    const address = page.getByLabel("Address", { exact: true });
    await address.fill("half typed");
    await eventually(async () => (await testEditor.read(id)).working).toMatchObject({
      title: "Tea, slowly",
      slug: "tea-slowly",
      body: "Warm the pot first.\n",
    });
    await waitUntilSaved(page);
    // The answer brought a slug made from the title, and left what was being typed alone.
    expect(await address.inputValue()).toBe("half typed");
    await page.reload();
    await bodyOf(page).getByText("Warm the pot first.").waitFor();
    expect(await titleOf(page).inputValue()).toBe("Tea, slowly");
    await page.close();
  });

  test("a post that is opened and left unedited is not saved, and keeps every byte", async () => {
    const id = await testEditor.draft({ title: "Odd", body: ODD });
    const { page } = await testEditor.open(id);
    const saves: string[] = [];
    page.on("request", (request) => request.url().includes("edit_post") && saves.push(request.url()));
    await bodyOf(page).click();
    await page.keyboard.press("Control+S");
    await page.getByRole("tab", { name: "SEO" }).click();
    await page.getByRole("link", { name: "Back to posts" }).click();
    await page.getByRole("heading", { name: "Posts" }).waitFor();
    expect(saves).toEqual([]);
    expect(await testEditor.read(id)).toMatchObject({ version: 1, working: { body: ODD } });
    await page.close();
  });

  test("what is typed offline waits in the browser and is saved when the way is open again", async () => {
    const id = await testEditor.draft({ title: "Train", body: "Before." });
    const { page, context } = await testEditor.open(id, { alone: true });
    await context.setOffline(true);
    await write(page, " In the tunnel.");
    await eventually(() => saveLine(page).textContent()).toBe("Offline — kept in this browser");
    await context.setOffline(false);
    await eventually(async () => (await testEditor.read(id)).working.body).toBe("Before. In the tunnel.");
    await waitUntilSaved(page);
    await context.close();
  });

  test("an answer that does not arrive whole is no answer: the text is kept, and sent again", async () => {
    const id = await testEditor.draft({ title: "Hotel network", body: "Text." });
    const { page, context } = await testEditor.open(id, { alone: true });
    let answers = 0;
    await page.route("**/api/rpc/edit_post", (route) => {
      answers += 1;
      return answers === 1 ? route.fulfill({ status: 200, contentType: "text/html", body: "<html>Sign in" }) : route.continue();
    });
    await write(page, " More.");
    await eventually(() => answers).toBeGreaterThan(1);
    await waitUntilSaved(page);
    expect((await testEditor.read(id)).working.body).toBe("Text. More.");
    await context.close();
  });

  test("a tab that is closed with unsent text loses nothing: the next one restores and saves it", async () => {
    const id = await testEditor.draft({ title: "Closed", body: "Before." });
    const { page, context } = await testEditor.open(id, { alone: true });
    await context.setOffline(true);
    await write(page, " Never sent.");
    await eventually(() => saveLine(page).textContent()).toBe("Offline — kept in this browser");
    // A closing page sends once more, and what outlives the page is not held by the pretended outage.
    await page.evaluate(`window.fetch = () => Promise.reject(new TypeError("gone"))`);
    await page.close();
    await context.setOffline(false);
    expect((await testEditor.read(id)).working.body).toBe("Before.");
    const next = await context.newPage();
    await openPost(next, testEditor.tenant.website.id, id);
    await next.getByText("Restored unsaved changes from this browser").waitFor();
    await bodyOf(next).getByText("Before. Never sent.").waitFor();
    await eventually(async () => (await testEditor.read(id)).working.body).toBe("Before. Never sent.");
    await context.close();
  });

  test("a tab that is closed right after the last word has sent it", async () => {
    const id = await testEditor.draft({ title: "Quick", body: "Before." });
    const { page, context } = await testEditor.open(id, { alone: true });
    await write(page, " Last word.");
    await page.close({ runBeforeUnload: true });
    await eventually(async () => (await testEditor.read(id)).working.body).toBe("Before. Last word.");
    await context.close();
  });

  test("who leaves the page right after the last word, in either view, finds it saved", async () => {
    const id = await testEditor.draft({ title: "Leaving", body: "Before." });
    const { page } = await testEditor.open(id);
    const leaveAndReturn = async () => {
      await page.getByRole("link", { name: "Back to posts" }).click();
      await page.getByRole("heading", { name: "Posts", exact: true }).waitFor();
      await page.goBack();
      await bodyOf(page).waitFor();
    };
    await write(page, " In blocks.");
    await leaveAndReturn();
    expect((await testEditor.read(id)).working.body).toBe("Before. In blocks.");
    await page.getByRole("button", { name: "Markdown", exact: true }).click();
    await write(page, " In source.");
    await leaveAndReturn();
    expect((await testEditor.read(id)).working.body).toBe("Before. In blocks. In source.");
    await page.close();
  });

  test("a session that ends while one writes: the text is kept, and saved when one has signed in again", async () => {
    const id = await testEditor.draft({ title: "Signed out", body: "Before." });
    const { page, context } = await testEditor.open(id, { alone: true });
    const cookies = await context.cookies();
    await context.clearCookies();
    await write(page, " Written after.");
    await page.getByText("Your text is kept in this browser.").waitFor();
    await context.addCookies(cookies);
    await page.getByRole("button", { name: "Try again" }).click();
    await eventually(async () => (await testEditor.read(id)).working.body).toBe("Before. Written after.");
    await context.close();
  });

  test("two tabs of one person: the idle one follows what the other saves", async () => {
    const id = await testEditor.draft({ title: "Twice", body: "One." });
    const { page, context } = await testEditor.open(id);
    const other = await context.newPage();
    await openPost(other, testEditor.tenant.website.id, id);
    await write(other, " Two.");
    await waitUntilSaved(other);
    await bodyOf(page).getByText("One. Two.").waitFor();
    await write(page, " Three.");
    await eventually(async () => (await testEditor.read(id)).working.body).toBe("One. Two. Three.");
    await page.close();
  });

  test("two people change the same text: both versions are shown, and keeping mine leaves theirs in the history", async () => {
    const editor = await testEditor.signIn(await testEditor.tenant.addMember("editor"));
    const id = await testEditor.draft({ title: "Contested", body: "The sky is blue." });
    const mine = await testEditor.open(id);
    const theirs = await testEditor.open(id, { as: editor });
    await write(theirs.page, " Theirs.");
    await waitUntilSaved(theirs.page);
    await write(mine.page, " Mine.");
    const dialog = mine.page.getByRole("dialog", { name: "Two versions of the same text" });
    await dialog.getByRole("region", { name: "Yours" }).getByText("Mine").waitFor();
    await dialog
      .getByRole("region", { name: /^Saved by/ })
      .getByText("Theirs.")
      .waitFor();
    expect((await testEditor.read(id)).working.body).toBe("The sky is blue. Theirs.");
    await expectNoSeriousFindings(mine.page);
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await eventually(async () => (await testEditor.read(id)).working.body).toBe("The sky is blue. Mine.");
    await waitUntilSaved(mine.page);
    await mine.page.getByRole("tab", { name: "History" }).click();
    await mine.page.getByRole("list", { name: "Versions, newest first" }).getByRole("button").nth(1).click();
    await mine.page.getByRole("dialog").getByRole("deletion").getByText("Theirs").waitFor();
    await mine.page.close();
    await theirs.context.close();
  });

  test("taking theirs puts mine into the history, and merging by hand shows theirs beside mine", async () => {
    const id = await testEditor.draft({ title: "Contested", body: "Base." });
    const { page } = await testEditor.open(id);
    const ids = { websiteId: testEditor.tenant.website.id, postId: id };
    const someoneSaves = async (body: string) =>
      testEditor.node.rpc(testEditor.cookie, "edit_post", { ...ids, body, expectedVersion: (await testEditor.read(id)).version });
    await someoneSaves("Base. Theirs.");
    await write(page, " Mine.");
    await page.getByRole("button", { name: "Use theirs" }).click();
    await bodyOf(page).getByText("Base. Theirs.").waitFor();
    await waitUntilSaved(page);
    const { items } = await testEditor.node.rpc(testEditor.cookie, "list_revisions", ids);
    const bodies = await Promise.all(
      items.map(
        async ({ id: revisionId }) => (await testEditor.node.rpc(testEditor.cookie, "get_revision", { ...ids, revisionId })).content.body,
      ),
    );
    expect(bodies).toContain("Base. Mine.");

    await someoneSaves("Base. Theirs again.");
    await write(page, " Mine again.");
    await page.getByRole("button", { name: "Merge by hand" }).click();
    await page.getByRole("complementary", { name: "Their version" }).getByText("Base. Theirs again.").waitFor();
    await write(page, " Merged.");
    await eventually(async () => (await testEditor.read(id)).working.body).toBe("Base. Theirs. Mine again. Merged.");
    await page.close();
  });

  test("on a phone one writes, opens the side panel as a sheet, and nothing is wider than the screen", async () => {
    const id = await testEditor.draft({ title: HOSTILE, excerpt: HOSTILE, body: `${HOSTILE}\n\nText.` });
    const { page, context } = await testEditor.open(id, { device: "phone", theme: "dark" });
    expect(await titleOf(page).inputValue()).toBe(HOSTILE);
    expect(await page.title()).toBe(`${HOSTILE} · Stet`);
    await titleOf(page).fill(`${HOSTILE} and more`);
    await waitUntilSaved(page);
    const isWider = () => page.evaluate<boolean>("document.documentElement.scrollWidth > window.innerWidth");
    expect(await isWider()).toBe(false);
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Show side panel" }).tap();
    const sheet = page.getByRole("dialog", { name: "About this post" });
    expect(await sheet.getByLabel("Excerpt").inputValue()).toBe(HOSTILE);
    await sheet.getByRole("tab", { name: "SEO" }).tap();
    await sheet.getByText(`${HOSTILE} and more`).first().waitFor();
    expect(await isWider()).toBe(false);
    await expectNoSeriousFindings(page);
    expect(await page.title()).not.toBe("broken");
    await context.close();
  });
});
