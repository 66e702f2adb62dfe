import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { bodyOf, eventually, withEditor } from "#test/dashboard/test-editor";
import { imageBytes } from "#test/images";

/** Pastes at the end of the text what another program would put on the clipboard. */
async function paste(page: Page, data: Readonly<Record<string, string>>): Promise<void> {
  await bodyOf(page).click();
  await page.keyboard.press("Control+End");
  await page.evaluate(`(async () => {
    // The editor hears a moment later that the caret stands elsewhere.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(${JSON.stringify(data)})) clipboardData.setData(type, text);
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  })()`);
}

await withEditor((testEditor) => {
  const draft = async () => {
    const id = await testEditor.draft({ title: "Pasted" });
    return { id, ...(await testEditor.open(id)), text: async () => (await testEditor.read(id)).working.body };
  };

  test("a document of Google's keeps its bold, italic and struck words, its lists and its tables, and is not bold as a whole", async () => {
    const { page, text } = await draft();
    await paste(page, {
      "text/plain": "A document",
      "text/html": `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span style="font-weight:700">A heading</span></h2><p style="line-height:1.4"><span style="font-weight:400;">Plain </span><span style="font-weight:700;">bold</span><span>, </span><span style="font-style:italic">italic</span><span> and </span><span style="text-decoration:line-through;">gone</span><span> with </span><a href="https://example.com/x" style="text-decoration:none;"><span style="text-decoration:underline;">a link</span></a><span>.</span></p><br /><ul><li><p role="presentation"><span>one</span></p></li><ul><li><p><span>within</span></p></li></ul></ul><br /><table style="border:none"><colgroup><col width="301"/></colgroup><tbody><tr><td><p><span>A</span></p></td><td><p style="text-align:right">B</p></td></tr><tr><td><p>C</p></td><td style="text-align:right"><p>D</p><p>E</p></td></tr></tbody></table></b>`,
    });
    await eventually(text).toBe(
      "## A heading\n\nPlain **bold**, *italic* and ~~gone~~ with [a link](https://example.com/x).\n\n- one\n  - within\n\n| A | B |\n| --- | --: |\n| C | D<br>E |\n",
    );
    // What Google leaves between the paragraphs is no line of ours.
    expect(await bodyOf(page).locator("> p").count()).toBe(1);
    await page.close();
  });

  test("what Word writes as paragraphs with bullets becomes lists, its notes become notes, and pictures of its own disk are named", async () => {
    const { page, text } = await draft();
    const item = (level: number, marker: string, words: string, list = "l0") =>
      `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:${list} level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${marker}<span>&nbsp;&nbsp; </span></span><![endif]>${words}<o:p></o:p></p>`;
    const note = (href: string, name: string) =>
      `<a style='mso-footnote-id:ftn1' href="#${href}" name="${name}" title=""><span class=MsoFootnoteReference>[1]</span></a>`;
    await paste(page, {
      "text/plain": "A document",
      "text/html": `<html><head><style><!-- p.MsoNormal {margin:0} --></style></head><body><p class=MsoNormal>Some <b>bold</b> words.${note("_ftn1", "_ftnref1")}<o:p></o:p></p>${item(1, "·", "one")}${item(2, "o", "within")}${item(1, "·", "two")}${item(1, "1.", "first", "l1")}${item(1, "2.", "second", "l1")}<p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal><img width=10 src="file:///C:/Users/clip_image002.png">Below.</p><div style='mso-element:footnote-list'><![if !supportFootnotes]><br clear=all><hr align=left size=1 width="33%"><![endif]><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText>${note("_ftnref1", "_ftn1")} The note.</p></div></div></body></html>`,
    });
    await page.getByText("1 image was not pasted, because it is a local file.").waitFor();
    await eventually(text).toBe(
      "Some **bold** words.[^1]\n\n- one\n  - within\n- two\n\n1. first\n2. second\n\nBelow.\n\n[^1]: The note.\n",
    );
    await page.close();
  });

  test("a figure of another page becomes an image with its caption and width; what is no image keeps its words", async () => {
    const { page, text } = await draft();
    await paste(page, {
      "text/plain": "A figure",
      "text/html": `<p>One</p><figure class="kg-card kg-image-card kg-width-wide"><a href="/big"><img src="/media/a.png" alt="Sea"></a><figcaption>By <b>Ann</b>,\n "1998"</figcaption></figure><figure><img src="/media/b.png" alt=""></figure><a href="/c"><figure class="alignfull"><img src="/media/c.png" alt=""><figcaption> </figcaption></figure></a><figure><blockquote>Said</figcaption></blockquote><figcaption>Who</figcaption></figure>`,
    });
    await eventually(text).toBe(
      'One\n\n[![Sea](/media/a.png "By Ann, \\"1998\\"")](/big){.wide}\n\n![](/media/b.png)\n\n[![](/media/c.png)](/c){.full}\n\n> Said\n\nWho\n',
    );
    await page.close();
  });

  test("lines of a code editor are code in its language; an image inside of a text is uploaded and stands where it stood", async () => {
    const { page, text } = await draft();
    await paste(page, {
      "text/plain": "const kettle = 1;\n  boil(kettle);\n",
      "text/html": `<div style="font-family:monospace;white-space:pre;"><div>const kettle = 1;</div><div>  boil(kettle);</div></div>`,
      "vscode-editor-data": `{"version":1,"mode":"typescript"}`,
    });
    await page.keyboard.press("ArrowDown");
    const png = Buffer.from(imageBytes("png")).toString("base64");
    await paste(page, { "text/plain": "Before after", "text/html": `<p>Before <img src="data:image/png;base64,${png}" alt=""> after</p>` });
    await eventually(async () => (await text()).replace(/\(\/media\/[^)]+\)/, "(IMAGE)")).toBe(
      "```ts\nconst kettle = 1;\n  boil(kettle);\n```\n\nBefore ![](IMAGE) after\n",
    );
    await page.close();
  });

  test("an image inside of pasted text that cannot be read is left out and named; the words stay", async () => {
    const { page, text } = await draft();
    await paste(page, { "text/plain": "Before after", "text/html": `<p>Before <img src="data:image/png;base64,a=b=c" alt="">after</p>` });
    await page.getByText("An image could not be read and was not added.").waitFor();
    await eventually(text).toBe("Before after\n");
    await page.close();
  });

  test("a list, code and a document that are pasted behind words stand below them; words join them; an image is dropped beside them", async () => {
    const behind = async (data: Readonly<Record<string, string>>) => {
      const id = await testEditor.draft({ title: "Behind", body: "Words.\n" });
      const { page } = await testEditor.open(id);
      await paste(page, data);
      await page.keyboard.type("!");
      const text = async () => (await testEditor.read(id)).working.body;
      await eventually(text).toContain("!");
      await page.close();
      return text();
    };
    expect(await behind({ "text/plain": "- a\n- b" })).toBe("Words.\n\n- a\n- b!\n");
    expect(await behind({ "text/plain": "```js\nx\n```" })).toBe("Words.\n\n```js\nx!\n```\n");
    expect(await behind({ "text/html": "<h2>Head</h2><p>Text</p>", "text/plain": "Head" })).toBe("Words.\n\n## Head\n\nText!\n");
    expect(await behind({ "text/plain": "and **more**" })).toBe("Words.and **more!**\n");

    const id = await testEditor.draft({ title: "Dropped", body: "Words.\n" });
    const { page } = await testEditor.open(id);
    await page.evaluate(`(() => {
      const words = document.querySelector(".post-body p");
      const { left, top } = words.getBoundingClientRect();
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(${JSON.stringify([...imageBytes("png")])})], "one.png", { type: "image/png" }));
      words.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true, clientX: left + 8, clientY: top + 8 }));
    })()`);
    await eventually(async () => (await testEditor.read(id)).working.body.replace(/\(\/media\/[^)]+\)/, "(IMAGE)")).toBe(
      "![](IMAGE)\n\nWords.\n",
    );
    await page.close();
  });

  test("the address of a video on a line of its own becomes the video, and with Undo the link; within a sentence it stays a link", async () => {
    const { page, text } = await draft();
    const address = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
    await page.keyboard.press("Control+End");
    await paste(page, { "text/plain": address });
    await page.keyboard.type("See ");
    await paste(page, { "text/plain": address });
    await eventually(text).toBe(`::youtube{url="${address}"}\n\nSee ${address}\n`);
    await bodyOf(page).getByText("See").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Backspace");
    await paste(page, { "text/plain": address });
    await page.keyboard.press("Control+z");
    await eventually(text).toBe(`${address}\n`);
    await page.close();
  });
});
