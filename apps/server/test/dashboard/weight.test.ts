import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { withDashboard } from "#test/with-dashboard";

const MOST_BYTES = 250 * 1_000;

await withDashboard({}, (node, browser) => {
  test("a page needs at most 250 KB of gzipped JavaScript; the editor comes when a post is opened; nothing comes from elsewhere", async () => {
    const { owner, website } = await node.makeTenant();
    const cookie = await node.signIn(owner);
    const { id: postId } = await node.rpc(cookie, "create_post", { websiteId: website.id, title: "A post" });
    const context = await browser.open(cookie);
    const page = await context.newPage();
    const scripts = new Map<string, Promise<number>>();
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(`${node.url}/`) && !request.url().startsWith("data:")) elsewhere.push(request.url());
    });
    page.on("response", (response) => {
      if (!response.url().endsWith(".js")) return;
      scripts.set(
        response.url(),
        response.body().then((body) => gzipSync(body, { level: 9 }).length),
      );
    });
    const weight = async () => (await Promise.all(scripts.values())).reduce((sum, bytes) => sum + bytes, 0);

    await page.goto(`/s/${website.id}/posts`);
    await page.getByRole("link", { name: "A post" }).first().waitFor();
    const onThePostsPage = await weight();
    expect(onThePostsPage).toBeGreaterThan(50_000);
    expect(onThePostsPage).toBeLessThan(MOST_BYTES);

    await page.goto(`/s/${website.id}/posts/${postId}`);
    await page.locator(".ProseMirror").waitFor();
    expect(await weight()).toBeGreaterThan(onThePostsPage + 100_000);
    expect(elsewhere).toEqual([]);
    await context.close();
  });
});
