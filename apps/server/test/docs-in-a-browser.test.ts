import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCollector, type Collector } from "#delivery/collect";
import { readRoutes } from "#delivery/read-routes";
import { createDocs } from "#http/docs/routes";
import { collectRoute } from "#http/delivery/collect";
import { createDelivery } from "#http/delivery/delivery";
import { openapiRoute } from "#http/delivery/openapi";
import { createDispatcher } from "#http/dispatcher";
import { type HttpServer, startHttpServer } from "#http/server";
import { seedWebsite } from "#operations/sample/seed-website";
import { findChromium } from "#test/chromium";
import { deliveryServices, makeKey } from "#test/delivery-node";
import { withPart } from "#test/parts";
import { openTestServices, type Tenant, type TestServices } from "#test/services";

const READER = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";

withPart("Chromium", findChromium(), (launch) => {
  let services: TestServices;
  let tenant: Tenant;
  let key: string;
  let browser: Browser;
  let server: HttpServer;
  let collector: Collector;
  let close: () => Promise<void>;
  let url: string;

  beforeAll(async () => {
    services = await openTestServices();
    tenant = await services.makeTenant();
    await services.call(seedWebsite, tenant.actor, { websiteId: tenant.website.id, posts: 3 });
    key = await makeKey(services, tenant);
    const reading = deliveryServices(services);
    collector = createCollector(reading, { onTrouble: services.onTrouble, everyMillis: 3_600_000 });
    const log = { debug() {}, info() {}, error() {} };
    const { publicUrl } = services.settings;
    const delivery = createDelivery({
      services: reading,
      readRoutes,
      publicRoutes: [openapiRoute(publicUrl), collectRoute(collector)],
      log,
    });
    const fallback = createDocs(publicUrl);
    const routes = [{ path: "/v1", handle: delivery, bare: true }];
    const handle = createDispatcher({ publicUrl, log, checks: [], isStopping: () => false, routes, fallback });
    server = await startHttpServer({ host: "127.0.0.1", port: 0, publicUrl, handle });
    url = `http://127.0.0.1:${server.port}`;
    browser = await launch();
    close = async () => {
      await browser.close();
      await server.stop(0);
      await delivery.close();
      await collector.close();
      await services.close();
    };
  });
  afterAll(() => close());

  /** A page of its own, and what went wrong in it: errors, refused policies, requests that leave this origin. */
  async function open(path: string, options: Parameters<Browser["newPage"]>[0] = {}): Promise<{ page: Page; troubles: string[] }> {
    const page = await browser.newPage(options);
    const troubles: string[] = [];
    page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("request", (request) => new URL(request.url()).origin !== url && troubles.push(`elsewhere: ${request.url()}`));
    await page.goto(url + path);
    return { page, troubles };
  }

  test("Try it sends the request with the key from memory and shows the answer as text; the key is stored nowhere", async () => {
    const { page, troubles } = await open("/docs");
    const section = page.locator("#listPosts");
    await section.locator(".try summary").click();
    await section.getByRole("button", { name: "Send request" }).click();
    expect(await section.locator(".result").textContent()).toContain("Fill in your key");
    expect(await page.evaluate("document.activeElement.id")).toBe("key");
    await page.fill("#key", key);
    await section.getByLabel("limit").fill("2");
    await section.getByRole("button", { name: "Send request" }).click();
    await section.locator(".result .status").waitFor();
    expect(await section.locator(".result .status").textContent()).toMatch(/^200 OK in \d+ ms$/);
    const answer = JSON.parse((await section.locator(".result code").textContent())!) as { data: unknown[] };
    expect(answer.data).toHaveLength(2);
    expect(await section.locator(".result dl").textContent()).toContain('"burst";r=');
    expect(
      await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])"),
    ).not.toContain(key);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test.each([360, 768, 1360])("nothing is cut off or wider than the screen at %i px, in light and dark", async (width) => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const path of ["/docs", "/docs/errors"]) {
        const { page, troubles } = await open(path, { viewport: { width, height: 800 }, colorScheme });
        expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(width);
        expect(troubles).toEqual([]);
        await page.close();
      }
    }
  });

  test("the reference can be read without a script", async () => {
    const { page } = await open("/docs", { javaScriptEnabled: false });
    expect(await page.locator("#listPosts .in-curl").isVisible()).toBe(true);
    expect(await page.locator("#listPosts .in-javascript").isVisible()).toBe(false);
    await page.locator("label[for=language-javascript]").click();
    expect(await page.locator("#listPosts .in-javascript").isVisible()).toBe(true);
    expect(await page.locator("#listPosts .try").isVisible()).toBe(false);
    await page.close();
  });

  test("a page of another origin can say that it was read: by beacon with text, by beacon with JSON, and by fetch", async () => {
    const blog = createServer((_request, response) => void response.setHeader("Content-Type", "text/html").end("<h1>A blog</h1>"));
    await new Promise<void>((resolve) => blog.listen(0, "127.0.0.1", resolve));
    const [post] = (await services.contentOf(tenant.website).posts.listLive(tenant.website.id, { sort: "title", after: null, limit: 1 }))
      .rows;
    const body = JSON.stringify({ website: tenant.website.id, post: post!.content.slug });
    const sends = [
      `navigator.sendBeacon(url, body)`,
      `navigator.sendBeacon(url, new Blob([body], { type: "application/json" }))`,
      `fetch(url, { method: "POST", body, keepalive: true, headers: { "Content-Type": "application/json" } })`,
    ];
    for (const [index, send] of sends.entries()) {
      // Each is another visitor.
      const page = await browser.newPage({ userAgent: READER.replaceAll("144", String(144 + index)) });
      await page.goto(`http://127.0.0.1:${(blog.address() as AddressInfo).port}/`);
      await page.evaluate(`{ const url = ${JSON.stringify(`${url}/v1/collect`)}, body = ${JSON.stringify(body)}; ${send}; }`);
      await expect
        .poll(async () => {
          await collector.flush();
          return (await services.readers.ofPost(tenant.website.id, post!.id, [null]))[0];
        })
        .toBe(index + 1);
      await page.close();
    }
    blog.close();
  });
});
