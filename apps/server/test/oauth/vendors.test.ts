import { beforeEach, expect, test } from "vitest";
import { FALLBACK_METADATA } from "#http/oauth/fallback-metadata";
import { destinationOf } from "#http/oauth/redirects";
import type { Fetched } from "#ports/fetcher";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import type { Tenant } from "#test/services";
import { authorizeUrl, connect, openHeadlessBrowser, pkce } from "./sign-in.ts";

let tenant: Tenant;
/** What the vendors' hosts answer. */
let answer: (url: string) => Fetched;
const node = closedAtEnd(await openDashboardNode({ pages: false, fetcher: { get: async (url) => answer(url) } }));
beforeEach(async () => {
  tenant = await node.makeTenant();
});

const json = (status: number, value: unknown): Fetched => ({
  status,
  contentType: "application/json",
  cacheControl: "max-age=0",
  bytes: new TextEncoder().encode(JSON.stringify(value)),
});
const challenge: Fetched = { status: 403, contentType: "text/html", cacheControl: null, bytes: new TextEncoder().encode("Just a moment") };

async function pageAt(clientId: string, redirectUri: string): Promise<string> {
  const browser = await openHeadlessBrowser(node, tenant.owner);
  const url = authorizeUrl(node, { client_id: clientId, redirect_uri: redirectUri, code_challenge: pkce().challenge });
  return (await browser.request(await browser.follow(url))).text();
}

test("a document may name more than is offered here: what is not offered is left out", async () => {
  const clientId = "https://claude.example/document";
  const redirectUri = "https://claude.example/callback";
  answer = () =>
    json(200, {
      client_id: clientId,
      client_name: "Claude",
      client_uri: "https://claude.example",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    });
  const { connection } = await connect(node, tenant.owner, { clientId, redirectUri });
  expect(connection.client).toMatchObject({ name: "Claude", host: "claude.example" });
});

test("a client that prefers signed keys and can do without connects without; one that cannot is refused", async () => {
  const signing = (clientId: string, methods: readonly string[]) => ({
    client_id: clientId,
    client_name: "ChatGPT",
    redirect_uris: ["https://chat.example/callback"],
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg: "RS256",
    jwks_uri: "https://chat.example/jwks.json",
  });
  const either = "https://chat.example/either.json";
  const only = "https://chat.example/only.json";
  answer = (url) => json(200, signing(url, url === either ? ["none", "private_key_jwt"] : ["private_key_jwt"]));
  await connect(node, tenant.owner, { clientId: either, redirectUri: "https://chat.example/callback" });
  expect(await pageAt(only, "https://chat.example/callback")).toContain("invalid_client_metadata");
});

test.each([...FALLBACK_METADATA])("%s connects where its host shows the document to browsers only", async (clientId, known) => {
  answer = () => challenge;
  const [registered] = known.redirect_uris;
  const redirectUri = registered!.replace("http://localhost/", "http://localhost:49152/");
  const { connection } = await connect(node, tenant.owner, { clientId, redirectUri });
  expect(connection.client).toMatchObject({ id: clientId, name: known.client_name, host: new URL(clientId).host });
});

test("a known document leads to its own host or to the person's machine, and nowhere else", async () => {
  for (const [clientId, { redirect_uris: uris }] of FALLBACK_METADATA) {
    for (const uri of uris) {
      const destination = destinationOf(uri)!;
      if (destination.kind !== "this machine") expect(new URL(uri).host).toBe(new URL(clientId).host);
    }
  }
});

test("what the host says counts more than what is known: another redirect, or that the client is gone", async () => {
  const [clientId] = [...FALLBACK_METADATA.keys()];
  const moved = await openDashboardNode({
    pages: false,
    fetcher: {
      get: async () =>
        json(200, { client_id: clientId, client_name: "Claude", redirect_uris: ["https://claude.ai/elsewhere"], grant_types: [] }),
    },
  });
  const gone = await openDashboardNode({ pages: false, fetcher: { get: async () => json(404, {}) } });
  try {
    for (const [at, error] of [
      [moved, "invalid_redirect_uri"],
      [gone, "invalid_client"],
    ] as const) {
      const browser = await openHeadlessBrowser(at, (await at.makeTenant()).owner);
      const [redirectUri] = FALLBACK_METADATA.get(clientId!)!.redirect_uris;
      const end = await browser.follow(
        authorizeUrl(at, { client_id: clientId, redirect_uri: redirectUri, code_challenge: pkce().challenge }),
      );
      expect(await (await browser.request(end)).text()).toContain(`<code>${error}</code>`);
    }
  } finally {
    await moved.stop();
    await gone.stop();
  }
});

test("an unknown client whose document cannot be read is refused", async () => {
  answer = () => challenge;
  for (const clientId of ["https://claude.ai/oauth/another", "https://claude.ai/oauth/mcp-oauth-client-metadata?x=1"]) {
    expect(await pageAt(clientId, "https://claude.ai/api/mcp/auth_callback")).toContain("invalid_client");
  }
});
