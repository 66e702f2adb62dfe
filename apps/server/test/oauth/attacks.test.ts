import { describe, expect, test, vi } from "vitest";
import { createKey } from "#operations/keys/create-key";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { everyRow } from "#test/every-row";
import { authorizeUrl, CALLBACK, connect, openHeadlessBrowser, pkce, postRegistration, register, token } from "./sign-in.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();
const clientId = await register(node);
// Whoever has let it act for them is sent back to it with its errors.
await connect(node, tenant.owner, { clientId });
const browser = await openHeadlessBrowser(node, tenant.owner);

/** Where a request ends when the client made it wrong: an error for the client, or a page when it cannot be trusted. */
async function refusalOf(parameters: Record<string, string | undefined>) {
  const end = await browser.follow(authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge, ...parameters }));
  if (end.startsWith(CALLBACK)) return new URL(end.replace("#", "?")).searchParams.get("error");
  const page = await browser.request(end);
  return `${page.status} ${/<code>([a-z_]+)<\/code>/.exec(await page.text())?.[1]}`;
}

/** Where each way to be refused leads without a click of anybody, for a client that anybody could have registered. */
const REFUSED: readonly (readonly [string, Record<string, string | undefined>])[] = [
  ["prompt=none", { prompt: "none" }],
  ["no PKCE", { code_challenge: undefined, code_challenge_method: undefined }],
  ["plain PKCE", { code_challenge_method: "plain" }],
  ["another resource", { resource: "https://other.example/mcp" }],
  ["another response type", { response_type: "token" }],
  ["another response mode", { response_mode: "fragment" }],
];
describe("a client that a person has not allowed yet sends nobody anywhere", async () => {
  const visitor = await openHeadlessBrowser(node, null);
  const someone = await openHeadlessBrowser(node, (await node.makeTenant()).owner);
  const redirects = ["https://evil.example/phish", "http://localhost:5999/callback", "com.example.app:/callback"];
  const client_id = await register(node, { redirect_uris: redirects });
  // Somebody else on this install did allow it; that says nothing about whoever is here.
  await connect(node, tenant.owner, { clientId: client_id, redirectUri: redirects[0]! });
  test.each(REFUSED)("%s", async (_, parameters) => {
    for (const redirect_uri of redirects) {
      for (const who of [visitor, someone]) {
        const url = authorizeUrl(node, { client_id, redirect_uri, code_challenge: pkce().challenge, ...parameters });
        const end = await who.follow(url);
        expect(end.startsWith(node.url), end).toBe(true);
        const page = await who.request(url);
        expect(page.status).toBe(400);
        expect(page.headers.get("location")).toBeNull();
        expect(await page.text()).toContain("Could not connect");
        // Nor for those who post the form, or ask for JSON.
        const posted = await who.request(`${node.url}/oauth/authorize`, {
          method: "POST",
          body: new URLSearchParams(url.slice(url.indexOf("?") + 1)),
        });
        expect([posted.status, posted.headers.get("location")]).toEqual([405, null]);
        const json = await who.request(url, { headers: { Accept: "application/json" } });
        expect([json.status, json.headers.get("location")]).toEqual([400, null]);
      }
    }
  });

  test("Deny on our page is a person's act, and is told to the client", async () => {
    const redirect_uri = redirects[0]!;
    const consent = await someone.follow(authorizeUrl(node, { client_id, redirect_uri, code_challenge: pkce().challenge }));
    expect(await someone.answer(consent, { answer: "deny" })).toContain(`${redirect_uri}?error=access_denied`);
  });

  test("a document's client neither", async () => {
    const known = "https://claude.ai/oauth/mcp-oauth-client-metadata";
    const redirect_uri = "https://claude.ai/api/mcp/auth_callback";
    const url = authorizeUrl(node, { client_id: known, redirect_uri, code_challenge: pkce().challenge, prompt: "none" });
    expect((await someone.request(url)).headers.get("location")).toBeNull();
  });
});

/** A code, with the verifier that belongs to it. */
async function aCode() {
  const { verifier, challenge } = pkce();
  const consent = await browser.follow(authorizeUrl(node, { client_id: clientId, code_challenge: challenge }));
  const answer = await browser.answer(consent, { answer: "allow", workspaces: "all" });
  const form = { grant_type: "authorization_code", client_id: clientId, redirect_uri: CALLBACK };
  return { ...form, code: new URL(answer).searchParams.get("code")!, code_verifier: verifier };
}
const errorOf = async (response: Response) => [response.status, ((await response.json()) as { error: string }).error];

test("no PKCE, and PKCE that hides nothing, are refused", async () => {
  expect(await refusalOf({ code_challenge: undefined, code_challenge_method: undefined })).toBe("invalid_request");
  expect(await refusalOf({ code_challenge_method: "plain" })).toBe("invalid_request");
  // Without a method it would be plain.
  expect(await refusalOf({ code_challenge_method: undefined })).toBe("invalid_request");
});

test("a token for another resource is refused, when asked and when fetched", async () => {
  expect(await refusalOf({ resource: "https://other.example/mcp" })).toBe("invalid_target");
  expect(await refusalOf({ resource: `${node.url}/v1` })).toBe("invalid_target");
  expect(await errorOf(await token(node, { ...(await aCode()), resource: "https://other.example/mcp" }))).toEqual([400, "invalid_target"]);
});

test("a redirect that was not registered is never followed", async () => {
  for (const redirect_uri of [
    "https://evil.example/callback",
    `${CALLBACK}/more`,
    `${CALLBACK}?x=1`,
    "http://localhost.evil.example:5999/callback",
    "http://localhost:5999@evil.example/callback",
    "javascript:alert(1)//localhost:5999/callback",
  ]) {
    expect(await refusalOf({ redirect_uri }), redirect_uri).toBe("400 invalid_redirect_uri");
  }
});

test("an implicit token, a request object and an unknown client are refused", async () => {
  expect(await refusalOf({ response_type: "token" })).toBe("unsupported_response_type");
  expect(await refusalOf({ client_id: "unknown" })).toBe("400 invalid_client");
  expect(await refusalOf({ prompt: "none" })).toBe("login_required");
});

test("an answer travels in the query: no page of ours carries a code, or sends one off by a script", async () => {
  for (const response_mode of ["form_post", "fragment", "web_message", "query.jwt"])
    expect(await refusalOf({ response_mode }), response_mode).toBe("unsupported_response_mode");
  const consent = await browser.follow(
    authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge, response_mode: "query" }),
  );
  expect(await browser.answer(consent, { answer: "allow", workspaces: "all" })).toContain(`${CALLBACK}?code=`);
});

test("redirects by which a page could run code, or be read on the way, cannot be registered", async () => {
  for (const uri of [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://example.com/x",
    "http://example.com/callback",
    "http://127.0.0.1.evil.example/callback",
    "http://localhost./callback",
    "http://someone@localhost/callback",
    "https://claude.ai@evil.example/callback",
    "https://evil.example\\@claude.ai/callback",
    "https://claude.ai./callback",
    "https:evil.example/callback",
    "https://example.com/callback#fragment",
    "https://example.com;sandbox/callback",
    "https://example.com'x/callback",
    "mailto:someone@evil.example",
    "intent://evil.example",
    "view-source:https://evil.example",
    "chrome://settings",
    "ms-settings:about",
    "search-ms:query=secret",
    "shell:startup",
    "feed:javascript:alert(1)",
    "itms-services://?action=download-manifest",
    "content://contacts/people",
    "someapp://callback",
    "not an address",
    "",
  ]) {
    const response = await postRegistration(node, { redirect_uris: [uri] });
    expect([response.status, uri]).toEqual([400, uri]);
  }
});

test("apps are reached by a scheme that is theirs", async () => {
  const uris = ["com.example.editor:/callback", "cursor://anysphere.cursor-mcp/oauth/callback", "vscode://example.mcp/callback"];
  expect((await postRegistration(node, { redirect_uris: uris })).status).toBe(201);
});

test("a name is not padded with what looks like nothing", async () => {
  const answer = await postRegistration(node, {
    redirect_uris: [CALLBACK],
    client_name: "\u2800\u3164Claude\u2800\u2800\u3164verified\uFFA0",
  });
  expect(await answer.json()).toMatchObject({ client_name: "Claude verified" });
});

test("a registration is bounded in size, in number and in what it may claim", async () => {
  expect((await postRegistration(node, { redirect_uris: [CALLBACK], client_name: "x".repeat(20_000) })).status).toBe(400);
  expect((await postRegistration(node, { redirect_uris: Array.from({ length: 17 }, (_, at) => `https://a.example/${at}`) })).status).toBe(
    400,
  );
  expect((await postRegistration(node, [])).status).toBe(400);
  expect((await postRegistration(node, { redirect_uris: [] })).status).toBe(400);
  const sly = await postRegistration(node, {
    redirect_uris: [CALLBACK],
    client_id: "stet-cli",
    client_name: "Stet\u202e\n<script>",
    grant_types: ["client_credentials", "urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
  });
  expect(await sly.json()).toMatchObject({
    client_id: expect.not.stringContaining("stet-cli") as string,
    client_name: "Stet <script>",
    grant_types: ["authorization_code", "refresh_token"],
  });
});

test("a code serves once: shown again, what it gave is void", async () => {
  const form = await aCode();
  const { access_token: access } = (await (await token(node, form)).json()) as Record<string, string>;
  expect(await node.accessTokens.find(access!)).not.toBeNull();
  expect(await errorOf(await token(node, form))).toEqual([400, "invalid_grant"]);
  expect(await node.accessTokens.find(access!)).toBeNull();
});

test("of two who show one code at once at most one is answered", async () => {
  const form = await aCode();
  const answers = await Promise.all([1, 2, 3].map(() => token(node, form)));
  expect(answers.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
});

test("a code is worth nothing without its verifier, its redirect and its client", async () => {
  const { code_verifier: _, ...bare } = await aCode();
  expect(await errorOf(await token(node, bare))).toEqual([400, "invalid_grant"]);
  expect(await errorOf(await token(node, { ...(await aCode()), code_verifier: pkce().verifier }))).toEqual([400, "invalid_grant"]);
  expect(await errorOf(await token(node, { ...(await aCode()), redirect_uri: "http://localhost:5998/callback" }))).toEqual([
    400,
    "invalid_grant",
  ]);
  expect(await errorOf(await token(node, { ...(await aCode()), client_id: await register(node) }))).toEqual([400, "invalid_grant"]);
});

test("a consent that was not given on the page is not taken", async () => {
  const before = (await node.services.connections.listOf(tenant.owner.id)).length;
  const consent = await browser.follow(authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge }));
  const post = (form: Record<string, string>, headers: Record<string, string>, who = browser) =>
    who.request(consent, { method: "POST", body: new URLSearchParams({ answer: "allow", workspaces: "all", ...form }), headers });
  const page = await (await browser.request(consent)).text();
  const real = /name="token" value="([^"]+)"/.exec(page)![1]!;
  // From another site's page, with everything else right.
  expect((await post({ token: real }, { Origin: "https://evil.example" })).status).toBe(403);
  expect((await post({ token: real }, { Origin: "null" })).status).toBe(403);
  // Without the token, and with one of another question.
  expect((await post({}, { Origin: node.url })).status).toBe(422);
  const other = await browser.follow(authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge }));
  const foreign = /name="token" value="([^"]+)"/.exec(await (await browser.request(other)).text())![1]!;
  expect((await post({ token: foreign }, { Origin: node.url })).status).toBe(422);
  // Somebody else's browser was not asked this.
  const stranger = await openHeadlessBrowser(node, (await node.makeTenant()).owner);
  expect((await post({ token: real }, { Origin: node.url }, stranger)).status).toBe(400);
  // Another person in the same browser has another session.
  await browser.signIn((await node.makeTenant()).owner);
  expect((await post({ token: real }, { Origin: node.url })).status).toBe(422);
  await browser.signIn(tenant.owner);
  expect(await node.services.connections.listOf(tenant.owner.id)).toHaveLength(before);
});

test("Allow pressed twice is one connection", async () => {
  const before = (await node.services.connections.listOf(tenant.owner.id)).length;
  const consent = await browser.follow(authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge }));
  const token = /name="token" value="([^"]+)"/.exec(await (await browser.request(consent)).text())![1]!;
  const press = () =>
    browser.request(consent, {
      method: "POST",
      body: new URLSearchParams({ token, answer: "allow", workspaces: "all" }),
      headers: { Origin: node.url },
    });
  const [first, second] = await Promise.all([press(), press()]);
  expect([first.status, second.status]).toEqual([303, 303]);
  expect(await browser.follow(second.headers.get("location")!)).toContain(`${CALLBACK}?code=`);
  expect(await node.services.connections.listOf(tenant.owner.id)).toHaveLength(before + 1);
});

test("whoever goes back and chooses otherwise connects what they chose last", async () => {
  const { verifier, challenge } = pkce();
  const consent = await browser.follow(authorizeUrl(node, { client_id: clientId, code_challenge: challenge }));
  const form = /name="token" value="([^"]+)"/.exec(await (await browser.request(consent)).text())![1]!;
  const press = (choice: Record<string, string>) =>
    browser.request(consent, {
      method: "POST",
      body: new URLSearchParams({ token: form, answer: "allow", ...choice }),
      headers: { Origin: node.url },
    });
  // Stopped before the browser followed where it leads.
  await press({ workspaces: "all", allowDelete: "yes" });
  const last = await press({ workspaces: tenant.workspace.id });
  const code = new URL(await browser.follow(last.headers.get("location")!)).searchParams.get("code")!;
  const grant = { grant_type: "authorization_code", client_id: clientId, code, redirect_uri: CALLBACK, code_verifier: verifier };
  const { access_token: access } = (await (await token(node, grant)).json()) as Record<string, string>;
  expect((await node.accessTokens.find(access!))?.connection).toMatchObject({ workspaces: tenant.workspace.id, allowDelete: false });
});

test("an answer that is sent slowly connects nothing when its session has ended meanwhile", async () => {
  const { owner } = await node.makeTenant();
  const theirs = await openHeadlessBrowser(node, owner);
  const consent = await theirs.follow(authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge }));
  const form = /name="token" value="([^"]+)"/.exec(await (await theirs.request(consent)).text())![1]!;
  const looks = vi.spyOn(node.services.database, "query");
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const body = writable.getWriter();
  const answer = theirs.request(consent, {
    method: "POST",
    body: readable,
    duplex: "half",
    headers: { Origin: node.url, "Content-Type": "application/x-www-form-urlencoded" },
  } as RequestInit);
  await body.write(Buffer.from(`token=${form}&answer=allow`));
  // Time enough to look for the session, which it must not do yet.
  const hasLooked = () => looks.mock.calls.some(([{ text }]) => text.includes('FROM "session"'));
  await vi.waitFor(() => expect(hasLooked()).toBe(true), { timeout: 300 }).catch(() => {});
  looks.mockRestore();
  await node.services.database.query({ text: `DELETE FROM "session" WHERE "userId" = $1`, values: [owner.id] });
  await body.write(Buffer.from("&workspaces=all"));
  await body.close();
  expect((await answer).headers.get("location")).toContain("/sign-in?next=");
  expect(await node.services.connections.listOf(owner.id)).toEqual([]);
});

test("a connection that cannot be written down now says so, and not that the choice was wrong", async () => {
  const consent = await browser.follow(authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge }));
  const page = await (await browser.request(consent)).text();
  const form = /name="token" value="([^"]+)"/.exec(page)![1]!;
  const { disk } = node.services;
  const read = disk.read;
  Object.assign(disk, { read: async () => ({ ...(await read()), level: "full" }) });
  const answer = await browser.request(consent, {
    method: "POST",
    body: new URLSearchParams({ token: form, answer: "allow", workspaces: "all" }),
    headers: { Origin: node.url },
  });
  Object.assign(disk, { read });
  const said = await answer.text();
  expect(said).toContain("disk");
  expect(said).not.toContain("Choose one of your workspaces");
});

test("a workspace that is not one's own cannot be given away", async () => {
  const { workspace } = await node.makeTenant();
  const consent = await browser.follow(authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge }));
  for (const workspaces of [workspace.id, "everything", ""])
    expect(await browser.answer(consent, { answer: "allow", workspaces })).toBe(consent);
});

test("no page can be framed, cached or run a script", async () => {
  const consent = await browser.follow(authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge }));
  for (const url of [consent, `${node.url}/oauth/device`, authorizeUrl(node, { client_id: "unknown" })]) {
    const { headers } = await browser.request(url);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("content-security-policy")).not.toContain("script-src");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toContain("no-store");
  }
});

test("names are shown as text, never as markup", async () => {
  const evil = await register(node, { client_name: `<img src=x onerror=alert(1)>"'` });
  const consent = await browser.follow(authorizeUrl(node, { client_id: evil, code_challenge: pkce().challenge }));
  const page = await (await browser.request(consent)).text();
  expect(page).not.toContain("<img");
  expect(page).toContain("“&lt;img src=x onerror=alert(1)&gt;&#39;&#39;”");
});

test("cookies are HttpOnly, SameSite=Lax and bound to their path", async () => {
  const response = await browser.request(authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge }));
  const cookies = response.headers.getSetCookie();
  expect(cookies.length).toBeGreaterThanOrEqual(2);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^stet_oauth/);
    expect(cookie).toMatch(/httponly/i);
    expect(cookie).toMatch(/samesite=lax/i);
  }
});

test("a connection's token opens neither the read API nor the dashboard, and no other credential is a token", async () => {
  const { accessToken, refreshToken } = await connect(node, tenant.owner);
  const headers = { Authorization: `Bearer ${accessToken}`, "X-API-Key": accessToken };
  expect((await fetch(`${node.url}/v1/blog/posts`, { headers })).status).toBe(401);
  const session = await fetch(`${node.url}/api/session`, { headers: { Authorization: `Bearer ${accessToken}` } });
  expect(await session.json()).toEqual({ data: null });
  const { key } = (await node.call(createKey, tenant.actor, { websiteId: tenant.website.id, name: "Site" })) as { key: string };
  const cookie = await node.signIn(tenant.owner);
  for (const other of [key, cookie, cookie.slice(cookie.indexOf("=") + 1), refreshToken, "", "x".repeat(10_000)]) {
    expect(await node.accessTokens.find(other)).toBeNull();
  }
});

test("registrations are limited by address", async () => {
  const rule = { ratePerSecond: 0.001, burst: 3 };
  const strict = await openDashboardNode({ pages: false, attempts: { address: rule, account: rule } });
  const statuses = [];
  for (let at = 0; at < 4; at += 1) statuses.push((await postRegistration(strict, { redirect_uris: [CALLBACK] })).status);
  expect(statuses).toEqual([201, 201, 201, 429]);
  await strict.stop();
});

test("the database holds no token, code, verifier or user code, in any form", async () => {
  const form = await aCode();
  const device = await fetch(`${node.url}/oauth/device/authorize`, {
    method: "POST",
    body: new URLSearchParams({ client_id: "stet-cli" }),
  });
  const { device_code: deviceCode, user_code: userCode } = (await device.json()) as Record<string, string>;
  const connected = await connect(node, tenant.owner);
  const secrets = {
    code: form.code,
    verifier: form.code_verifier,
    accessToken: connected.accessToken,
    refreshToken: connected.refreshToken,
    deviceCode: deviceCode!,
    userCode: userCode!,
    plainUserCode: userCode!.replace("-", ""),
    cookie: browser.cookie("stet_oauth"),
  };
  const dump = await everyRow(node.services.database);
  expect(dump).toContain(connected.connection.id);
  for (const [name, value] of Object.entries(secrets)) {
    for (const text of [value, Buffer.from(value).toString("hex"), Buffer.from(value).toString("base64")]) {
      expect(dump.includes(text), `${name} is in the database`).toBe(false);
    }
  }
});
