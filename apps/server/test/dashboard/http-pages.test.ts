import { describe, expect, test } from "vitest";
import { loadDashboard } from "#http/dashboard/dashboard-files";
import { createDashboardPage } from "#http/dashboard/dashboard-page";
import { createDispatcher } from "#http/dispatcher";
import { startHttpServer } from "#http/server";
import { fail } from "#domain/failure";
import { findChromium } from "#test/chromium";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { openBrowser } from "#test/test-browser";
import { sendRaw } from "#test/delivery-node";
import { withPart } from "#test/parts";

const node = closedAtEnd(await openDashboardNode());

const HTML = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const page = (path: string, init: RequestInit = {}) => fetch(node.url + path, { redirect: "manual", headers: HTML, ...init });

describe("the page", () => {
  test("answers every address that a browser opens, with a policy that allows nothing from elsewhere and nothing inline", async () => {
    for (const path of ["/", "/sign-in", "/w/anything/posts", "/setup/abc", "/invite/abc"]) {
      const answer = await page(path);
      expect(answer.status, path).toBe(200);
      const text = await answer.text();
      const headers = Object.fromEntries(answer.headers);
      const nonce = /<meta name="csp-nonce" content="([\w-]{20,})"/.exec(text)?.[1];
      expect(headers["content-security-policy"]).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      );
      expect(headers).toMatchObject({
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
      });
      expect(text).not.toContain("__CSP_NONCE__");
      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)/);
    }
    const [first, second] = [await page("/"), await page("/")];
    expect(first.headers.get("Content-Security-Policy")).not.toBe(second.headers.get("Content-Security-Policy"));
  });

  test("is not what programs get: an unknown address is a problem, and other routes stay what they are", async () => {
    expect((await fetch(`${node.url}/nothing`)).headers.get("Content-Type")).toBe("application/problem+json");
    // The front door is there for whoever accepts anything: curl, and monitors that ask whether the service is up.
    expect((await fetch(node.url, { method: "HEAD" })).status).toBe(200);
    expect((await page("/", { method: "POST" })).status).toBe(404);
    expect((await page("/api/nothing")).status).toBe(404);
    expect((await page("/v1/nothing")).status).toBe(404);
    expect(await (await page("/docs")).text()).toContain("Stet");
    expect((await page("/healthz")).status).toBe(200);
  });

  test("opened under the other name of this machine leads to the one that sign-in is bound to", async () => {
    const { port } = new URL(node.url);
    const answer = await fetch(`http://localhost:${port}/w/x?tab=keys`, { redirect: "manual", headers: HTML });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, `${node.url}/w/x?tab=keys`]);
    const raw = await sendRaw(Number(port), `GET / HTTP/1.1\r\nHost: evil.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n`);
    expect(raw).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe("its files", () => {
  const script = async () => /src="(\/assets\/[^"]+\.js)"/.exec(await (await page("/")).text())![1]!;

  test("are kept for ever, compressed, with their type", async () => {
    const path = await script();
    const br = await fetch(node.url + path, { headers: { "Accept-Encoding": "br" } });
    expect(Object.fromEntries(br.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "content-encoding": "br",
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
    });
    const gzip = await fetch(node.url + path, { headers: { "Accept-Encoding": "gzip" } });
    const plain = await fetch(node.url + path, { headers: { "Accept-Encoding": "identity" } });
    expect([gzip.headers.get("Content-Encoding"), plain.headers.get("Content-Encoding")]).toEqual(["gzip", null]);
    const text = await plain.text();
    expect([await br.text(), await gzip.text()]).toEqual([text, text]);
    const again = await fetch(node.url + path, { headers: { "If-None-Match": plain.headers.get("ETag")! } });
    expect(again.status).toBe(304);
  });

  test("are only those that were built: no other path reaches the disk", async () => {
    const port = Number(new URL(node.url).port);
    for (const path of [
      "/assets/nothing.js",
      "/assets/../index.html",
      "/assets/..%2f..%2fpackage.json",
      "/assets/%2e%2e/%2e%2e/package.json",
      "/assets/../../../../../../etc/passwd",
      "/assets/",
    ]) {
      const answer = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer, path).toMatch(/^HTTP\/1\.1 404/);
      expect(answer, path).toContain("application/problem+json");
    }
    expect((await page("/.stet-build", { headers: {} })).status).toBe(404);
  });
});

/** The fallback alone, as an install with this address has it. */
async function pagesAlone(publicUrl: string) {
  const fallback = createDashboardPage(loadDashboard("/nonexistent"), publicUrl, () => {
    throw fail("ROUTE_NOT_FOUND", "nothing");
  });
  const silent = { debug: () => {}, info: () => {}, error: () => {} };
  const options = { publicUrl, log: silent, checks: [], isStopping: () => false, routes: [], fallback };
  const server = await startHttpServer({ host: "127.0.0.1", port: 0, publicUrl, handle: createDispatcher(options) });
  const answer = await fetch(`http://127.0.0.1:${server.port}/`, { headers: HTML });
  const text = await answer.text();
  await server.stop(0);
  return { answer, text };
}

test("without a build the page says what to do", async () => {
  const { answer, text } = await pagesAlone("http://127.0.0.1:1");
  expect([answer.status, text]).toEqual([503, expect.stringContaining("npm start")]);
  expect(answer.headers.get("Strict-Transport-Security")).toBeNull();
});

test("under https a browser is told to stay there", async () => {
  const { answer } = await pagesAlone("https://stet.example");
  expect(answer.headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
});

withPart("Chromium", findChromium(), () => {
  test("a browser runs the page without a word against the policy, and refuses script that was slipped in", async () => {
    const browser = await openBrowser(node);
    const tenant = await node.makeTenant();
    const context = await browser.open(await node.signIn(tenant.owner));
    const tab = await context.newPage();
    const complaints: string[] = [];
    tab.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) complaints.push(message.text());
    });
    await tab.goto("/");
    await tab.waitForFunction("document.querySelector('#root').childElementCount > 0");
    const session = await tab.evaluate("fetch('/api/session').then((answer) => answer.status)");
    expect(session).toBe(200);
    expect(await tab.evaluate("document.cookie")).toBe("");
    expect(complaints).toEqual([]);
    await tab.evaluate(`
      const element = document.createElement("script");
      element.textContent = "window.slippedIn = true";
      document.body.append(element);
      document.body.insertAdjacentHTML("beforeend", '<img src="data:," onerror="window.slippedIn = true">');
    `);
    await expect.poll(() => complaints.length).toBeGreaterThanOrEqual(2);
    expect(await tab.evaluate("'slippedIn' in window")).toBe(false);
    await browser.close();
  });

  test("a page of another origin can neither post a form nor call an operation with the person's cookie", async () => {
    const browser = await openBrowser(node);
    const tenant = await node.makeTenant();
    const cookie = await node.signIn(tenant.owner);
    const context = await browser.open(cookie);
    // The same machine under another name: another origin.
    const evil = await startHttpServer({
      host: "127.0.0.1",
      port: 0,
      publicUrl: "http://127.0.0.1",
      handle: (_request, response) =>
        void response.writeHead(200, { "Content-Type": "text/html" }).end(
          `<form method="post" enctype="text/plain" action="${node.url}/api/rpc/rename_workspace">
            <input name='{"workspaceId":"${tenant.workspace.id}","name":"Taken","x":"' value='"}'></form>`,
        ),
    });
    const tab = await context.newPage();
    await tab.goto(`http://127.0.0.1:${evil.port}/`);
    const called = await tab.evaluate(
      async ([url, workspaceId]) => {
        try {
          const body = JSON.stringify({ workspaceId, name: "Taken" });
          const headers = { "Content-Type": "application/json" };
          return (await fetch(`${url}/api/rpc/rename_workspace`, { method: "POST", credentials: "include", headers, body })).status;
        } catch {
          return "refused";
        }
      },
      [node.url, tenant.workspace.id] as const,
    );
    expect(called).toBe("refused");
    const [answer] = await Promise.all([
      tab.waitForResponse((response) => response.url().includes("/api/rpc/")),
      tab.evaluate("document.querySelector('form').submit()"),
    ]);
    expect(answer.status()).toBe(403);
    expect((await node.rpc(cookie, "get_workspace", { workspaceId: tenant.workspace.id })).name).toBe(tenant.workspace.name);
    await evil.stop(0);
    await browser.close();
  });
});
