import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "#test/chromium";
import { withPart } from "#test/parts";
import { type Blog, openService, type Service } from "./service.ts";

/** As a person's browser calls itself: the headless one says what it is, and robots are not counted. */
const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

withPart("Chromium", findChromium(), (launch) => {
  let service: Service;
  let blog: Blog;
  let key: string;
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    service = await openService();
    blog = await service.blog();
    await blog.write.settings({ publicUrl: "https://example.com" });
    await blog.write.post("Hello", { body: "Many words. ".repeat(200) });
    key = await blog.makeKey({ origins: ["example.com", "*.example.org", "app.localhost", "http://localhost:3000"] });
    browser = await launch();
    // A page of the web may not call this machine without being allowed to; readers of a real blog call a real host.
    context = await browser.newContext({ userAgent: USER_AGENT, permissions: ["local-network-access"] });
    await context.route(
      (url) => url.port !== String(service.port),
      (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>A page</title>" }),
    );
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  /** One tab, taken from origin to origin. */
  async function pageAt(origin: string): Promise<Page> {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(`${origin}/`);
    return page;
  }

  /** What a script on the page gets: the answer, or that the browser keeps it back. */
  const readFrom = (frame: Pick<Page, "evaluate">, asked: string, path = "/blog/posts", headers: Record<string, string> = {}) =>
    frame.evaluate(
      async ([url, bearer, further]) => {
        try {
          const response = await fetch(url, { headers: { Authorization: `Bearer ${bearer}`, ...further } });
          const text = await response.text();
          return { status: response.status, text, headers: Object.fromEntries(response.headers) };
        } catch (error) {
          return String(error);
        }
      },
      [service.url + path, asked, headers] as const,
    );

  describe("a key bound to example.com, *.example.org, app.localhost and http://localhost:3000", () => {
    test.each([
      "https://example.com",
      "https://www.example.org",
      "https://a.b.example.org",
      "https://app.localhost",
      "http://localhost:3000",
    ])("a page on %s reads", async (origin) => {
      const page = await pageAt(origin);
      expect(await page.evaluate("location.origin")).toBe(origin);
      expect(await readFrom(page, key)).toMatchObject({ status: 200, text: expect.stringContaining('"hello"') });
    });

    test.each([
      ["another site", "https://evil.test"],
      ["a subdomain of a plain domain", "https://www.example.com"],
      ["the domain of a wildcard", "https://example.org"],
      ["a name that only ends alike", "https://notexample.com"],
      ["a name that only begins alike", "https://example.com.evil.test"],
      ["another scheme", "http://app.localhost"],
      ["another port", "https://example.com:8443"],
      ["another port of localhost", "http://localhost:3001"],
      ["another scheme of localhost", "https://localhost:3000"],
    ])("a page on another origin cannot: %s, %s", async (_, origin) => {
      const page = await pageAt(origin);
      expect(await readFrom(page, key)).toBe("TypeError: Failed to fetch");
      // It is the key that keeps the page out, nothing else.
      expect(await readFrom(page, blog.key)).toMatchObject({ status: 200 });
    });

    test("a sandboxed frame inside an allowed page has the origin null, and cannot", async () => {
      const page = await pageAt("https://example.com");
      await page.setContent('<iframe sandbox="allow-scripts" srcdoc="<p>frame</p>"></iframe>');
      const frame = page.frames().at(-1)!;
      await frame.waitForSelector("p");
      expect(await frame.evaluate("origin")).toBe("null");
      expect(await readFrom(frame, key)).toBe("TypeError: Failed to fetch");
    });
  });

  test("a key without a list is read from any origin, null too", async () => {
    const page = await pageAt("https://anyone.test");
    expect(await readFrom(page, blog.key)).toMatchObject({ status: 200 });
    await page.setContent('<iframe sandbox="allow-scripts" srcdoc="<p>frame</p>"></iframe>');
    const frame = page.frames().at(-1)!;
    await frame.waitForSelector("p");
    expect(await readFrom(frame, blog.key)).toMatchObject({ status: 200 });
  });

  test("a page reads errors, 304 and the headers that are exposed", async () => {
    const page = await pageAt("https://example.com");
    const first = await readFrom(page, key, "/blog/posts/hello");
    expect(first).toMatchObject({
      status: 200,
      headers: {
        ratelimit: expect.any(String),
        "ratelimit-policy": expect.any(String),
        "x-request-id": expect.any(String),
        etag: expect.any(String),
      },
    });
    const { etag } = (first as { headers: Record<string, string> }).headers;
    expect(await readFrom(page, key, "/blog/posts/hello", { "If-None-Match": etag! })).toMatchObject({ status: 304, text: "" });
    expect(await readFrom(page, "stet_wrong")).toMatchObject({ status: 401, text: expect.stringContaining("INVALID_API_KEY") });
    expect(await readFrom(page, key, "/blog/posts/nothing")).toMatchObject({
      status: 404,
      headers: { "content-type": "application/problem+json" },
    });
    expect(await readFrom(page, key, "/blog/posts/hello", { Accept: "text/markdown" })).toMatchObject({
      text: expect.stringMatching(/^---\n/),
    });
  });

  test("the public description is read from any page without a key", async () => {
    const page = await pageAt("https://anyone.test");
    expect(await page.evaluate(`fetch("${service.url}/openapi.json").then((answer) => answer.json()).then((json) => json.openapi)`)).toBe(
      "3.1.1",
    );
  });

  test("sendBeacon to /v1/collect counts a view, as text and as JSON; from another origin it does not", async () => {
    const views = async () => (await blog.get("/blog/posts/hello/views")).json.data.views.all;
    const beacon = (page: Page, type: string) => {
      const body = JSON.stringify({ website: blog.tenant.website.id, post: "hello", referrer: "https://news.test/" });
      return page.evaluate(`navigator.sendBeacon("${service.url}/collect", new Blob([${JSON.stringify(body)}], { type: "${type}" }))`);
    };
    const before = await views();
    const foreign = await pageAt("https://evil.test");
    expect(await beacon(foreign, "text/plain")).toBe(true);
    const home = await pageAt("https://example.com");
    expect(await beacon(home, "text/plain")).toBe(true);
    await expect.poll(views).toBe(before + 1);
    service.services.pass(31 * 60_000);
    expect(await beacon(home, "application/json")).toBe(true);
    await expect.poll(views).toBe(before + 2);
  });
});
