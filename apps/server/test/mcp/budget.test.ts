import { beforeEach, describe, expect, test } from "vitest";
import { HOUR, timestamp } from "#domain/time";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { undoAll } from "#test/connected-tool";
import { openDashboardNode } from "#test/dashboard-node";
import { connect, type ConnectedTool } from "#test/oauth/sign-in";
import type { Tenant } from "#test/services";
import { openClient, type TestClient } from "./client.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
let tenant: Tenant;
let tool: ConnectedTool;
let claude: TestClient;

/** A connection of its own for each test: what one spent, another has. */
beforeEach(async () => {
  tenant = await node.makeTenant();
  tool = await connect(node, tenant.owner, { allowDelete: true });
  claude = await openClient(node, tool.accessToken);
  return () => claude.close();
});

const allow = (publishPerHour: number) =>
  node.services.connections.change(tool.connection.id, { workspaces: "all", allowDelete: true, publishPerHour });

/** Posts that a person published. */
async function livePosts(count: number): Promise<readonly string[]> {
  const here = { websiteId: tenant.website.id };
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id } = await node.call(registry.create_post, tenant.actor, { ...here, title: `Live ${n}` });
    await node.call(registry.publish_post, tenant.actor, { ...here, postId: id, expectedVersion: 1 });
    ids.push(id);
  }
  return ids;
}

describe("what readers lose counts like what they get", () => {
  test("however many calls come at once, no more live posts are taken down than the budget allows", async () => {
    const posts = await livePosts(5);
    await allow(3);
    const answers = await Promise.all(
      posts.map((post, n) => claude.call(n % 2 ? "delete_post" : "unpublish_post", { post, expectedVersion: 2 })),
    );
    expect(answers.filter(({ isError }) => !isError)).toHaveLength(3);
    const live = await node.call(registry.list_posts, tenant.actor, { websiteId: tenant.website.id, statuses: ["published"] });
    expect(live.items).toHaveLength(2);
  });

  test("what no reader sees can be tidied away without end", async () => {
    await allow(1);
    for (let n = 0; n < 3; n += 1) {
      const { data } = await claude.call("create_post", { title: `Draft ${n}` });
      expect((await claude.call("delete_post", { post: data.post.id, expectedVersion: 1 })).isError).toBe(false);
    }
  });

  test("what was refused for another reason costs nothing", async () => {
    const [post] = await livePosts(1);
    await allow(1);
    for (const version of [9, 8]) {
      expect((await claude.call("unpublish_post", { post, expectedVersion: version })).text).toMatch(/^VERSION_CONFLICT/);
    }
    expect((await claude.call("unpublish_post", { post, expectedVersion: 2 })).isError).toBe(false);
  });

  test("the owner's undo puts everything back, whatever is left of the budget", async () => {
    const posts = await livePosts(2);
    await allow(2);
    for (const post of posts) await claude.call("unpublish_post", { post, expectedVersion: 2 });
    const since = timestamp(Date.now() - HOUR);
    const { items } = await undoAll(node.services, tenant.actor, tenant, tool.connection.id, since);
    expect(items.filter((item) => item.left)).toEqual([]);
    const live = await node.call(registry.list_posts, tenant.actor, { websiteId: tenant.website.id, statuses: ["published"] });
    expect(live.items).toHaveLength(2);
  });

  test("a tool by which readers can lose something says so", async () => {
    const { tools } = await claude.client.listTools();
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name);
    expect(destructive).toEqual(["unpublish_post", "delete_post", "delete_media", "delete_term"]);
  });
});

describe("a spent budget", () => {
  test("says when the next one is free, in words and in seconds", async () => {
    const posts = await livePosts(3);
    await allow(2);
    await claude.call("unpublish_post", { post: posts[0], expectedVersion: 2 });
    const { database } = node.services;
    await database.query({
      text: "UPDATE connection_spends SET at = at - interval '48 minutes' WHERE connection_id = $1",
      values: [tool.connection.id],
    });
    await claude.call("unpublish_post", { post: posts[1], expectedVersion: 2 });
    const refused = await claude.client.callTool({ name: "unpublish_post", arguments: { post: posts[2], expectedVersion: 2 } });
    expect(refused.content).toEqual([
      {
        type: "text",
        text: expect.stringMatching(
          /^RATE_LIMITED: This app has reached its limit of 2 removals per hour\. The next is possible in 12 minutes; its owner can raise the limit under Settings, Connected apps\.$/,
        ) as string,
      },
    ]);
    const retryAfter = refused._meta?.["retryAfter"] as number;
    expect(retryAfter).toBeGreaterThan(11 * 60);
    expect(retryAfter).toBeLessThanOrEqual(12 * 60);
    // A lower limit frees nothing sooner than the calls that it still counts.
    await allow(1);
    const later = await claude.client.callTool({ name: "unpublish_post", arguments: { post: posts[2], expectedVersion: 2 } });
    expect(later._meta?.["retryAfter"] as number).toBeGreaterThan(55 * 60);
  });

  test("of nothing at all names no time: to wait would not help", async () => {
    const [post] = await livePosts(1);
    await allow(0);
    const refused = await claude.client.callTool({ name: "unpublish_post", arguments: { post, expectedVersion: 2 } });
    expect(refused.content[0]).toMatchObject({
      text: expect.stringMatching(/^RATE_LIMITED: This app is not allowed to unpublish or delete what readers see\. Ask/) as string,
    });
    expect(refused._meta?.["retryAfter"]).toBeUndefined();
  });
});

describe("what an assistant is told it can do is what its person's role allows", () => {
  const contextAs = async (role: "author" | "contributor" | "editor", allowDelete: boolean) => {
    const person = await tenant.addMember(role);
    const client = await openClient(node, (await connect(node, person, { allowDelete })).accessToken);
    const answer = await client.call("get_context");
    await client.close();
    return answer;
  };

  test("a contributor publishes and deletes nothing", async () => {
    const { text, data } = await contextAs("contributor", true);
    expect(text).toContain("You cannot publish, unpublish or delete posts");
    expect(text).not.toMatch(/publish \d+ more|You can delete/);
    expect(data).toMatchObject({ mayDelete: false, publishesLeftThisHour: 0, workspaces: [{ role: "contributor", publishes: "none" }] });
  });

  test("an author publishes their own posts, an editor every post", async () => {
    const author = await contextAs("author", false);
    expect(author.text).toMatch(/You can publish 30 more posts this hour.*role author \(publishes own posts\)/s);
    expect(author.data).toMatchObject({ publishesLeftThisHour: 30, workspaces: [{ publishes: "own" }] });
    const editor = await contextAs("editor", true);
    expect(editor.text).toMatch(/You can delete\..*role editor \(publishes every post\)/s);
    expect(editor.data).toMatchObject({ mayDelete: true, workspaces: [{ publishes: "any" }] });
  });
});

describe("a refused step names only steps that are possible", () => {
  test("and says of those that the website holds that they wait", async () => {
    const [post] = await livePosts(1);
    const websiteId = tenant.website.id;
    const schedule = { post, expectedVersion: 2, at: "2030-01-01T00:00:00Z" };
    expect((await claude.call("schedule_post", schedule)).text).toContain("Possible now: unpublish_post, publish_post, delete_post.");
    const { version } = await node.call(registry.get_website, tenant.actor, { websiteId });
    await node.call(registry.update_website, tenant.actor, { websiteId, expectedVersion: version, settings: { holdToolChanges: true } });
    expect((await claude.call("schedule_post", schedule)).text).toBe(
      "INVALID_TRANSITION: A published post cannot be scheduled. Possible now: unpublish_post (waits until a person accepts it), publish_post (waits until a person accepts it), delete_post (waits until a person accepts it).",
    );
  });

  test("none that the role does not allow", async () => {
    const person = await tenant.addMember("contributor");
    const client = await openClient(node, (await connect(node, person, { allowDelete: true })).accessToken);
    const here = { websiteId: tenant.website.id };
    const { id } = await node.call(registry.create_post, person, { ...here, title: "Mine" });
    await node.call(registry.delete_post, tenant.actor, { ...here, postId: id, expectedVersion: 1 });
    const { text } = await client.call("update_post", { post: id, expectedVersion: 2, title: "Other" });
    await client.close();
    expect(text).toMatch(/^INVALID_TRANSITION: /);
    expect(text).not.toContain("restore_post");
  });
});
