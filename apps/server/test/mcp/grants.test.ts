import { type Role, ROLES } from "@stet/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WorkspaceId } from "#domain/ids";
import { timestamp } from "#domain/time";
import { registry } from "#operations/registry";
import { openDashboardNode, type DashboardNode } from "#test/dashboard-node";
import { connect, type ConnectedTool } from "#test/oauth/sign-in";
import type { Tenant } from "#test/services";
import { ERAS, openClient, type TestClient } from "./client.ts";
import { CALLS, type Named, TOOL_NAMES } from "./tool-inputs.ts";

type Reach = "any" | "own" | "own to read" | "–";
const EVERYBODY: readonly Reach[] = ["any", "any", "any", "any", "any"];
const READS_POST: readonly Reach[] = ["any", "any", "any", "any", "own to read"];
const WRITES_POST: readonly Reach[] = ["any", "any", "any", "own", "own"];
const PUBLISHES: readonly Reach[] = ["any", "any", "any", "own", "–"];
const EDITORS: readonly Reach[] = ["any", "any", "any", "–", "–"];
const ADMINS: readonly Reach[] = ["any", "any", "–", "–", "–"];

/** Contract §8, said a third time, in the words of the tools: owner, admin, editor, author, contributor. */
const MAY: Readonly<Record<string, { readonly roles: readonly Reach[]; readonly needsDelete?: true }>> = {
  get_context: { roles: EVERYBODY },
  list_posts: { roles: EVERYBODY },
  search_posts: { roles: EVERYBODY },
  get_post: { roles: READS_POST },
  create_post: { roles: EVERYBODY },
  update_post: { roles: WRITES_POST },
  edit_post_body: { roles: WRITES_POST },
  preview_post: { roles: READS_POST },
  publish_post: { roles: PUBLISHES },
  schedule_post: { roles: PUBLISHES },
  unpublish_post: { roles: PUBLISHES },
  list_revisions: { roles: READS_POST },
  diff_revisions: { roles: READS_POST },
  restore_revision: { roles: WRITES_POST },
  list_categories: { roles: EVERYBODY },
  list_tags: { roles: EVERYBODY },
  list_authors: { roles: EVERYBODY },
  save_category: { roles: EDITORS },
  save_tag: { roles: ["any", "any", "any", "any", "–"] },
  save_author: { roles: ["any", "any", "any", "any", "–"] },
  list_media: { roles: EVERYBODY },
  get_media: { roles: EVERYBODY },
  upload_media: { roles: EVERYBODY },
  update_media: { roles: EDITORS },
  get_stats: { roles: EVERYBODY },
  list_webhook_deliveries: { roles: ADMINS },
  restore_post: { roles: PUBLISHES },
  delete_post: { roles: PUBLISHES, needsDelete: true },
  delete_media: { roles: EDITORS, needsDelete: true },
  delete_term: { roles: EDITORS, needsDelete: true },
};

interface RoleClient {
  readonly tool: ConnectedTool;
  readonly client: TestClient;
  readonly own: Named;
}

let node: DashboardNode;
let tenant: Tenant;
let other: Tenant;
const clientByRole = new Map<Role, RoleClient>();

beforeAll(async () => {
  node = await openDashboardNode({ pages: false });
  tenant = await node.makeTenant();
  other = await node.makeTenant();
  const websiteId = tenant.website.id;
  const category = await node.call(registry.create_term, tenant.actor, { websiteId, kind: "category", name: "One" });
  const image = await node.call(registry.add_media, tenant.actor, {
    websiteId,
    bytes: new Uint8Array(Buffer.from((CALLS.upload_media!({} as Named) as { base64: string }).base64, "base64")),
    filename: "pixel.png",
  });
  for (const [index, role] of ROLES.entries()) {
    const person = role === "owner" ? ({ type: "user", userId: tenant.owner.id } as const) : await tenant.addMember(role);
    // Everybody is at home in another workspace too: a grant for one of them must not open the other.
    const joinedAt = timestamp(Date.now());
    await node.services.platform.members.add({ workspaceId: other.workspace.id, userId: person.userId, role: "admin", joinedAt });
    const post = await node.call(registry.create_post, person, { websiteId, title: `A post of the ${role}`, body: "a" });
    const revisions = await node.call(registry.list_revisions, person, { websiteId, postId: post.id });
    const tool = await connect(node, person, { clientName: role });
    const client = await openClient(node, tool.accessToken, ERAS[index % 2]);
    // From here on the library holds every answer against the tool's output schema.
    await client.client.listTools();
    clientByRole.set(role, {
      tool,
      client,
      own: { website: websiteId, post: post.id, revision: revisions.items[0]!.id, category: category.id, image: image.id },
    });
  }
});
afterAll(async () => {
  for (const { client } of clientByRole.values()) await client.close();
  await node.stop();
});

const limits = (workspaces: "all" | WorkspaceId, allowDelete: boolean) => ({ workspaces, allowDelete, publishPerHour: 1_000 });

/** Who gets how far: the code of the refusal, or "may". A stale version is refused by those who may. */
async function outcome(role: Role, name: string, named: Named): Promise<string> {
  const { isError, text } = await clientByRole.get(role)!.client.call(name, CALLS[name]!(named));
  if (!isError) return "may";
  expect(text).toMatch(/^[A-Z_]+: \S.*[.?!] \S.*\.$/s);
  const code = text.slice(0, text.indexOf(":"));
  return code === "VERSION_CONFLICT" ? "may" : code;
}

function expected(role: Role, name: string, grant: { reaches: boolean; allowDelete: boolean }, isOwn: boolean): string {
  const { roles, needsDelete } = MAY[name]!;
  const reach = roles[ROLES.indexOf(role)]!;
  if (!grant.reaches) return "NOT_FOUND";
  const takesPost = "post" in CALLS[name]!({ website: "", post: "x", revision: "", category: "", image: "" });
  const hidden = takesPost && !isOwn && role === "contributor";
  if (needsDelete && !grant.allowDelete) return "GRANT_FORBIDS";
  if (name === "publish_post" && hidden) return "NOT_FOUND";
  if (name === "edit_post_body" && hidden) return "NOT_FOUND";
  if (reach === "–") return "INSUFFICIENT_ROLE";
  if (hidden) return "NOT_FOUND";
  if (reach === "own" && takesPost && !isOwn) return "INSUFFICIENT_ROLE";
  return "may";
}

test("every tool has a row here and a call", () => {
  expect(Object.keys(MAY)).toEqual(TOOL_NAMES);
  expect(Object.keys(CALLS)).toEqual(TOOL_NAMES);
});

describe.each([
  ["all workspaces", "all"],
  ["this workspace", "this"],
  ["another workspace", "other"],
] as const)("a grant for %s", (_, which) => {
  test.each([false, true])("role by tool, deleting allowed: %s", { timeout: 60_000 }, async (allowDelete) => {
    const workspaces = which === "all" ? "all" : which === "this" ? tenant.workspace.id : other.workspace.id;
    const walks = [...clientByRole].map(async ([role, { tool, own }]) => {
      await node.services.connections.change(tool.connection.id, limits(workspaces, allowDelete));
      const { post, revision } = clientByRole.get(role === "editor" ? "owner" : "editor")!.own;
      const others = { ...own, post, revision };
      const lines: { seen: string; wanted: string }[] = [];
      for (const name of TOOL_NAMES) {
        const cases = "post" in CALLS[name]!(own) ? [own, others] : [own];
        for (const named of cases) {
          const label = `${role} ${name}${named === own ? "" : ", another's post"}`;
          const wanted = `${label}: ${expected(role, name, { reaches: which !== "other", allowDelete }, named === own)}`;
          lines.push({ seen: `${label}: ${await outcome(role, name, named)}`, wanted });
        }
      }
      return lines;
    });
    const lines = (await Promise.all(walks)).flat();
    expect(lines.map(({ seen }) => seen)).toEqual(lines.map(({ wanted }) => wanted));
  });
});

describe("what changes acts on the next call", () => {
  test("the delete switch: tools are listed and answer accordingly", async () => {
    const { tool, client, own } = clientByRole.get("owner")!;
    for (const allowDelete of [true, false]) {
      await node.services.connections.change(tool.connection.id, limits("all", allowDelete));
      const { tools } = await client.client.listTools(undefined, { cacheMode: "refresh" });
      expect(tools.some(({ name }) => name === "delete_post")).toBe(allowDelete);
      expect(tools.some(({ name }) => name === "delete_term")).toBe(allowDelete);
      expect(await outcome("owner", "delete_post", own)).toBe(allowDelete ? "may" : "GRANT_FORBIDS");
    }
    const said = await client.call("delete_post", CALLS.delete_post!(own));
    expect(said.text).toContain("Its owner can allow it under Settings, Connected apps.");
  });

  test("the role, the membership, the connection itself and the previews it made", async () => {
    const { tool, own } = clientByRole.get("editor")!;
    const { userId } = tool.connection;
    await node.services.connections.change(tool.connection.id, limits("all", false));
    const others = { ...own, post: clientByRole.get("owner")!.own.post };
    expect(await outcome("editor", "update_post", others)).toBe("may");
    await node.services.platform.members.setRole(tenant.workspace.id, userId, "author");
    expect(await outcome("editor", "update_post", others)).toBe("INSUFFICIENT_ROLE");
    await node.services.platform.members.remove(tenant.workspace.id, userId);
    expect(await outcome("editor", "update_post", own)).toBe("NOT_FOUND");
    expect(await outcome("editor", "list_posts", own)).toBe("NOT_FOUND");
    const mine = clientByRole.get("owner")!;
    const { data } = await mine.client.call("preview_post", CALLS.preview_post!(mine.own));
    expect((await fetch(data.url as string)).status).toBe(200);
    await node.services.connections.revoke(mine.tool.connection.id, timestamp(Date.now()));
    expect((await fetch(data.url as string)).status).toBe(404);
    await node.services.connections.revoke(tool.connection.id, timestamp(Date.now()));
    await expect(clientByRole.get("editor")!.client.call("list_posts", own as never)).rejects.toThrow(/401|Unauthorized|invalid_token/i);
  });
});
