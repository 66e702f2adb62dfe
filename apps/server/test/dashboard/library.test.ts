import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { expectNoSeriousFindings } from "#test/axe";
import { withDashboard } from "#test/with-dashboard";
import { openPage } from "./open-page.ts";

const photo = await sharp({ create: { width: 1200, height: 800, channels: 3, background: "#7aa0c4" } })
  .composite([
    { input: { create: { width: 1200, height: 300, channels: 3, background: "#3c6e47" } }, left: 0, top: 500 },
    { input: { create: { width: 160, height: 160, channels: 3, background: "#f2c14e" } }, left: 900, top: 120 },
  ])
  .jpeg()
  .toBuffer();
const other = await sharp(photo).flop().jpeg().toBuffer();

await withDashboard({}, async (node, browser) => {
  const tenant = await node.makeTenant();
  const cookie = await node.signIn(tenant.owner);
  const websiteId = tenant.website.id;
  const visit = (look: "light" | "dark" = "light") => openPage(browser, cookie, `/s/${websiteId}/media`, { theme: look });
  const filter = (page: Page, name: string) => page.getByLabel("Filter images").selectOption(name);
  const upload = async (page: Page, name: string, buffer: Buffer) => {
    await page.getByLabel("Image files").setInputFiles({ name, mimeType: "image/jpeg", buffer });
    await page.getByRole("button", { name }).waitFor();
  };
  const onlyImage = async (filename: string) => {
    const { items } = await node.rpc(cookie, "list_media", { websiteId, nameContains: filename });
    return node.rpc(cookie, "get_media", { websiteId, mediaId: items[0]!.id });
  };

  test("an image is focused, cropped and rotated by pointer and keyboard, shown so, and all of it is undone", async () => {
    const page = await visit();
    await upload(page, "hills.jpg", photo);
    await page.getByRole("button", { name: "hills.jpg" }).click();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
    await page.getByRole("button", { name: "Edit image" }).click();
    const stage = page.locator("[data-stage]");
    await stage.locator("img").waitFor();
    const { width, height } = (await stage.boundingBox())!;
    await stage.click({ position: { x: width * 0.8, y: height * 0.25 } });
    const dot = page.getByRole("button", { name: /^Focal point: 80% from the left, 25% from the top/ });
    await dot.press("ArrowRight");
    await page.getByRole("button", { name: /^Focal point: 81% from the left/ }).press("Shift+ArrowDown");
    await page.getByRole("button", { name: /^Focal point: 81% from the left, 35% from the top/ }).waitFor();
    await expectNoSeriousFindings(page);

    await page.getByRole("button", { name: "Crop", exact: true }).click();
    await page.getByLabel("Ratio").selectOption("1:1");
    const frame = page.getByRole("button", { name: /^Crop: / });
    await frame.press("ArrowLeft");
    await frame.press("Shift+ArrowLeft");
    await page.getByRole("button", { name: "Rotate right" }).click();
    await expectNoSeriousFindings(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Image saved.").waitFor();
    const { edit, shownUrl } = await onlyImage("hills");
    expect(edit).toMatchObject({ rotation: 90, focalPoint: { x: expect.closeTo(0.81, 1), y: expect.closeTo(0.35, 1) } });
    // One percent to the left of the right edge, and one percent smaller, still a square of the image's pixels.
    expect(edit!.crop).toMatchObject({ x: expect.closeTo(0.3233, 2), y: 0, width: expect.closeTo(0.6567, 2) });
    expect(edit!.crop!.width * 1200).toBeCloseTo(edit!.crop!.height * 800, -1);
    await page.locator(`img[src^="${shownUrl}"]`).first().waitFor();
    // No page of the library loads an image as large as it was uploaded.
    expect(asked.filter((path) => path.startsWith("/media/") && !path.includes("?w="))).toEqual([]);

    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone.").waitFor();
    expect((await onlyImage("hills")).edit).toBeNull();
  });

  test("a new file takes the place of an image in every post, which can be undone, and filters tell what is left to do", async () => {
    const { id, url } = await onlyImage("hills");
    const post = await node.rpc(cookie, "create_post", { websiteId, title: "On the hills", body: `![Hills](${url})`, coverMediaId: id });
    await node.rpc(cookie, "publish_post", { websiteId, postId: post.id, expectedVersion: 1 });
    const page = await visit("dark");
    await filter(page, "Not used");
    await page.getByText("Every image is in use").waitFor();
    await filter(page, "No alt text");
    await page.getByRole("button", { name: "hills.jpg" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "On the hills" }).waitFor();
    await page.getByRole("button", { name: "Replace …" }).click();
    const dialog = page.getByRole("dialog").filter({ hasText: "The new image takes its place in 1 post." });
    await dialog.getByLabel("New image").setInputFiles({ name: "turned.jpg", mimeType: "image/jpeg", buffer: other });
    await dialog.getByRole("img").waitFor();
    await expectNoSeriousFindings(page);
    await dialog.getByRole("button", { name: "Replace" }).click();
    await page.getByText("Image replaced in 1 post.").waitFor();
    const turned = await onlyImage("turned");
    const read = () => node.rpc(cookie, "get_post", { websiteId, postId: post.id });
    expect(await read()).toMatchObject({
      hasUnpublishedChanges: false,
      working: { coverMediaId: turned.id, body: `![Hills](${turned.url})` },
    });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone.").waitFor();
    expect(await read()).toMatchObject({ hasUnpublishedChanges: false, working: { coverMediaId: id, body: `![Hills](${url})` } });
    await page.keyboard.press("Escape");
    await filter(page, "Not used");
    await page.getByRole("button", { name: "turned.jpg" }).waitFor();
    expect(await page.getByRole("button", { name: "hills.jpg" }).count()).toBe(0);
  });
});
