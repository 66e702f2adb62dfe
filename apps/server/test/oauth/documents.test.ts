import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createGuardedFetcher } from "#adapters/guarded-fetch/fetcher";
import { makeCertificate } from "#test/certificate";
import { closedAtEnd } from "#test/closed-at-end";
import { type DashboardNode, openDashboardNode } from "#test/dashboard-node";
import { authorizeUrl, connect, type HeadlessBrowser, openHeadlessBrowser, pkce, register, token } from "./sign-in.ts";

let reads = 0;
let document: (id: string) => string = () => "";
let status = 200;

const { key, certificate } = await makeCertificate("tools.test");
const server = createServer({ key, cert: certificate }, (request, response) => {
  reads += 1;
  response.writeHead(status, { "Content-Type": "application/json", Location: "https://tools.test/elsewhere" });
  response.end(document(`${origin}${request.url}`));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const origin = `https://tools.test:${(server.address() as AddressInfo).port}`;
const openNode = async (privateTargets: string[]): Promise<DashboardNode> => {
  const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  return closedAtEnd(
    await openDashboardNode({ pages: false, fetcher: createGuardedFetcher({ privateTargets, resolve, ca: certificate }) }),
  );
};
const node = await openNode(["127.0.0.1"]);
/** As above, where no private address may be called, as in a real install. */
const guarded = await openNode([]);
const tenant = await node.makeTenant();
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const aDocument =
  (change: Record<string, unknown> = {}) =>
  (id: string) =>
    JSON.stringify({
      client_id: id,
      client_name: "Claude Code",
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
      ...change,
    });

let browser: HeadlessBrowser;
let count = 0;
/** Each is read anew: the library remembers a document for a while. */
const refusalOf = async (which: (id: string) => string, at: DashboardNode = node, url = `${origin}/client-${(count += 1)}.json`) => {
  document = which;
  browser = await openHeadlessBrowser(at, (await at.makeTenant()).owner);
  const end = await browser.follow(
    authorizeUrl(at, { client_id: url, redirect_uri: "http://localhost:1234/callback", code_challenge: pkce().challenge }),
  );
  const page = await browser.request(end);
  return `${page.status} ${/<code>([a-z_]+)<\/code>/.exec(await page.text())?.[1]}`;
};

test("a client that is named by its metadata document connects without registering, and is called by its host", async () => {
  document = aDocument();
  const clientId = `${origin}/claude.json`;
  const { connection } = await connect(node, tenant.owner, { clientId, redirectUri: "http://localhost:49200/callback" });
  expect(connection.client).toMatchObject({ id: clientId, name: "Claude Code", host: new URL(origin).host });
  browser = await openHeadlessBrowser(node, tenant.owner);
  const consent = await browser.follow(
    authorizeUrl(node, { client_id: clientId, redirect_uri: "http://127.0.0.1:1/callback", code_challenge: pkce().challenge }),
  );
  expect(textOf(await (await browser.request(consent)).text())).toContain(
    `Connect ${new URL(origin).host} to Stet? It calls itself “Claude Code”.`,
  );
});

/** A page as a person reads it. */
const textOf = (page: string): string =>
  page
    .slice(page.indexOf("<h1>"))
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ (?=[.,”])/g, "");

describe("the question says who gets the access", () => {
  const { host } = new URL(origin);
  async function asked(redirect: string, name: string, clientId?: string) {
    document = aDocument({ client_name: name, redirect_uris: [redirect] });
    const client_id = clientId ?? `${origin}/asked-${(count += 1)}.json`;
    browser = await openHeadlessBrowser(node, tenant.owner);
    const consent = await browser.follow(authorizeUrl(node, { client_id, redirect_uri: redirect, code_challenge: pkce().challenge }));
    return textOf(await (await browser.request(consent)).text());
  }

  test("a host that calls itself Claude is called by its host, and nothing says that it is verified", async () => {
    const page = await asked(`${origin}/callback`, "Claude ✓ verified: claude.ai");
    expect(page).toContain(`Connect ${host} to Stet? It calls itself “Claude verified: claude.ai”.`);
    expect(page).toContain(`Continue only if you know ${host}, and you just started this yourself.`);
    expect(page.replaceAll("“Claude verified: claude.ai”", "")).not.toMatch(/verified|Claude|✓/);
  });

  test("a name cannot leave its quotation marks, nor push the rest away", async () => {
    const page = await asked(`${origin}/callback`, `Claude”. ✅ Checked by Stet. “${"\u2800".repeat(400)}`);
    expect(page).toContain("It calls itself “Claude'. Checked by Stet. '”.");
  });

  test("access that goes to another host than the one that describes the app is warned of", async () => {
    const page = await asked("https://other.example/callback", "Claude");
    expect(page).toContain(`${host} describes this app, but access goes to another website: other.example.`);
    expect(page).toContain("The owner of other.example can then act for you.");
    expect(page).toContain(`Continue only if you know ${host} and other.example, and you just started this yourself.`);
  });

  test("an app that registered itself is called by where the access goes", async () => {
    const web = await asked(
      "https://evil.example/cb",
      "",
      await register(node, { client_name: "Claude", redirect_uris: ["https://evil.example/cb"] }),
    );
    expect(web).toContain("Connect evil.example to Stet? It calls itself “Claude”.");
    expect(web).toContain(
      "No website vouches for this app: it registered itself, and its name can be anything. Access goes to evil.example.",
    );
    for (const redirect of ["http://localhost:5999/cb", "com.example.app:/cb"]) {
      const here = await asked(redirect, "", await register(node, { client_name: "Claude", redirect_uris: [redirect] }));
      expect(here).toContain("Connect an app on this computer to Stet? It calls itself “Claude”.");
      expect(here).toContain("Access goes to an app on this computer, whichever receives the answer.");
    }
  });
});

describe("while the question is open", () => {
  /** The question about a new client; the answer comes after the library has forgotten the client's document. */
  async function askedLongAgo() {
    document = aDocument();
    const clientId = `${origin}/slow-${(count += 1)}.json`;
    browser = await openHeadlessBrowser(node, tenant.owner);
    const consent = await browser.follow(
      authorizeUrl(node, { client_id: clientId, redirect_uri: "http://127.0.0.1:1/callback", code_challenge: pkce().challenge }),
    );
    const formToken = /name="token" value="([^"]+)"/.exec(await (await browser.request(consent)).text())![1]!;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    onTestFinished(() => void vi.useRealTimers());
    const form = new URLSearchParams({ token: formToken, answer: "allow", workspaces: "all" });
    return () => browser.request(consent, { method: "POST", body: form, headers: { Origin: node.url } });
  }

  test("a document that was forgotten is read again: people read slowly", async () => {
    const allow = await askedLongAgo();
    const answer = await allow();
    expect(answer.status).toBe(303);
    expect(await browser.follow(answer.headers.get("location")!)).toContain("http://127.0.0.1:1/callback?code=");
  });

  test("a document that names its client otherwise by then makes it another question", async () => {
    const allow = await askedLongAgo();
    document = aDocument({ client_name: "Backup service" });
    const answer = await allow();
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("“Backup service”");
  });

  test("a document that cannot be read any more ends it", async () => {
    const allow = await askedLongAgo();
    document = () => "gone";
    const answer = await allow();
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("This request has expired");
  });
});

describe("once it is connected", () => {
  /** A client whose document the library has forgotten by now, and which wants its token renewed. */
  async function renewing() {
    document = aDocument();
    const clientId = `${origin}/lasting-${(count += 1)}.json`;
    const { refreshToken } = await connect(node, tenant.owner, { clientId, redirectUri: "http://localhost:49200/callback" });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    onTestFinished(() => {
      vi.useRealTimers();
      status = 200;
    });
    return () => token(node, { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken });
  }

  test("a host that does not answer for a moment takes no connection away", async () => {
    const renew = await renewing();
    status = 503;
    expect((await renew()).status).toBe(200);
  });

  test("a host that says the client is gone ends it", async () => {
    const renew = await renewing();
    status = 404;
    expect(await (await renew()).json()).toMatchObject({ error: "invalid_client" });
    // And does not bring it back by falling silent.
    status = 503;
    expect(await (await renew()).json()).toMatchObject({ error: "invalid_client" });
  });
});

test("a document at a private address is not read", async () => {
  const before = reads;
  expect(await refusalOf(aDocument(), guarded)).toBe("400 invalid_client");
  for (const url of [
    "https://127.0.0.1/client.json",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/client.json",
    "https://10.0.0.1/c",
  ]) {
    expect(await refusalOf(aDocument(), guarded, url), url).toBe("400 invalid_client");
  }
  expect(reads).toBe(before);
});

test("only https names a document", async () => {
  expect(await refusalOf(aDocument(), node, "http://tools.test/client.json")).toBe("400 invalid_client");
});

test("a document that is too large, no JSON, of another client or behind a redirect is refused", async () => {
  expect(await refusalOf(aDocument({ padding: "x".repeat(6_000) }))).toBe("400 invalid_client");
  expect(await refusalOf(() => "not json")).toBe("400 invalid_client");
  expect(await refusalOf(aDocument({ client_id: "https://other.example/client.json" }))).toMatch(/^400 invalid_client/);
  status = 302;
  expect(await refusalOf(aDocument())).toBe("400 invalid_client");
  status = 200;
});

test("a document cannot claim a secret, nor redirects that a registration could not", async () => {
  expect(await refusalOf(aDocument({ token_endpoint_auth_method: "client_secret_post" }))).toMatch(/^400 invalid_client/);
  expect(await refusalOf(aDocument({ client_secret: "x" }))).toMatch(/^400 invalid_client/);
  for (const uri of ["javascript:alert(1)", "data:text/html,x", "http://example.com/callback"]) {
    const change = { application_type: "web", redirect_uris: [uri, "http://localhost/callback"] };
    expect(await refusalOf(aDocument(change)), uri).toMatch(/^400 invalid_(?:client|redirect)/);
  }
});

test("reading documents is limited by address", async () => {
  const rule = { ratePerSecond: 0.001, burst: 1 };
  const strict = await openDashboardNode({
    pages: false,
    attempts: { address: rule, account: rule },
    fetcher: createGuardedFetcher({
      privateTargets: ["127.0.0.1"],
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
      ca: certificate,
    }),
  });
  const before = reads;
  await refusalOf(() => "not json", strict);
  await refusalOf(() => "not json", strict);
  expect(reads).toBe(before + 1);
  await strict.stop();
});
