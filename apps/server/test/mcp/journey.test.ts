import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { openPage } from "#test/dashboard/open-page";
import { withDashboard } from "#test/with-dashboard";
import { connectClient, ERAS } from "./client.ts";

interface Kept {
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
  discovered?: OAuthDiscoveryState;
  verifier?: string;
  /** Where the person was sent. */
  asked?: URL;
}

/** A program on the person's machine that signs in as the client library does by itself, and is answered on a port of its own. */
async function openProgram() {
  let answered: (query: URLSearchParams) => void;
  const answer = new Promise<URLSearchParams>((resolve) => (answered = resolve));
  const server = createServer((request, response) => {
    answered(new URL(request.url ?? "/", "http://localhost").searchParams);
    response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Done</h1>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const kept: Kept = {};
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: "A real program", redirect_uris: [redirectUrl] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.asked = url),
    // What the server says has ended, it forgets.
    invalidateCredentials: () => void delete kept.tokens,
    discoveryState: () => kept.discovered,
    saveDiscoveryState: (state) => void (kept.discovered = state),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? "",
  };
  return { provider, kept, answer };
}

await withDashboard({}, (node, browser) => {
  test.each(ERAS)("revision %s: found, signed in, drafted, edited, published, read, disconnected, refused", async (era) => {
    const tenant = await node.makeTenant();
    const cookie = await node.signIn(tenant.owner);
    const { provider, kept, answer } = await openProgram();
    const transport = () => new StreamableHTTPClientTransport(new URL("/mcp", node.url), { authProvider: provider });

    // All it was given is the address: the way to sign in it finds by itself.
    const first = transport();
    await expect(connectClient(first, era)).rejects.toThrow(UnauthorizedError);
    const consent = await openPage(browser, cookie, kept.asked!.href);
    await consent.getByRole("heading", { name: "Connect an app on this computer to Stet?" }).waitFor();
    await consent.getByLabel(tenant.workspace.name).check();
    await consent.getByRole("button", { name: "Allow" }).click();
    await consent.getByRole("heading", { name: "Done" }).waitFor();
    await first.finishAuth(await answer);

    const assistant = await connectClient(transport(), era);
    expect((await assistant.client.listTools()).tools.map(({ name }) => name)).not.toContain("delete_post");
    const draft = await assistant.call("create_post", { title: "A journey", body: "It begins." });
    const post = draft.data.post.id as string;
    await assistant.call("edit_post_body", { post, expectedVersion: 1, edits: [{ find: "begins", replace: "begins **well**" }] });
    expect((await assistant.call("publish_post", { post, expectedVersion: 2 })).data.outcome).toBe("published");
    const { key } = await node.rpc(cookie, "create_key", { websiteId: tenant.website.id, name: "Reader" });
    const read = await fetch(`${node.url}/v1/blog/posts/a-journey`, { headers: { Authorization: `Bearer ${key}` } });
    expect(((await read.json()) as { data: { body: { html: string } } }).data.body.html).toContain("begins <strong>well</strong>");

    const apps = await openPage(browser, cookie, `/w/${tenant.workspace.id}/connected-apps`);
    await apps.getByRole("list", { name: "Connected apps" }).getByRole("link", { name: "A real program" }).click();
    await apps.getByRole("button", { name: "Disconnect …" }).click();
    await apps.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await apps.getByText("App on a computer (“A real program”) is disconnected.").waitFor();
    // It tries its refresh token, which has ended too, and can only ask again.
    delete kept.asked;
    await expect(assistant.call("list_posts")).rejects.toThrow(UnauthorizedError);
    expect(kept.asked).toBeDefined();
    await assistant.close();
  });
});
