import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { expectNoSeriousFindings } from "#test/axe";
import { imageBytes } from "#test/images";
import { bodyOf, eventually, openPost, saveLine, titleOf, waitUntilSaved, withEditor, write } from "#test/dashboard/editor-hands";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;
const ODD =
  "Setext\n===\n\n*  a list\n*  with odd spaces\n\nLine with trailing spaces  \nand <b>html</b> &amp; an entity\n\n~~~js\ncode\n~~~\n";

await withEditor((hands) => {
  test("what is written is saved by itself and stands there after a reload", async () => {
    const id = await hands.draft({});
    const { page } = await hands.open(id);
    await titleOf(page).fill("Tea, slowly");
    await titleOf(page).press("Enter");
    await page.keyboard.type("Warm the pot first.");
    const address = page.getByLabel("Address", { exact: true });
    await address.fill("half typed");
    await eventually(async () => (await hands.read(id)).working).toMatchObject({
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

  test("a link is typed as Markdown has it, and words after an uploaded image begin a paragraph of their own", async () => {
    const id = await hands.draft({ title: "Kettles" });
    const { page } = await hands.open(id);
    await write(page, "See **the** [old **copper** kettle](https://example.com/a_(b)) first.");
    await page.keyboard.press("Enter");
    const asked = page.waitForEvent("filechooser");
    await page.keyboard.type("/upload");
    await page.getByRole("option", { name: /Upload image/ }).waitFor();
    await page.keyboard.press("Enter");
    await (await asked).setFiles({ name: "kettle.png", mimeType: "image/png", buffer: Buffer.from(imageBytes("png")) });
    await bodyOf(page).locator('img[src^="/media/"]').waitFor();
    await page.keyboard.type("It sings.");
    await eventually(async () => (await hands.read(id)).working.body.replace(/\(\/media\/[^)]+\)/, "(IMAGE)")).toBe(
      "See **the** [old **copper** kettle](<https://example.com/a_(b)>) first.\n\n![](IMAGE)\n\nIt sings.\n",
    );
    await page.close();
  });

  test("addresses become links with the space after them, and follow their words; what readers would not find linked is left alone", async () => {
    const id = await hands.draft({ title: "Addresses", body: "*  kept\n" });
    const { page } = await hands.open(id);
    await bodyOf(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    const links = () => bodyOf(page).getByRole("link").allTextContents();
    await page.keyboard.type("See https://example.com/a_(b). ");
    expect(await links()).toEqual(["https://example.com/a_(b)"]);
    await page.keyboard.type("Or www.example.org and example.net or and/or me@example.com");
    await page.keyboard.press("Enter");
    expect(await links()).toEqual(["https://example.com/a_(b)", "www.example.org", "me@example.com"]);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("End");
    await page.keyboard.type(".au");
    expect(await links()).toEqual(["https://example.com/a_(b)", "www.example.org", "me@example.com.au"]);
    await eventually(async () => (await hands.read(id)).working.body).toBe(
      "*  kept\n\nSee https://example.com/a_(b). Or www.example.org and example.net or and/or me@example.com.au\n",
    );
    await page.close();
  });

  test("a footnote begins right after a word: by name, by its keys, or for what is selected; and/or and addresses are typed in peace", async () => {
    const id = await hands.draft({ title: "Notes" });
    const { page } = await hands.open(id);
    const menu = page.getByRole("listbox", { name: "Blocks" });
    await write(page, "Tea and/or footage from https://example.com/foot");
    expect(await menu.count()).toBe(0);
    await page.keyboard.press("Enter");
    await page.keyboard.type("Warm the pot./footn");
    await menu.getByRole("option", { name: /Footnote/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Nobody does.");
    await page.keyboard.press("Control+Alt+f");
    await page.keyboard.type(" Then pour");
    await page.keyboard.press("Control+Shift+ArrowLeft");
    await page.getByRole("toolbar", { name: "Format the selected text" }).getByRole("button", { name: "Footnote" }).click();
    await page.keyboard.type("Slowly.");
    await eventually(async () => (await hands.read(id)).working.body).toBe(
      "Tea and/or footage from https://example.com/foot\n\nWarm the pot.[^1] Then pour[^2]\n\n[^1]: Nobody does.\n\n[^2]: Slowly.\n",
    );
    await page.close();
  });

  test("text that an input method composes is saved whole, and its keys open and choose nothing", async () => {
    const id = await hands.draft({ title: "構成" });
    const { page, context } = await hands.open(id);
    const ime = await context.newCDPSession(page);
    const compose = (text: string) => ime.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await write(page, "お茶は ");
    await compose("/に");
    await compose("/にほん");
    // A save while one composes takes nothing out of the writer's hands.
    await eventually(async () => (await hands.read(id)).working.body).toContain("にほん");
    await waitUntilSaved(page);
    await compose("/にほんの");
    expect(await page.getByRole("listbox", { name: "Blocks" }).count()).toBe(0);
    await page.evaluate(
      `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }))`,
    );
    await page.evaluate(
      `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: ".", ctrlKey: true, isComposing: true, bubbles: true, cancelable: true }))`,
    );
    await page.getByRole("banner").waitFor();
    await ime.send("Input.insertText", { text: "日本の" });
    await compose("お茶");
    await ime.send("Input.insertText", { text: "お茶" });
    await eventually(async () => (await hands.read(id)).working.body).toBe("お茶は 日本のお茶\n");
    await page.close();
  });

  test("images on their way can be cancelled; one that failed says why and is tried again; they keep their order, and words typed meanwhile stay", async () => {
    const id = await hands.draft({ title: "Pictures", body: "Before." });
    const { page } = await hands.open(id);
    const waiting = new Map<string, Route>();
    await page.route("**/media?fileName=*", (route) => {
      waiting.set(new URL(route.request().url()).searchParams.get("fileName") ?? "", route);
    });
    const image = (name: string) => ({ name: `${name}.png`, mimeType: "image/png", buffer: Buffer.from(imageBytes("png")) });
    const card = (name: string) => bodyOf(page).locator(".upload-card", { hasText: `${name}.png` });
    await write(page, " /upload");
    const asked = page.waitForEvent("filechooser");
    await page.getByRole("option", { name: /Upload image/ }).waitFor();
    await page.keyboard.press("Enter");
    await (await asked).setFiles([image("one"), image("two"), image("unwanted")]);
    await eventually(() => [...waiting.keys()].toSorted()).toEqual(["one.png", "two.png", "unwanted.png"]);
    await page.getByRole("progressbar", { name: "Upload of one.png" }).waitFor();
    await page.keyboard.type(" Typed meanwhile.");
    await card("unwanted").getByRole("button", { name: "Cancel" }).click();
    await card("unwanted").waitFor({ state: "detached" });

    await waiting.get("two.png")!.continue();
    await bodyOf(page).locator('img[src^="/media/"]').waitFor();
    await waiting.get("one.png")!.abort();
    await card("one").getByText("The upload was cut off. Check the connection").waitFor();
    await expectNoSeriousFindings(page);
    await page.unroute("**/media?fileName=*");
    await card("one").getByRole("button", { name: "Try again" }).click();
    await card("one").waitFor({ state: "detached" });
    const body = async () => (await hands.read(id)).working.body.replaceAll(/\(\/media\/[^)]+\)/g, "(IMAGE)");
    await eventually(body).toBe("Before. ![](IMAGE) Typed meanwhile.\n\n![](IMAGE)");

    // Who turns to the other view meanwhile gets the image there, and keeps what was typed there.
    await page.route("**/media?fileName=*", (route) => void waiting.set("late.png", route));
    await write(page, "\n/upload");
    const again = page.waitForEvent("filechooser");
    await page.getByRole("option", { name: /Upload image/ }).waitFor();
    await page.keyboard.press("Enter");
    await (await again).setFiles([image("late")]);
    await eventually(() => waiting.has("late.png")).toBe(true);
    await page.getByRole("button", { name: "Markdown", exact: true }).click();
    await write(page, "\n\nIn source: ");
    await waiting.get("late.png")!.continue();
    await eventually(body).toBe("Before. ![](IMAGE) Typed meanwhile.\n\n![](IMAGE)\n\nIn source: ![](IMAGE)");
    await page.close();
  });

  test("a post that is opened and left unedited is not saved, and keeps every byte", async () => {
    const id = await hands.draft({ title: "Odd", body: ODD });
    const { page } = await hands.open(id);
    const saves: string[] = [];
    page.on("request", (request) => request.url().includes("edit_post") && saves.push(request.url()));
    await bodyOf(page).click();
    await page.keyboard.press("Control+S");
    await page.getByRole("tab", { name: "SEO" }).click();
    await page.getByRole("link", { name: "Back to the posts" }).click();
    await page.getByRole("heading", { name: "Posts" }).waitFor();
    expect(saves).toEqual([]);
    expect(await hands.read(id)).toMatchObject({ version: 1, working: { body: ODD } });
    await page.close();
  });

  test("what is typed offline waits in the browser and is saved when the way is open again", async () => {
    const id = await hands.draft({ title: "Train", body: "Before." });
    const { page, context } = await hands.open(id, { alone: true });
    await context.setOffline(true);
    await write(page, " In the tunnel.");
    await eventually(() => saveLine(page).textContent()).toBe("Offline — kept in this browser");
    await context.setOffline(false);
    await eventually(async () => (await hands.read(id)).working.body).toBe("Before. In the tunnel.");
    await waitUntilSaved(page);
    await context.close();
  });

  test("a tab that is closed with unsent text loses nothing: the next one restores and saves it", async () => {
    const id = await hands.draft({ title: "Closed", body: "Before." });
    const { page, context } = await hands.open(id, { alone: true });
    await context.setOffline(true);
    await write(page, " Never sent.");
    await eventually(() => saveLine(page).textContent()).toBe("Offline — kept in this browser");
    await page.close();
    await context.setOffline(false);
    expect((await hands.read(id)).working.body).toBe("Before.");
    const next = await context.newPage();
    await openPost(next, hands.tenant.website.id, id);
    await next.getByText("were restored from this browser").waitFor();
    await bodyOf(next).getByText("Before. Never sent.").waitFor();
    await eventually(async () => (await hands.read(id)).working.body).toBe("Before. Never sent.");
    await context.close();
  });

  test("a tab that is closed right after the last word has sent it", async () => {
    const id = await hands.draft({ title: "Quick", body: "Before." });
    const { page, context } = await hands.open(id, { alone: true });
    await write(page, " Last word.");
    await page.close({ runBeforeUnload: true });
    await eventually(async () => (await hands.read(id)).working.body).toBe("Before. Last word.");
    await context.close();
  });

  test("who leaves the page right after the last word, in either view, finds it saved", async () => {
    const id = await hands.draft({ title: "Leaving", body: "Before." });
    const { page } = await hands.open(id);
    const leaveAndReturn = async () => {
      await page.getByRole("link", { name: "Back to the posts" }).click();
      await page.getByRole("heading", { name: "Posts", exact: true }).waitFor();
      await page.goBack();
      await bodyOf(page).waitFor();
    };
    await write(page, " In blocks.");
    await leaveAndReturn();
    expect((await hands.read(id)).working.body).toBe("Before. In blocks.");
    await page.getByRole("button", { name: "Markdown", exact: true }).click();
    await write(page, " In source.");
    await leaveAndReturn();
    expect((await hands.read(id)).working.body).toBe("Before. In blocks. In source.");
    await page.close();
  });

  test("a session that ends while one writes: the text is kept, and saved when one has signed in again", async () => {
    const id = await hands.draft({ title: "Signed out", body: "Before." });
    const { page, context } = await hands.open(id, { alone: true });
    const cookies = await context.cookies();
    await context.clearCookies();
    await write(page, " Written after.");
    await page.getByText("What you wrote is kept in this browser.").waitFor();
    await context.addCookies(cookies);
    await page.getByRole("button", { name: "Try again" }).click();
    await eventually(async () => (await hands.read(id)).working.body).toBe("Before. Written after.");
    await context.close();
  });

  test("two tabs of one person: the idle one follows what the other saves", async () => {
    const id = await hands.draft({ title: "Twice", body: "One." });
    const { page, context } = await hands.open(id);
    const other = await context.newPage();
    await openPost(other, hands.tenant.website.id, id);
    await write(other, " Two.");
    await waitUntilSaved(other);
    await bodyOf(page).getByText("One. Two.").waitFor();
    await write(page, " Three.");
    await eventually(async () => (await hands.read(id)).working.body).toBe("One. Two. Three.");
    await page.close();
  });

  test("two people change the same text: both versions are shown, and keeping mine leaves theirs in the history", async () => {
    const editor = await hands.signIn(await hands.tenant.addMember("editor"));
    const id = await hands.draft({ title: "Contested", body: "The sky is blue." });
    const mine = await hands.open(id);
    const theirs = await hands.open(id, { as: editor });
    await write(theirs.page, " Theirs.");
    await waitUntilSaved(theirs.page);
    await write(mine.page, " Mine.");
    const dialog = mine.page.getByRole("dialog", { name: "Two versions of the same text" });
    await dialog.getByRole("region", { name: "Yours" }).getByText("Mine").waitFor();
    await dialog
      .getByRole("region", { name: /^Saved by/ })
      .getByText("Theirs.")
      .waitFor();
    expect((await hands.read(id)).working.body).toBe("The sky is blue. Theirs.");
    await expectNoSeriousFindings(mine.page);
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await eventually(async () => (await hands.read(id)).working.body).toBe("The sky is blue. Mine.");
    await waitUntilSaved(mine.page);
    await mine.page.getByRole("tab", { name: "History" }).click();
    await mine.page.getByRole("list", { name: "Versions, newest first" }).getByRole("button").nth(1).click();
    await mine.page.getByRole("dialog").getByRole("deletion").getByText("Theirs").waitFor();
    await mine.page.close();
    await theirs.context.close();
  });

  test("taking theirs puts mine into the history, and merging by hand shows theirs beside mine", async () => {
    const id = await hands.draft({ title: "Contested", body: "Base." });
    const { page } = await hands.open(id);
    const place = { websiteId: hands.tenant.website.id, postId: id };
    const someoneSaves = async (body: string) =>
      hands.node.rpc(hands.cookie, "edit_post", { ...place, body, expectedVersion: (await hands.read(id)).version });
    await someoneSaves("Base. Theirs.");
    await write(page, " Mine.");
    await page.getByRole("button", { name: "Take theirs" }).click();
    await bodyOf(page).getByText("Base. Theirs.").waitFor();
    await waitUntilSaved(page);
    const { items } = await hands.node.rpc(hands.cookie, "list_revisions", place);
    const bodies = await Promise.all(
      items.map(async ({ id: revisionId }) => (await hands.node.rpc(hands.cookie, "get_revision", { ...place, revisionId })).content.body),
    );
    expect(bodies).toContain("Base. Mine.");

    await someoneSaves("Base. Theirs again.");
    await write(page, " Mine again.");
    await page.getByRole("button", { name: "Merge by hand" }).click();
    await page.getByRole("complementary", { name: "Their version" }).getByText("Base. Theirs again.").waitFor();
    await write(page, " Merged.");
    await eventually(async () => (await hands.read(id)).working.body).toBe("Base. Theirs. Mine again. Merged.");
    await page.close();
  });

  test("on a phone one writes, opens the side panel as a sheet, and nothing is wider than the screen", async () => {
    const id = await hands.draft({ title: HOSTILE, excerpt: HOSTILE, body: `${HOSTILE}\n\nText.` });
    const { page, context } = await hands.open(id, { device: "phone", theme: "dark" });
    expect(await titleOf(page).inputValue()).toBe(HOSTILE);
    expect(await page.title()).toBe(`${HOSTILE} · Stet`);
    await titleOf(page).fill(`${HOSTILE} and more`);
    await waitUntilSaved(page);
    const isWider = () => page.evaluate<boolean>("document.documentElement.scrollWidth > window.innerWidth");
    expect(await isWider()).toBe(false);
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Show the side panel" }).tap();
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
