import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { text } from "node:stream/consumers";
import type { Browser, Page } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { VIEW_SCRIPT } from "#http/delivery/view-script";
import { findChromium, findWholeChromium } from "#test/chromium";
import { announce, withPart } from "#test/parts";

const SITE = "site_01h455vb4pex5vsknk084sn02q";
const ROOT = path.resolve(import.meta.dirname, "../../../..");

/** A single page of React in StrictMode: `#slug` is the post that is shown, nothing without one. */
const REACT_PAGE = `
  import { createElement as h, StrictMode, useEffect, useState } from "react";
  import { createRoot } from "react-dom/client";
  import { StetView } from "@stet/client/react";
  function App() {
    const [slug, setSlug] = useState(location.hash.slice(1));
    useEffect(() => { addEventListener("hashchange", () => setSlug(location.hash.slice(1))); }, []);
    return slug ? h(StetView, { website: "${SITE}", post: slug, endpoint: "/sent" }) : null;
  }
  createRoot(document.getElementById("app")).render(h(StrictMode, null, h(App)));
`;

/** `modules`: where another React is. */
async function bundle(source: string, modules: string | null = null): Promise<string> {
  const names = modules === null ? [] : ["react", "react-dom"];
  const built = await rolldown({
    input: "page",
    cwd: path.join(ROOT, "apps/server"),
    resolve: { alias: Object.fromEntries(names.map((name) => [name, path.join(modules!, name)])) },
    // That "use client" means nothing in a browser.
    onLog: () => {},
    transform: { define: { "process.env.NODE_ENV": '"development"' } },
    plugins: [
      {
        name: "page",
        resolveId: (id) => (id === "page" ? path.join(ROOT, "apps/server/page.js") : null),
        load: (id) => (id.endsWith("/page.js") ? source : null),
      },
    ],
  });
  const { output } = await built.generate({ format: "iife" });
  await built.close();
  return output[0].code;
}

/** The same page with the React before, from npm. */
async function withReact18(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "stet-react-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await promisify(execFile)("npm", ["install", "--silent", "--no-save", "--prefix", folder, "react@18", "react-dom@18"], { cwd: folder });
  return bundle(REACT_PAGE, path.join(folder, "node_modules"));
}

const LONG = process.env["STET_SOAK"] === "1";
/** The one without windows is quick and has no back-forward cache; that of people has one. */
const BROWSERS = [["Chromium", findChromium()] as const, ...(LONG ? [["whole Chromium", findWholeChromium()] as const] : [])];
if (!LONG) test.skip("the same in a whole Chromium, with its back-forward cache, and with React 18 (STET_SOAK=1)", () => {});

describe.each(BROWSERS)("%s", (name, part) =>
  withPart(name, part, (launch) => {
    let browser: Browser;
    let page: Page;
    let url: string;
    let react: string;
    /** The posts that were counted, in order. */
    let sent: string[];
    /** How often a page came back from the browser's cache as it was left. */
    let restored: number;
    const server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url!, "http://site");
      if (pathname === "/sent") {
        sent.push((JSON.parse(await text(request)) as { post: string }).post);
        return void response.writeHead(204).end();
      }
      if (pathname === "/restored") {
        restored += 1;
        return void response.writeHead(204).end();
      }
      const script = (attributes: string) =>
        `<script async src="/v1/view.js" data-website="${SITE}" data-endpoint="/sent" ${attributes}></script>`;
      if (pathname === "/v1/view.js") return void response.setHeader("Content-Type", "text/javascript").end(VIEW_SCRIPT);
      if (pathname === "/react.js") return void response.setHeader("Content-Type", "text/javascript").end(react);
      const body =
        pathname === "/react"
          ? '<div id="app"></div><script src="/react.js"></script>'
          : script(pathname.startsWith("/fixed") ? 'data-post="fixed"' : "");
      response
        .setHeader("Content-Type", "text/html")
        .end(
          `<!doctype html><title>${pathname}</title><script>addEventListener("pageshow", (event) => event.persisted && fetch("/restored"))</script>${body}`,
        );
    });

    beforeAll(async () => {
      react = await bundle(REACT_PAGE);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      // The driver switches the back-forward cache off unless it is kept from it.
      browser = await launch({ ignoreDefaultArgs: ["--disable-back-forward-cache"] });
    });
    afterAll(async () => {
      await browser.close();
      server.closeAllConnections();
      server.close();
    });
    beforeEach(async () => {
      [sent, restored] = [[], 0];
      await page?.context().close();
      page = await (await browser.newContext()).newPage();
    });

    /** Waits for these, and for whatever should not come after them. */
    async function expectSent(...posts: string[]): Promise<void> {
      await expect.poll(() => sent).toEqual(posts);
      await page.evaluate("new Promise((resolve) => setTimeout(resolve, 60))");
      expect(sent).toEqual(posts);
    }

    test("the script counts a load once, by its attribute or the last part of the address", async () => {
      await page.goto(`${url}/fixed`);
      await expectSent("fixed");
      await page.goto(`${url}/blog/slow-bread/`);
      await expectSent("fixed", "slow-bread");
    });

    test("navigation inside the page counts once for each address, forth and back; a change of the query does not", async () => {
      await page.goto(`${url}/blog/one`);
      await expectSent("one");
      await page.evaluate(`
      history.pushState(null, "", "/blog/two");
      history.replaceState(null, "", "/blog/two?sort=new");
      history.pushState(null, "", "/blog/two#part");
    `);
      await expectSent("one", "two");
      await page.evaluate("history.go(-2)");
      await expectSent("one", "two", "one");
    });

    test("coming back through the back-forward cache counts as another view", async () => {
      await page.goto(`${url}/fixed`);
      await expectSent("fixed");
      await page.goto(`${url}/blog/away`);
      await expectSent("fixed", "away");
      // The driver waits for a load that does not come when the page was kept.
      await page.evaluate("setTimeout(() => history.back())");
      await expect.poll(() => sent).toEqual(["fixed", "away", "fixed"]);
      if (restored > 0) return expectSent("fixed", "away", "fixed");
      expect(name).toBe("Chromium");
      // The small Chromium has no such cache: it loaded the page again, and the event is made by hand.
      announce("back-forward cache", "not in this Chromium: the event of coming back is made by hand");
      // The view can be sent before the driver knows of the page.
      await page.waitForURL(`${url}/fixed`);
      await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))');
      await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: false }))');
      await expectSent("fixed", "away", "fixed", "fixed");
    });

    test("React counts again when its page comes back through the back-forward cache, for the post that it shows", async () => {
      await page.goto(`${url}/react#first`);
      await page.evaluate('location.hash = "second"');
      await expectSent("first", "second");
      await page.goto(`${url}/blog/away`);
      await expectSent("first", "second", "away");
      await page.evaluate("setTimeout(() => history.back())");
      await expectSent("first", "second", "away", "second");
      expect(restored > 0 || name === "Chromium").toBe(true);
    });

    test.each([
      ["in a background tab", "visibilityState", "hidden", "visible", "visibilitychange"],
      ["prerendered", "prerendering", true, false, "prerenderingchange"],
    ] as const)("nothing is counted while the page is %s; then it is, once", async (_name, property, before, after, event) => {
      await page.addInitScript(
        `Object.defineProperty(document, "${property}", { get: () => window.shown ?? ${JSON.stringify(before)}, configurable: true })`,
      );
      for (const address of ["/fixed", "/react#post"]) {
        sent = [];
        await page.goto(url + address);
        await page.waitForLoadState("load");
        await expectSent();
        const show = `window.shown = ${JSON.stringify(after)}; document.dispatchEvent(new Event("${event}"))`;
        await page.evaluate(show);
        await page.evaluate(show);
        await expectSent(address === "/fixed" ? "fixed" : "post");
      }
    });

    test.each(LONG ? ["19", "18"] : ["19"])(
      "React %s in StrictMode counts a post once, and the next one when it is shown",
      async (version) => {
        if (version === "18") react = await withReact18();
        expect(react).toMatch(new RegExp(`version = "${version}\\.`, "i"));
        await page.goto(`${url}/react#first`);
        await expectSent("first");
        await page.evaluate('location.hash = "second"');
        await expectSent("first", "second");
        await page.evaluate('location.hash = ""');
        await page.evaluate('location.hash = "first"');
        await expectSent("first", "second", "first");
      },
    );

    test.each([
      ["Do Not Track", "doNotTrack", "1"],
      ["Global Privacy Control", "globalPrivacyControl", true],
    ] as const)("with %s nothing is sent", async (_name, property, value) => {
      await page.addInitScript(
        `Object.defineProperty(Navigator.prototype, "${property}", { get: () => ${JSON.stringify(value)}, configurable: true })`,
      );
      for (const address of ["/fixed", "/blog/one", "/react#post"]) {
        await page.goto(url + address);
        await page.waitForLoadState("load");
        await expectSent();
      }
    });

    test("where beacons are refused, the view is sent by fetch", async () => {
      await page.addInitScript("navigator.sendBeacon = () => false");
      await page.goto(`${url}/fixed`);
      await expectSent("fixed");
      await page.addInitScript('navigator.sendBeacon = () => { throw new Error("blocked"); }');
      await page.goto(`${url}/react#post`);
      await expectSent("fixed", "post");
    });
  }),
);
