import type { Route } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { addMedia } from "#operations/media/add-media";
import { expectNoSeriousFindings } from "#test/axe";
import { imageBytes } from "#test/images";
import { bodyOf, eventually, waitUntilSaved, withEditor, write } from "#test/dashboard/test-editor";

await withEditor((testEditor) => {
  test("a link is typed as Markdown has it, and words after an uploaded image begin a paragraph of their own", async () => {
    const id = await testEditor.draft({ title: "Kettles" });
    const { page } = await testEditor.open(id);
    await write(page, "See **the** [old **copper** kettle](https://example.com/a_(b)) first.");
    await page.keyboard.press("Enter");
    const asked = page.waitForEvent("filechooser");
    await page.keyboard.type("/upload");
    await page.getByRole("option", { name: /Upload image/ }).waitFor();
    await page.keyboard.press("Enter");
    await (await asked).setFiles({ name: "kettle.png", mimeType: "image/png", buffer: Buffer.from(imageBytes("png")) });
    await bodyOf(page).locator('img[src^="/media/"]').waitFor();
    await page.keyboard.type("It sings.");
    await eventually(async () => (await testEditor.read(id)).working.body.replace(/\(\/media\/[^)]+\)/, "(IMAGE)")).toBe(
      "See **the** [old **copper** kettle](<https://example.com/a_(b)>) first.\n\n![](IMAGE)\n\nIt sings.\n",
    );
    await page.close();
  });

  test("addresses become links with the space after them, and follow their words; what readers would not find linked is left alone", async () => {
    const id = await testEditor.draft({ title: "Addresses", body: "*  kept\n" });
    const { page } = await testEditor.open(id);
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
    await eventually(async () => (await testEditor.read(id)).working.body).toBe(
      "*  kept\n\nSee https://example.com/a_(b). Or www.example.org and example.net or and/or me@example.com.au\n",
    );
    await page.close();
  });

  test("a link that is taken from an address stays away, for readers too, until it is made by hand", async () => {
    const id = await testEditor.draft({ title: "Plain" });
    const { page } = await testEditor.open(id);
    await write(page, "Not https://example.com/a and not http://www.example.org now. But me@example.com is.");
    for (const address of ["https://example.com/a", "http://www.example.org"]) {
      await bodyOf(page).getByRole("link", { name: address }).click();
      await page.getByRole("button", { name: "Remove link" }).click();
    }
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" So https://example.com/a stays.");
    const text = () => testEditor.read(id).then(({ working }) => working.body);
    const expected =
      "Not https\\://example.com/a and not http\\://www\\.example.org now. But me@example.com is. So https\\://example.com/a stays.";
    await eventually(text).toBe(`${expected}\n`);
    await waitUntilSaved(page);
    await page.reload();
    await write(page, " Really.");
    expect(await bodyOf(page).getByRole("link").allTextContents()).toEqual(["me@example.com"]);
    await eventually(text).toBe(`${expected} Really.\n`);
    await page.close();
  });

  test("marks are typed after brackets and quotation marks too, and take nothing else away; within a word they are characters", async () => {
    const id = await testEditor.draft({ title: "Marks" });
    const { page } = await testEditor.open(id);
    await write(page, '(`code`), ("**bold**"), “*italic*”, (~~gone~~); 2*3*4, snake_case_word and f**o**o.');
    await eventually(async () => (await testEditor.read(id)).working.body).toBe(
      '(`code`), ("**bold**"), “*italic*”, (~~gone~~); 2\\*3\\*4, snake_case_word and f\\*\\*o\\*\\*o.\n',
    );
    await page.close();
  });

  test("a table whose first row is deleted keeps the alignment of its columns", async () => {
    const id = await testEditor.draft({ title: "Sums", body: "| a | b |\n|---|--:|\n| c | d |\n| e | f |\n" });
    const { page } = await testEditor.open(id);
    await bodyOf(page).getByText("a", { exact: true }).click();
    await page.getByRole("toolbar", { name: "Table" }).getByRole("button", { name: "Delete the row" }).click();
    await eventually(async () => (await testEditor.read(id)).working.body).toBe("| c | d |\n| --- | --: |\n| e | f |\n");
    await page.close();
  });

  test("who changes the view goes on where they were, there and back", async () => {
    const body = Array.from({ length: 80 }, (_, i) => `## Part ${i}\n\nWords of part ${i}.\n`).join("\n");
    const id = await testEditor.draft({ title: "Long", body });
    const { page } = await testEditor.open(id);
    await bodyOf(page).getByText("Words of part 60.").click();
    await page.getByRole("button", { name: "Markdown", exact: true }).click();
    await page.keyboard.type("There: ");
    await page.getByRole("button", { name: "Blocks", exact: true }).click();
    await page.keyboard.type("Back: ");
    await eventually(async () => (await testEditor.read(id)).working.body).toBe(
      body.replace("Words of part 60.", "Back: There: Words of part 60."),
    );
    await page.close();
  });

  test("a footnote begins right after a word: by name, by its keys, or for what is selected; and/or and addresses are typed in peace", async () => {
    const id = await testEditor.draft({ title: "Notes" });
    const { page } = await testEditor.open(id);
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
    await eventually(async () => (await testEditor.read(id)).working.body).toBe(
      "Tea and/or footage from https://example.com/foot\n\nWarm the pot.[^1] Then pour[^2]\n\n[^1]: Nobody does.\n\n[^2]: Slowly.\n",
    );
    await page.close();
  });

  test("toolbars are reached and left by keyboard, that of a table too", async () => {
    const id = await testEditor.draft({ title: "Keys", body: "one two\n\n| a | b |\n|---|---|\n| c | d |\n" });
    const { page } = await testEditor.open(id);
    const focusIsOn = (name: string) => eventually(() => page.evaluate("document.activeElement.ariaLabel")).toBe(name);
    await bodyOf(page).getByText("one two").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Control+Shift+ArrowLeft");
    await page.getByRole("toolbar", { name: "Format the selected text" }).waitFor();
    await page.keyboard.press("Tab");
    await focusIsOn("Bold");
    await page.keyboard.press("ArrowRight");
    await focusIsOn("Italic");
    await page.keyboard.press("Enter");
    await focusIsOn("Body of the post");
    await bodyOf(page).getByRole("cell", { name: "d" }).click();
    await page.getByRole("toolbar", { name: "Table" }).waitFor();
    await page.keyboard.press("Alt+F10");
    await focusIsOn("Add a row above");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await focusIsOn("Delete the column");
    await page.keyboard.press("Enter");
    await focusIsOn("Body of the post");
    await page.keyboard.press("Alt+F10");
    await focusIsOn("Add a row above");
    await page.keyboard.press("Escape");
    await focusIsOn("Body of the post");
    await eventually(async () => (await testEditor.read(id)).working.body).toBe("one *two*\n\n| a |\n| --- |\n| c |\n");
    await page.close();
  });

  test("below a block that ends the text one goes on with the arrow down, or with a click into the empty page", async () => {
    const id = await testEditor.draft({ title: "Ends", body: ":::note\ntext\n:::\n" });
    const { page } = await testEditor.open(id);
    await bodyOf(page).getByText("text", { exact: true }).click();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type("Below.");
    await page.keyboard.press("Enter");
    await page.keyboard.type("```");
    await page.keyboard.press("Enter");
    await page.keyboard.type("code");
    const { width, height } = (await bodyOf(page).boundingBox())!;
    await bodyOf(page).click({ position: { x: width / 2, y: height - 5 } });
    await page.keyboard.type("After the code.");
    await eventually(async () => (await testEditor.read(id)).working.body).toBe(
      ":::note\ntext\n:::\n\nBelow.\n\n```\ncode\n```\n\nAfter the code.\n",
    );
    await page.close();
  });

  test("text that an input method composes is saved whole, and its keys choose nothing and are no shortcuts", async () => {
    const id = await testEditor.draft({ title: "構成" });
    const { page, context } = await testEditor.open(id);
    const ime = await context.newCDPSession(page);
    const compose = (text: string) => ime.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    const key = (options: string) =>
      page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, isComposing: true, ${options} }))`,
      );
    await write(page, "お茶は ");
    await compose("/t");
    await compose("/ta");
    // The menu may offer a table; the Enter that ends a word of the input method is not for it.
    await key(`key: "Enter"`);
    await key(`key: ".", ctrlKey: true`);
    await compose("/たべ");
    // A save while one composes takes nothing out of the writer's hands.
    await eventually(async () => (await testEditor.read(id)).working.body).toBe("お茶は /たべ\n");
    await waitUntilSaved(page);
    await compose("/たべもの");
    await ime.send("Input.insertText", { text: "食べ物" });
    await compose("です");
    await ime.send("Input.insertText", { text: "です" });
    await eventually(async () => (await testEditor.read(id)).working.body).toBe("お茶は 食べ物です\n");
    await page.getByRole("banner").waitFor();
    await page.close();
  });

  test("an image alone in its paragraph has a caption and a width, by mouse and keyboard; Undo takes them back", async () => {
    const bytes = await sharp({ create: { width: 1600, height: 500, channels: 3, background: "#3060a0" } })
      .png()
      .toBuffer();
    const { url } = await testEditor.node.call(addMedia, testEditor.tenant.actor, {
      websiteId: testEditor.tenant.website.id,
      bytes,
      filename: "sea.png",
    });
    const id = await testEditor.draft({ title: "Sea", body: `__Kept__\n\n![Sea](${url})\n\nBeside ![](${url} "t") words\n` });
    const { page } = await testEditor.open(id);
    const text = async () => (await testEditor.read(id)).working.body.replaceAll(url, "IMAGE");
    const saved = (image: string) => eventually(text).toBe(`__Kept__\n\n${image}\n\nBeside ![](IMAGE "t") words\n`);
    const width = (name: string) => page.getByRole("group", { name: "Width of the image" }).getByRole("button", { name });
    const caption = page.getByLabel("Caption of the image");
    const shown = bodyOf(page).getByRole("img", { name: "Sea" });
    // Only an image without words beside it asks, and only when it is chosen.
    expect(await caption.filter({ visible: true }).count()).toBe(0);
    await shown.click();
    await page.keyboard.press("Tab");
    await page.keyboard.type('A "quiet" {.full} sea');
    await width("Wide").click();
    await saved('![Sea](IMAGE "A \\"quiet\\" {.full} sea"){.wide}');
    const column = (await bodyOf(page).boundingBox())!;
    expect((await shown.boundingBox())!.width).toBeGreaterThan(column.width);
    await expectNoSeriousFindings(page);
    await page.keyboard.press("Control+z");
    await saved('![Sea](IMAGE "A \\"quiet\\" {.full} sea")');
    await page.keyboard.press("Control+z");
    await saved("![Sea](IMAGE)");
    expect(await caption.filter({ visible: true }).inputValue()).toBe("");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Full");
    await page.keyboard.press("Enter");
    await saved("![Sea](IMAGE){.full}");
    const isWider = () => page.evaluate<boolean>("document.documentElement.scrollWidth > window.innerWidth");
    expect(await isWider()).toBe(false);
    // Copied and pasted it stays what it is; beside words it has neither.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+x");
    expect(await shown.count()).toBe(0);
    await page.keyboard.press("Control+v");
    expect(await width("Full").filter({ visible: true }).getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.type(" and words");
    await saved("![Sea](IMAGE) and words");
    await page.close();
  });

  test("images on their way can be cancelled; one that failed says why and is tried again; they keep their order, and words typed meanwhile stay", async () => {
    const id = await testEditor.draft({ title: "Pictures", body: "Before." });
    const { page } = await testEditor.open(id);
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
    await card("one").getByText("The upload was interrupted. Check your connection").waitFor();
    await expectNoSeriousFindings(page);
    // As a network does that wants one to sign in first: it answers everything with its own page.
    waiting.clear();
    await card("one").getByRole("button", { name: "Try again" }).click();
    await eventually(() => waiting.size).toBe(1);
    await waiting.get("one.png")!.fulfill({ status: 200, contentType: "text/html", body: "<html>\n" });
    await card("one").getByText("The server did not respond.").waitFor();
    await page.unroute("**/media?fileName=*");
    await card("one").getByRole("button", { name: "Try again" }).click();
    await card("one").waitFor({ state: "detached" });
    const body = async () => (await testEditor.read(id)).working.body.replaceAll(/\(\/media\/[^)]+\)/g, "(IMAGE)");
    await eventually(body).toBe("Before. ![](IMAGE) Typed meanwhile.\n\n![](IMAGE)");

    // Who turns to the other view meanwhile gets the image there, and keeps what was typed there.
    await page.route("**/media?fileName=*", (route) => void waiting.set("late.png", route));
    await write(page, "\n/upload");
    const again = page.waitForEvent("filechooser");
    await page.getByRole("option", { name: /Upload image/ }).waitFor();
    await page.keyboard.press("Enter");
    await (await again).setFiles([image("late")]);
    await eventually(() => waiting.has("late.png")).toBe(true);
    // Who leaves now would leave it behind, and is asked.
    await page.getByRole("link", { name: "Back to posts" }).click();
    await page.getByRole("dialog", { name: "Leave without the image?" }).getByRole("button", { name: "Stay here" }).click();
    await page.getByRole("button", { name: "Markdown", exact: true }).click();
    await write(page, "\n\nIn source: ");
    await waiting.get("late.png")!.continue();
    await eventually(body).toBe("Before. ![](IMAGE) Typed meanwhile.\n\n![](IMAGE)\n\nIn source: ![](IMAGE)");

    // An image whose place is gone when it arrives does not go missing without a word.
    waiting.clear();
    await page.getByRole("button", { name: "Blocks", exact: true }).click();
    await write(page, "\n/upload");
    const last = page.waitForEvent("filechooser");
    await page.getByRole("option", { name: /Upload image/ }).waitFor();
    await page.keyboard.press("Enter");
    await (await last).setFiles([image("homeless")]);
    await eventually(() => waiting.size).toBe(1);
    await bodyOf(page).press("ControlOrMeta+a");
    await bodyOf(page).press("Delete");
    await waiting.get("late.png")!.continue();
    await page.getByText("An image was uploaded, but its place in the text is gone.").waitFor();
    await page.close();
  });
});
