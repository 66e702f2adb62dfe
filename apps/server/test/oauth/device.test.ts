import { expect, test } from "vitest";
import { recordHash } from "#domain/oauth-record";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { openHeadlessBrowser, register, token } from "./sign-in.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();
const browser = await openHeadlessBrowser(node, tenant.owner);

const begin = (clientId = "stet-cli") =>
  fetch(`${node.url}/oauth/device/authorize`, {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, scope: "mcp offline_access" }),
  });
const beginWell = async () => {
  const response = await begin();
  expect(response.status).toBe(200);
  return (await response.json()) as Record<"device_code" | "user_code" | "verification_uri" | "verification_uri_complete", string>;
};
const poll = (device_code: string, client_id = "stet-cli") =>
  token(node, { grant_type: "urn:ietf:params:oauth:grant-type:device_code", client_id, device_code });
const errorOf = async (response: Response) => [response.status, ((await response.json()) as { error: string }).error];
const enter = (code: string) => browser.answer(`${node.url}/oauth/device`, { user_code: code });

test("a command line signs in by a code that a person types, after the same question", async () => {
  const { device_code, user_code, verification_uri, verification_uri_complete } = await beginWell();
  expect(verification_uri).toBe(`${node.url}/oauth/device`);
  expect(await errorOf(await poll(device_code))).toEqual([400, "authorization_pending"]);
  const filled = await (await browser.request(verification_uri_complete)).text();
  expect(filled).toContain(`value="${user_code}"`);
  const consent = await enter(user_code.toLowerCase());
  const page = await (await browser.request(consent)).text();
  expect(page).toContain("Stet command line");
  expect(page).toContain(user_code);
  const done = await browser.answer(consent, { answer: "allow", workspaces: tenant.workspace.id });
  expect(done).toContain("/oauth/device/");
  const answer = (await (await poll(device_code)).json()) as Record<string, string>;
  expect((await node.accessTokens.find(answer.access_token!))?.connection).toMatchObject({
    kind: "cli",
    workspaces: tenant.workspace.id,
    client: { id: "stet-cli", redirectHost: null },
  });
  expect(answer.refresh_token).toBeTypeOf("string");
  // The code served once.
  expect(await errorOf(await poll(device_code))).toEqual([400, "invalid_grant"]);
});

test("Deny ends the waiting", async () => {
  const { device_code, user_code } = await beginWell();
  await browser.answer(await enter(user_code), { answer: "deny", workspaces: "all" });
  expect(await errorOf(await poll(device_code))).toEqual([400, "access_denied"]);
});

test("a code that has expired neither connects nor can be entered", async () => {
  const { device_code, user_code } = await beginWell();
  await node.services.database.query({
    text: "UPDATE oauth_records SET expires_at = expires_at - 601 WHERE model = 'DeviceCode' AND id_hash = $1",
    values: [recordHash(device_code)],
  });
  expect(await errorOf(await poll(device_code))).toEqual([400, "expired_token"]);
  const page = await browser.request(`${node.url}/oauth/device`);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())![1]!;
  const posted = await browser.request(`${node.url}/oauth/device`, {
    method: "POST",
    headers: { Origin: node.url },
    body: new URLSearchParams({ xsrf, user_code, confirm: "yes" }),
  });
  expect(await posted.text()).toContain("has expired");
});

test("a code is not entered by a form of another page, and guesses are limited", async () => {
  const { user_code } = await beginWell();
  const forged = await browser.request(`${node.url}/oauth/device`, {
    method: "POST",
    headers: { Origin: "https://evil.example" },
    body: new URLSearchParams({ xsrf: "x", user_code, confirm: "yes" }),
  });
  expect(forged.headers.get("location")).toBeNull();
  const rule = { ratePerSecond: 0.001, burst: 2 };
  const strict = await openDashboardNode({ pages: false, attempts: { address: rule, account: rule } });
  const guess = () => fetch(`${strict.url}/oauth/device`, { method: "POST", body: new URLSearchParams({ user_code: "AAAA-AAAA" }) });
  const statuses = [(await guess()).status, (await guess()).status, (await guess()).status];
  expect(statuses.at(-1)).toBe(429);
  await strict.stop();
});

test("only our own command line has this flow", async () => {
  const clientId = await register(node);
  expect(await errorOf(await begin(clientId))).toEqual([400, "invalid_request"]);
  const { device_code } = await beginWell();
  expect((await errorOf(await poll(device_code, clientId)))[1]).toBe("invalid_request");
  const signedIn = await browser.request(`${node.url}/oauth/authorize?response_type=code&client_id=stet-cli`);
  expect(signedIn.status).toBe(400);
});

test.each(["user%5Fcode=AAAA-BBBB", "user_code=AAAA-BBBB&user_code=AAAA-BBBB", "x=1&user_code=AAAA-BBBB&xsrf=y"])(
  "however a code comes in the address, it stands in our form and nothing is sent off by a script: %s",
  async (query) => {
    const page = await (await browser.request(`${node.url}/oauth/device?${query}`)).text();
    expect(page).toContain('value="AAAA-BBBB"');
    expect(page).not.toContain("<script");
  },
);

test("the page for a code and the exchange of tokens are limited; a token that is good is not counted", async () => {
  const rule = { ratePerSecond: 0.001, burst: 3 };
  const strict = closedAtEnd(await openDashboardNode({ pages: false, attempts: { address: rule, account: rule } }));
  const page = async () => (await fetch(`${strict.url}/oauth/device`)).status;
  expect([await page(), await page(), await page(), await page()]).toEqual([200, 200, 200, 429]);
  const guess = () => token(strict, { grant_type: "refresh_token", client_id: "stet-cli", refresh_token: "A".repeat(43) });
  const statuses = [(await guess()).status, (await guess()).status, (await guess()).status, (await guess()).status];
  expect(statuses).toEqual([400, 400, 400, 429]);
});
