import { createReadStream, existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findChromium, findWholeChromium } from "#test/chromium";
import { withPart } from "#test/parts";
import { expectGoodScores } from "./lighthouse.ts";
import { expectGoodPage, openReader } from "./look-at-pages.ts";
import { openStarterBlog } from "./starter-blog.ts";
import { astroPackages } from "./starter-packages.ts";
import { makeSite, type StarterSite } from "./starter-site.ts";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

withPart(astroPackages.name, astroPackages.find(), (packages) => {
  let blog: Awaited<ReturnType<typeof openStarterBlog>>;
  let site: StarterSite;
  let origin: string;
  const file = (name: string): string => path.join(site.folder, "dist", name);
  const read = (name: string): Promise<string> => readFile(file(name), "utf8");
  const build = (): Promise<string> => site.run("astro/bin/astro.mjs", ["build"]);

  /** As a host of static pages does. */
  const host = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://site");
    const name = [pathname, `${pathname}.html`, `${pathname}index.html`]
      .map((each) => file(each))
      .find((each) => path.extname(each) && existsSync(each));
    const type = TYPES[path.extname(name ?? "404.html")];
    response.writeHead(name ? 200 : 404, { "Content-Type": type ?? "text/plain" });
    createReadStream(name ?? file("404.html")).pipe(response);
  });

  beforeAll(async () => {
    blog = await openStarterBlog();
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    await blog.write.settings({ publicUrl: `${origin}/blog`, previewUrl: `${origin}/preview`, title: "Crumb", description: "Slow bread." });
    site = await makeSite("astro", packages, { url: blog.node.url, key: blog.key });
  });
  afterAll(async () => {
    host.closeAllConnections();
    host.close();
    await site?.remove();
    await blog.stop();
  });

  test("the Astro starter follows what is published, renamed and unpublished, and a build from nothing has the same pages", async () => {
    const brief = await blog.write.post("Too brief", { slug: "too-brief", seo: { noindex: true }, body: "Brief.", ...blog.terms });
    await blog.write.post("Quiet", { slug: "quiet", body: "Never touched again.", ...blog.terms });
    await build();
    const post = await read("blog/slow-bread.html");
    for (const part of [
      `<title>Bread &amp; butter, the slow way · Crumb</title>`,
      `<link rel="canonical" href="${origin}/blog/slow-bread">`,
      `<meta name="description" content="Bread needs time more than it needs hands.">`,
      `background-color: #`,
      `object-position: 25% 75%`,
      `<link rel="alternate" type="application/rss+xml"`,
      `?w=640 640w`,
      `width="1600" height="900"`,
      `<aside class="callout callout-tip"`,
      `href="/author/ada-baker"`,
      `"@type":"BlogPosting"`,
    ]) {
      expect(post).toContain(part);
    }
    expect(post).not.toContain("noindex");
    expect(await read("blog/too-brief.html")).toContain('<meta name="robots" content="noindex">');
    for (const [name, address] of [
      ["index", ""],
      ["category/baking", "category/baking"],
    ]) {
      expect(await read(`${name}.html`)).toContain(`<link rel="canonical" href="${origin}/${address}">`);
    }
    for (const name of [
      "index.html",
      "category/baking.html",
      "tag/sourdough.html",
      "author/ada-baker.html",
      "blog/feed.xml",
      "blog/sitemap.xml",
    ]) {
      expect([name, (await read(name)).includes("/blog/slow-bread")]).toEqual([name, true]);
    }
    expect(await read("404.html")).toContain('action="/search"');
    // The key is in nothing that readers get.
    expect(post + (await read("preview.html")) + (await read("search.html"))).not.toContain(blog.key);

    const fresh = await blog.write.post("Fresh", { slug: "fresh", body: "New.", ...blog.terms });
    await blog.write.revise(blog.bread, { slug: "bread-in-a-day" });
    await blog.write.unpublish(brief);
    await blog.write.editTerm(blog.tag, { name: "Levain", slug: "levain" });
    const check = async () => {
      // A renamed tag is no change of a post, and sends no webhook.
      for (const page of ["tag/levain.html", "blog/quiet.html", "blog/bread-in-a-day.html"]) expect(await read(page)).toContain("Levain");
      expect(await read("index.html")).toContain("/blog/fresh");
      expect(await read("blog/bread-in-a-day.html")).toContain("Bread &amp; butter");
      expect(await read("blog/slow-bread.html")).toContain('http-equiv="refresh" content="0;url=/blog/bread-in-a-day"');
      expect(await read("tag/sourdough.html")).toContain('http-equiv="refresh" content="0;url=/tag/levain"');
      expect(await read("_redirects")).toBe("/blog/slow-bread /blog/bread-in-a-day 301\n/tag/sourdough /tag/levain 301\n");
      expect(existsSync(file("blog/too-brief.html"))).toBe(false);
    };
    expect(await build()).toContain("2 posts loaded, 1 with new names or images");
    await check();
    await rm(path.join(site.folder, "node_modules/.astro"), { recursive: true, force: true });
    await rm(path.join(site.folder, "dist"), { recursive: true, force: true });
    expect(await build()).toContain(`3 posts loaded`);
    await check();
    expect(fresh.status).toBe("published");
  });

  withPart("Chromium", findChromium(), (launch) => {
    test("its pages are good on a phone and a desk, count a view, and show a draft to those with its link", async () => {
      const browser = await launch();
      for (const kind of ["phone", "desk"] as const) {
        const page = await openReader(browser, kind);
        for (const address of ["/", "/blog/bread-in-a-day", "/author/ada-baker", "/search?q=FRESH"]) {
          const { scriptBytes } = await expectGoodPage(page, origin + address);
          expect(scriptBytes).toBeLessThan(3_000);
        }
        expect(await page.textContent("#found")).toBe("1 post found.");
        expect(await page.getAttribute("#results a", "href")).toBe("/blog/fresh");
      }
      const page = await openReader(browser, "desk");
      const view = page.waitForRequest((request) => request.url().endsWith("/v1/collect"));
      await page.goto(`${origin}/blog/fresh`);
      expect((await view).postDataJSON()).toMatchObject({ website: blog.tenant.website.id });
      const draft = await blog.write.draft("Not yet", { slug: "not-yet", body: "Soon." });
      await page.goto(await blog.previewOf(draft.id));
      await page.waitForSelector(".body p");
      expect([await page.textContent(".post h1"), await page.textContent(".body")]).toEqual(["Not yet", "Soon.\n"]);
      await page.goto(`${origin}/preview?token=made-up`);
      await page.waitForSelector("text=This preview link has expired.");
      expect((await page.goto(`${origin}/blog/not-yet`))?.status()).toBe(404);
      await page.goto(`${origin}/blog/slow-bread`);
      await page.waitForURL(`${origin}/blog/bread-in-a-day`);
      await browser.close();
    });
  });

  if (process.env["STET_SOAK"] === "1") {
    withPart("whole Chromium", findWholeChromium(), (launch) => {
      test("Lighthouse gives its pages 95 and more", () => expectGoodScores(launch, [`${origin}/`, `${origin}/blog/fresh`]), 600_000);
    });
  } else test.skip("Lighthouse gives its pages 95 and more (STET_SOAK=1)", () => {});
});
