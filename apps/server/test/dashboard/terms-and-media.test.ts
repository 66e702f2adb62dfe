import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { expectNoSeriousFindings } from "#test/axe";
import type { BrowserOptions } from "#test/test-browser";
import { IMAGES } from "#test/images";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;

await withDashboard({}, async (node, browser) => {
  const tenant = await node.makeTenant();
  const cookie = await node.signIn(tenant.owner);

  const visit = (path: string, options?: BrowserOptions, as = cookie) => openPage(browser, as, `/s/${tenant.website.id}${path}`, options);

  const chooseAction = async (page: Page, name: string, action: string) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };

  test("a category is made, renamed, merged and deleted, and what it is called stays text", async () => {
    const websiteId = tenant.website.id;
    const other = await node.rpc(cookie, "create_term", { websiteId, kind: "category", name: "Essays" });
    await node.rpc(cookie, "create_post", { websiteId, title: "In essays", categoryIds: [other.id] });
    const page = await visit("/categories");
    await page.getByRole("button", { name: "New category" }).first().click();
    await page.getByLabel("Name").fill(HOSTILE);
    await page.getByRole("button", { name: "Create category" }).click();
    await page.getByText(HOSTILE, { exact: true }).waitFor();
    expect(await page.title()).toBe("Categories · Stet");

    await chooseAction(page, HOSTILE, "Edit");
    await page.getByLabel("Name").fill("Notes");
    await page.getByLabel("Slug").fill("Not A Slug");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByLabel("Slug").fill("notes");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Notes", { exact: true }).waitFor();

    await chooseAction(page, "Essays", "Merge …");
    await page.getByRole("radio", { name: "Notes" }).check();
    await page.getByRole("button", { name: "Merge into “Notes”" }).click();
    await page.getByText("Essays", { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "1 post" }).waitFor();

    await chooseAction(page, "Notes", "Delete");
    await page.getByRole("dialog").getByText("It is removed from 1 post.").waitFor();
    await page.getByRole("button", { name: "Delete category" }).click();
    await page.getByText("No categories yet").waitFor();
    await expectNoSeriousFindings(page);
  });

  test("an author has a biography and a member; a contributor can only look", async () => {
    const page = await visit("/authors", { device: "phone" });
    await page.getByRole("button", { name: "New author" }).first().click();
    await page.getByLabel("Name").fill("Ada Lovelace");
    await page.getByLabel("Biography").fill("Wrote notes longer than the paper.");
    await page.getByLabel("Member").selectOption({ label: tenant.owner.name });
    await page.getByRole("button", { name: "Create author" }).click();
    await page.getByText("Wrote notes longer").waitFor();
    await page.context().close();

    const contributor = await node.signIn(await tenant.addMember("contributor"));
    const theirs = await visit("/authors", { device: "phone" }, contributor);
    await theirs.getByText("Ada Lovelace").waitFor();
    expect(await theirs.getByRole("button", { name: "New author" }).count()).toBe(0);
    expect(await theirs.getByRole("button", { name: "Actions for Ada Lovelace" }).count()).toBe(0);
  });

  test("tags are sorted, the address keeps it, and one is edited by keyboard without being lost by a slip", async () => {
    const websiteId = tenant.website.id;
    for (const name of ["Apples", "Pears", "Quinces"]) await node.rpc(cookie, "create_term", { websiteId, kind: "tag", name });
    const { items } = await node.rpc(cookie, "list_terms", { websiteId, kind: "tag" });
    const pears = items.find(({ name }) => name === "Pears")!;
    await node.rpc(cookie, "create_post", { websiteId, title: "On pears", tagIds: [pears.id] });
    const page = await visit("/tags", { device: "phone" });
    const names = page
      .getByRole("main")
      .getByRole("listitem")
      .getByRole("button", { name: /^(Apples|Pears|Quinces)$/ });
    await expect.poll(() => names.allTextContents()).toEqual(["Apples", "Pears", "Quinces"]);
    await page.getByLabel("Sort").selectOption("Most posts");
    await expect.poll(() => names.allTextContents()).toEqual(["Pears", "Apples", "Quinces"]);
    await page.getByLabel("Sort").selectOption("Newest");
    await expect.poll(() => names.first().textContent()).toBe("Quinces");
    await page.reload();
    await expect.poll(() => names.first().textContent()).toBe("Quinces");

    await names.first().focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Name").fill("Quince");
    await page.keyboard.press("Escape");
    await page.getByRole("alert").getByText("Discard your changes?").waitFor();
    await expectNoSeriousFindings(page);
    await page.keyboard.press("Enter");
    expect(await page.getByLabel("Name").inputValue()).toBe("Quince");
    await page.getByLabel("Name").press("Enter");
    await page.getByText("“Quince” saved.").waitFor();

    // The field says what is searched for, and a link to the page that is open is followed as any other.
    const field = page.getByRole("searchbox", { name: "Search tags" });
    await field.fill("pear");
    await expect.poll(() => names.allTextContents()).toEqual(["Pears"]);
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Tags" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => names.allTextContents()).toEqual(["Apples", "Pears"]);
    expect(await field.inputValue()).toBe("");
  });

  test("whoever uploads sees in time that the room runs out, and makes room from the trash", async () => {
    const { owner, website } = await node.makeTenant({ plan: "free" });
    const theirs = await node.signIn(owner);
    const { limits } = await node.rpc(theirs, "get_usage", { workspaceId: website.workspaceId });
    const page = await openPage(browser, theirs, `/s/${website.id}/media`);
    await page
      .getByLabel("Image files")
      .setInputFiles({ name: "big.png", mimeType: "image/png", buffer: Buffer.from(IMAGES.png, "base64") });
    await page.getByRole("button", { name: "big.png" }).waitFor();
    const room = async (share: number) => {
      await node.services.database.query({
        text: "UPDATE media_files SET bytes = $2 WHERE website_id = $1",
        values: [website.id, Math.ceil(limits.storageBytes! * share)],
      });
      await page.reload();
    };
    await room(0.76);
    await page.getByText("Over 75 % of image storage is used").waitFor();
    await room(0.91);
    await page.getByText("Over 90 % of image storage is used").waitFor();
    await room(1);
    await page.getByText("Image storage is full").waitFor();
    await expectNoSeriousFindings(page);

    await page.getByRole("button", { name: "big.png" }).click();
    await page.getByRole("button", { name: "Move to trash" }).click();
    await page.getByRole("dialog").filter({ hasText: "It is not used anywhere" }).getByRole("button", { name: "Move to trash" }).click();
    await page.getByText("No images yet").waitFor();
    await page.getByLabel("Filter images").selectOption("Trash");
    await page.getByRole("button", { name: "Empty trash" }).click();
    await page.getByRole("button", { name: "Delete all permanently" }).click();
    await page.getByText("Trash emptied: 1 image deleted permanently.").waitFor();
    await page.getByText("Image storage is full").waitFor({ state: "detached" });
  });

  test("images are uploaded, described, found where they are used, trashed and brought back", async () => {
    const page = await visit("/media");
    const files = page.getByLabel("Image files");
    await files.setInputFiles([
      { name: "pixel.png", mimeType: "image/png", buffer: Buffer.from(IMAGES.png, "base64") },
      { name: "not-an-image.png", mimeType: "image/png", buffer: Buffer.from("just text") },
    ]);
    await page.getByText("is not a PNG, JPEG, GIF, WebP or AVIF image").waitFor();
    await page.getByRole("button", { name: "Dismiss not-an-image.png" }).click();
    const tile = page.getByRole("button", { name: "pixel.png" });
    await tile.click();
    await page.getByLabel("Alt text").fill("One quiet pixel");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Image saved.").waitFor();
    const { items } = await node.rpc(cookie, "list_media", { websiteId: tenant.website.id });
    expect(items).toMatchObject([{ filename: "pixel.png", alt: "One quiet pixel" }]);

    await node.rpc(cookie, "create_post", { websiteId: tenant.website.id, title: "With a pixel", coverMediaId: items[0]!.id });
    await page.reload();
    await tile.click();
    await page.getByRole("dialog").getByRole("link", { name: "With a pixel" }).waitFor();
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Move to trash" }).click();
    await page.getByRole("dialog").filter({ hasText: "It is in use" }).getByRole("button", { name: "Move to trash" }).click();
    await page.getByText("No images yet").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await tile.waitFor();
  });

  test("what is typed about an image is not replaced by what somebody else saves, and Back asks first", async () => {
    const { owner, website } = await node.makeTenant();
    const own = await node.signIn(owner);
    const page = await openPage(browser, own, `/s/${website.id}/posts`);
    await page.getByRole("link", { name: "Media" }).click();
    await page
      .getByLabel("Image files")
      .setInputFiles({ name: "pixel.png", mimeType: "image/png", buffer: Buffer.from(IMAGES.png, "base64") });
    await page.getByRole("button", { name: "pixel.png" }).click();
    const alt = page.getByLabel("Alt text");
    await alt.waitFor();
    await page.keyboard.press("Escape");
    await page.clock.install();
    await page.clock.fastForward(60_000);
    const { items } = await node.rpc(own, "list_media", { websiteId: website.id });
    const asked: Route[] = [];
    await page.route("**/api/rpc/get_media", (route) => void asked.push(route));
    await page.getByRole("button", { name: "pixel.png" }).click();
    await expect.poll(() => asked.length).toBe(1);
    await alt.fill("Typed here");
    await node.rpc(own, "edit_media", { websiteId: website.id, mediaId: items[0]!.id, expectedVersion: items[0]!.version, alt: "Theirs" });
    const answer = page.waitForResponse("**/api/rpc/get_media");
    await asked[0]!.continue();
    await (await answer).finished();
    await page.goBack();
    await page.getByRole("button", { name: "Stay here" }).click();
    expect(await alt.inputValue()).toBe("Typed here");
  });

  test("an upload goes on while one is elsewhere; what did not arrive is told there, and waits on the page", async () => {
    const page = await visit("/media");
    const { promise: open, resolve: letThrough } = Promise.withResolvers<void>();
    await page.route("**/media?fileName=*", async (route) => {
      await open;
      await route.continue();
    });
    await page.getByLabel("Image files").setInputFiles({ name: "broken.png", mimeType: "image/png", buffer: Buffer.from("just text") });
    await page.getByRole("progressbar", { name: "Upload of broken.png" }).waitFor();
    await page.getByRole("link", { name: "Calendar" }).click();
    await page.getByRole("heading", { name: "Calendar" }).waitFor();
    letThrough();
    await page.getByText("broken.png could not be uploaded. See Media.").waitFor();
    await page.getByRole("link", { name: "Media" }).click();
    await page.getByRole("button", { name: "Dismiss broken.png" }).click();
  });

  test("the image itself is served from this origin and shown in the grid", async () => {
    const page = await visit("/media", { theme: "dark" });
    const image = page.getByRole("img", { name: "One quiet pixel" });
    await image.waitFor();
    await expect.poll(() => image.evaluate((element: unknown) => (element as { naturalWidth: number }).naturalWidth)).toBeGreaterThan(0);
    await expectNoSeriousFindings(page);
  });
});
