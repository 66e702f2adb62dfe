import type { PostJson } from "@stet/contract";
import sharp from "sharp";
import { expect, test } from "vitest";
import { addMedia } from "#operations/media/add-media";
import { createPost } from "#operations/posts/create-post";
import { publishPost } from "#operations/posts/publish-post";
import { findChromium } from "#test/chromium";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { makeKey } from "#test/delivery-node";
import { withPart } from "#test/parts";
import { openBrowser } from "#test/test-browser";

const STYLE = "body { margin: 0 auto; max-width: 800px } img { max-width: 100%; height: auto }";

withPart("Chromium", findChromium(), async () => {
  const node = closedAtEnd(await openDashboardNode({ pages: false }));

  test("a page with the body of a post loads images that fit its width, and nothing in it moves", async () => {
    const tenant = await node.makeTenant();
    const at = { websiteId: tenant.website.id };
    const bytes = await sharp({ create: { width: 2000, height: 1200, channels: 3, background: "#3060a0" } })
      .jpeg()
      .toBuffer();
    const { url } = await node.call(addMedia, tenant.actor, { ...at, bytes, filename: "sea.jpg" });
    const post = await node.call(createPost, tenant.actor, { ...at, title: "Sea", body: `Above.\n\n![Sea](${url})\n\nBelow.` });
    await node.call(publishPost, tenant.actor, { ...at, postId: post.id, expectedVersion: post.version });
    const key = await makeKey(node.services, tenant);
    const answer = await fetch(`${node.url}/v1/blog/posts/sea`, { headers: { Authorization: `Bearer ${key}` } });
    const { data } = (await answer.json()) as { data: PostJson };

    const browser = await openBrowser(node);
    const context = await browser.open(null);
    const page = await context.newPage();
    const body = `<!doctype html><meta name="viewport" content="width=device-width"><style>${STYLE}</style>${data.body.html}`;
    await page.route("**/a-blog", (route) => route.fulfill({ contentType: "text/html", body }));
    for (const [width, loaded] of [
      [375, "?w=480"],
      [1440, "?w=800"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto("/a-blog");
      const shown = () =>
        page.evaluate("[...document.images].map((image) => image.complete && image.naturalWidth > 0 && image.currentSrc).join()");
      await expect.poll(shown).toMatch(new RegExp(`^http.*${loaded.replace("?", "\\?")}$`));
      const shift = await page.evaluate(`new Promise((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += entry.value)));
        observer.observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      })`);
      expect(shift).toBe(0);
    }
    await browser.close();
  });
});
