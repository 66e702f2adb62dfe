import { expect, test } from "vitest";
import { listActivity } from "#operations/workspaces/list-activity";
import { createWorkspace } from "#operations/workspaces/create-workspace";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { authorizeUrl, CALLBACK, connect, openHeadlessBrowser, pkce, postRegistration, register, token } from "./sign-in.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));

const json = async (path: string) => {
  const response = await fetch(node.url + path);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  return (await response.json()) as Record<string, unknown>;
};

test("the documents tell a client everything it needs to sign in", async () => {
  for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]) {
    expect(await json(path)).toMatchObject({
      issuer: node.url,
      authorization_endpoint: `${node.url}/oauth/authorize`,
      token_endpoint: `${node.url}/oauth/token`,
      registration_endpoint: `${node.url}/oauth/register`,
      revocation_endpoint: `${node.url}/oauth/revoke`,
      device_authorization_endpoint: `${node.url}/oauth/device/authorize`,
      code_challenge_methods_supported: ["S256"],
      response_types_supported: ["code"],
      token_endpoint_auth_methods_supported: expect.arrayContaining(["none"]) as string[],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: ["offline_access", "mcp"],
    });
  }
  // Nothing is offered that is not meant to be used.
  expect(
    Object.keys(await json("/.well-known/oauth-authorization-server"))
      .filter((name) => name.endsWith("_endpoint"))
      .toSorted(),
  ).toEqual(["authorization_endpoint", "device_authorization_endpoint", "registration_endpoint", "revocation_endpoint", "token_endpoint"]);
  for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
    expect(await json(path)).toMatchObject({
      resource: `${node.url}/mcp`,
      authorization_servers: [node.url],
      scopes_supported: ["mcp"],
      bearer_methods_supported: ["header"],
    });
  }
  const other = await fetch(`${node.url}/.well-known/oauth-protected-resource/other`);
  expect(other.status).toBe(404);
});

test("the server's address comes from PUBLIC_URL, whatever a request claims", async () => {
  const response = await fetch(`${node.url}/.well-known/oauth-authorization-server`, {
    headers: { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" },
  });
  expect(JSON.stringify(await response.json())).not.toContain("evil.example");
});

test("a program registers, asks, is allowed and gets a token that stands for the connection", async () => {
  const { owner, actor, workspace } = await node.makeTenant();
  const { connection, accessToken } = await connect(node, owner, { workspaces: workspace.id, clientName: "Claude" });
  expect(connection).toMatchObject({
    userId: owner.id,
    kind: "ai",
    workspaces: workspace.id,
    allowDelete: false,
    client: { name: "Claude", host: null, redirectHost: "localhost:5999" },
  });
  expect(connection.id).toMatch(/^grant_/);
  const found = await node.accessTokens.find(accessToken);
  expect(found?.connection.id).toBe(connection.id);
  expect(Math.abs(Date.parse(found!.expiresAt) - Date.now() - 3_600_000)).toBeLessThan(10_000);
  const { items } = await node.call(listActivity, actor, { workspaceId: workspace.id });
  expect(items[0]).toMatchObject({ action: "connect_tool", target: { id: connection.id, label: "App on a computer (“Claude”)" } });
});

test("all workspaces are all of them, and each writes it down", async () => {
  const { owner, actor, workspace } = await node.makeTenant();
  const second = await node.call(createWorkspace, actor, { name: "Second" });
  const { connection } = await connect(node, owner, { workspaces: "all", allowDelete: true });
  expect(connection).toMatchObject({ workspaces: "all", allowDelete: true });
  for (const workspaceId of [workspace.id, second.id]) {
    const { items } = await node.call(listActivity, actor, { workspaceId });
    expect(items[0]?.action).toBe("connect_tool");
  }
});

test("whoever is not signed in signs in first and comes back to the same question", async () => {
  const { owner } = await node.makeTenant();
  const clientId = await register(node);
  const browser = await openHeadlessBrowser(node, null);
  const first = await browser.request(authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge }));
  const consent = first.headers.get("location")!;
  const bounced = await browser.request(consent);
  expect(bounced.headers.get("location")).toBe(`/sign-in?next=${encodeURIComponent(consent)}`);
  await browser.signIn(owner);
  const page = await (await browser.request(consent)).text();
  expect(page).toContain(owner.email);
});

test("a second connection of the same client asks again, and is a connection of its own", async () => {
  const { owner, workspace } = await node.makeTenant();
  const first = await connect(node, owner);
  const again = await connect(node, owner, { clientId: first.clientId, workspaces: workspace.id });
  expect(again.connection.id).not.toBe(first.connection.id);
  expect(again.connection.workspaces).toBe(workspace.id);
  expect((await node.accessTokens.find(first.accessToken))?.connection.workspaces).toBe("all");
});

test("a browser that two people use asks whoever is signed in now", async () => {
  const one = await node.makeTenant();
  const other = await node.makeTenant();
  const clientId = await register(node);
  const browser = await openHeadlessBrowser(node, one.owner);
  const go = () => browser.follow(authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge }));
  expect(await browser.answer(await go(), { answer: "allow", workspaces: "all" })).toContain("code=");
  await browser.signIn(other.owner);
  expect(await browser.answer(await go(), { answer: "allow", workspaces: "all" })).toContain("code=");
  expect(await node.services.connections.listOf(other.owner.id)).toHaveLength(1);
});

test("Deny sends the person back with access_denied, and nothing is connected", async () => {
  const { owner } = await node.makeTenant();
  const browser = await openHeadlessBrowser(node, owner);
  const clientId = await register(node);
  const consent = await browser.follow(authorizeUrl(node, { client_id: clientId, code_challenge: pkce().challenge }));
  const answer = new URL(await browser.answer(consent, { answer: "deny", workspaces: "all" }));
  expect(Object.fromEntries(answer.searchParams)).toMatchObject({ error: "access_denied", state: "the state", iss: node.url });
  expect(await node.services.connections.listOf(owner.id)).toEqual([]);
});

test("what programs ask for beyond what there is does not keep them from connecting", async () => {
  const { owner } = await node.makeTenant();
  const registered = await postRegistration(node, {
    client_name: "Cursor",
    redirect_uris: [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "https://www.cursor.com/agents/callback",
      "http://localhost:8787/callback",
    ],
    grant_types: ["authorization_code", "refresh_token", "urn:example:other"],
    response_types: ["code"],
    application_type: "web",
    token_endpoint_auth_method: "private_key_jwt",
    scope: "openid everything",
    software_id: "x",
  });
  expect(registered.status).toBe(201);
  expect(registered.headers.get("access-control-allow-origin")).toBe("*");
  const { client_id: clientId, token_endpoint_auth_method: method } = (await registered.json()) as Record<string, string>;
  expect(method).toBe("none");
  const browser = await openHeadlessBrowser(node, owner);
  const { challenge } = pkce();
  const redirect_uri = "cursor://anysphere.cursor-mcp/oauth/callback";
  const url = authorizeUrl(node, {
    client_id: clientId,
    redirect_uri,
    code_challenge: challenge,
    scope: "openid everything",
    nonce: "n",
    prompt: "login",
  });
  const consent = await browser.follow(url);
  const answer = await browser.answer(consent, { answer: "allow", workspaces: "all" });
  expect(answer).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/);
});

test("a loopback redirect is taken on any port, and the resource with a slash at its end", async () => {
  const { owner } = await node.makeTenant();
  const clientId = await register(node, { redirect_uris: ["http://127.0.0.1/callback"] });
  const { connection } = await connect(node, owner, { clientId, redirectUri: "http://127.0.0.1:49152/callback" });
  expect(connection.client.redirectHost).toBe("127.0.0.1:49152");
  const browser = await openHeadlessBrowser(node, owner);
  const consent = await browser.follow(
    authorizeUrl(node, {
      client_id: clientId,
      redirect_uri: "http://127.0.0.1:1/callback",
      code_challenge: pkce().challenge,
      resource: `${node.url}/mcp/`,
    }),
  );
  expect(await browser.answer(consent, { answer: "allow", workspaces: "all" })).toContain("code=");
});

test("a refresh gives new tokens that last, and five at once are all answered", async () => {
  const { owner } = await node.makeTenant();
  const { clientId, refreshToken, connection } = await connect(node, owner);
  const refresh = (value: string) => token(node, { grant_type: "refresh_token", client_id: clientId, refresh_token: value });
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => refresh(refreshToken)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  for (const answer of answers) {
    const { access_token: access, refresh_token: next } = (await answer.json()) as Record<string, string>;
    expect((await node.accessTokens.find(access!))?.connection.id).toBe(connection.id);
    expect((await refresh(next!)).status).toBe(200);
  }
});

test("a client that asked for a secret gets one, and must show it", async () => {
  const { owner } = await node.makeTenant();
  const registered = await postRegistration(node, { redirect_uris: [CALLBACK], token_endpoint_auth_method: "client_secret_post" });
  const { client_id, client_secret } = (await registered.json()) as Record<"client_id" | "client_secret", string>;
  const browser = await openHeadlessBrowser(node, owner);
  const fetchToken = async (more: Record<string, string>) => {
    const { verifier, challenge } = pkce();
    const consent = await browser.follow(authorizeUrl(node, { client_id, code_challenge: challenge }));
    const answer = await browser.answer(consent, { answer: "allow", workspaces: "all" });
    const code = new URL(answer).searchParams.get("code")!;
    return token(node, { grant_type: "authorization_code", client_id, code, redirect_uri: CALLBACK, code_verifier: verifier, ...more });
  };
  expect((await fetchToken({})).status).toBe(401);
  expect((await fetchToken({ client_secret: "guessed" })).status).toBe(401);
  expect((await fetchToken({ client_secret })).status).toBe(200);
});
