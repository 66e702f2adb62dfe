import { expect, test } from "vitest";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { connect } from "#test/oauth/sign-in";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();
const { accessToken } = await connect(node, tenant.owner);

/** All that a plain call may name. */
const REVISIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/** Sends a call; with a wish for progress it is no plain one, and the library answers it. */
async function call(era: string, name: string, given: object, wishes: "nothing" | "progress", token = accessToken) {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": era,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const isModern = era === "2026-07-28";
  const _meta = { ...(isModern && envelope), ...(wishes === "progress" && { progressToken: 1 }) };
  const params = { name, arguments: given, ...((isModern || wishes === "progress") && { _meta }) };
  const answer = await fetch(`${node.url}/mcp`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      Authorization: `Bearer ${token}`,
      "Mcp-Protocol-Version": era,
      ...(isModern && { "Mcp-Method": "tools/call", "Mcp-Name": name }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: "a call", method: "tools/call", params }),
  });
  const names = [...answer.headers.keys()].filter((header) => !/^(date|x-request-id|ratelimit.*)$/.test(header));
  const headers = Object.fromEntries(names.map((header) => [header, answer.headers.get(header)]));
  return { status: answer.status, headers, body: await answer.text() };
}

const CALLS: readonly [string, string, object][] = [
  ["facts", "list_categories", { website: tenant.website.id }],
  ["a list", "list_posts", { website: tenant.website.id, limit: 2 }],
  ["a refusal", "get_post", { website: tenant.website.id, post: "post_00000000000000000000000000" }],
  ["faulty arguments", "list_posts", { limit: "many", colour: "red" }],
  ["a delete tool without the grant", "delete_post", { post: "post_00000000000000000000000000", expectedVersion: 1 }],
  ["a tool that there is not", "paint_fence", {}],
];

test.each(REVISIONS.flatMap((era) => CALLS.map(([what, name, given]) => [what, era, name, given] as const)))(
  "%s, revision %s: a plain call is answered as the library answers it, byte by byte",
  async (_, era, name, given) => {
    const plain = await call(era, name, given, "nothing");
    expect(plain).toEqual(await call(era, name, given, "progress"));
    expect(plain.body).toContain('"id":"a call"');
  },
);

test.each(REVISIONS)("a refusal that says how long to wait, revision %s: in the same place", async (era) => {
  const spent = await node.makeTenant();
  const tool = await connect(node, spent.owner);
  await node.services.connections.change(tool.connection.id, { workspaces: "all", allowDelete: false, publishPerHour: 1 });
  const [first, second] = await Promise.all(
    ["One", "Two"].map((title) => node.call(registry.create_post, spent.actor, { websiteId: spent.website.id, title })),
  );
  const publishing = ({ id }: { id: string }) => ({ website: spent.website.id, post: id, expectedVersion: 1 });
  await call(era, "publish_post", publishing(first!), "nothing", tool.accessToken);
  const given = publishing(second!);
  const answers = [
    await call(era, "publish_post", given, "nothing", tool.accessToken),
    await call(era, "publish_post", given, "progress", tool.accessToken),
  ];
  // A second may pass between the two.
  const [plain, library] = answers.map(({ body }) => body.replace(/(?<="retryAfter":)\d+/, "0").replace(/in \d+ minutes/, ""));
  expect(plain).toBe(library);
  expect(plain).toContain('"retryAfter":0');
});
