import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "#operations/keys/create-key";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { connect } from "#test/oauth/sign-in";
import { ERAS, openClient, type TestClient } from "./client.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();
const tool = await connect(node, tenant.owner);

describe.each(ERAS)("the official client library, revision %s", (era) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await openClient(node, tool.accessToken, era);
  });
  afterAll(() => client.close());

  test("an assistant looks around, drafts, edits, publishes, and readers see it", async () => {
    // The tools that a model is told of without having read their descriptions are there.
    const told = client.client.getInstructions()?.match(/[a-z]+_[a-z_]+/g) ?? [];
    expect(told).toContain("get_context");
    expect((await client.client.listTools()).tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...new Set(told)]));
    const context = await client.call("get_context");
    expect(context.data.website).toMatchObject({ id: tenant.website.id });
    expect(context.text).toContain(tenant.website.name);

    const category = await client.call("save_category", { name: `News ${era}` });
    const draft = await client.call("create_post", {
      title: `First words ${era}`,
      body: "## Beginning\n\nSome words here.\n\n## End\n\nThe last ones.",
      categories: [`news ${era}`],
    });
    expect(draft.data.post).toMatchObject({ status: "draft", version: 1 });
    const post = draft.data.post.id as string;

    const edited = await client.call("edit_post_body", {
      post,
      expectedVersion: 1,
      edits: [{ find: "Some words", replace: "**Better** words" }],
    });
    expect(edited.data.post.version).toBe(2);
    const section = await client.call("get_post", { post, section: "Beginning" });
    expect(section.data.body.markdown).toBe("## Beginning\n\n**Better** words here.\n\n");
    expect(section.data.post.categories).toEqual([{ id: category.data.category.id, name: `News ${era}` }]);

    const preview = await client.call("preview_post", { post });
    expect(preview.data.findings).toContainEqual(expect.objectContaining({ kind: "description-missing", severity: "advice" }));
    expect((await fetch(preview.data.url as string)).status).toBe(200);

    const published = await client.call("publish_post", { post, expectedVersion: 2 });
    expect(published.data).toMatchObject({ outcome: "published", post: { status: "published", version: 3 } });

    const { key } = await node.call(createKey, tenant.actor, { websiteId: tenant.website.id, name: era });
    const read = await fetch(`${node.url}/v1/blog/posts/${published.data.post.slug}`, { headers: { Authorization: `Bearer ${key}` } });
    expect(((await read.json()) as { data: { body: { html: string } } }).data.body.html).toContain("<strong>Better</strong> words");
  });

  test("lists page by an opaque cursor and carry no bodies", async () => {
    for (const n of [1, 2, 3]) await client.call("create_post", { title: `Page ${n} ${era}`, body: "A body that must not be listed." });
    const first = await client.call("list_posts", { limit: 2, titleContains: `Page` });
    expect(first.data.posts).toHaveLength(2);
    expect(JSON.stringify(first)).not.toContain("A body");
    const second = await client.call("list_posts", { limit: 2, titleContains: "Page", cursor: first.data.nextCursor });
    expect(second.data.posts[0].id).not.toBe(first.data.posts[1].id);
  });

  test("resources are posts and style guides, prompts have descriptions", async () => {
    const { resources } = await client.client.listResources();
    const guide = resources.find((one) => one.uri.endsWith("/style-guide"))!;
    expect((await client.client.readResource({ uri: guide.uri })).contents[0]).toMatchObject({ mimeType: "text/markdown" });
    const post = resources.find((one) => one.title === `First words ${era}`)!;
    const { contents } = await client.client.readResource({ uri: post.uri });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('status: "published"') as string });
    const { prompts } = await client.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["draft_post", "improve_seo"]);
    expect(prompts.every(({ description }) => description)).toBe(true);
    const draft = await client.client.getPrompt({ name: "draft_post", arguments: { topic: "Sourdough" } });
    expect(JSON.stringify(draft.messages)).toContain("Sourdough");
    await expect(client.client.getPrompt({ name: "draft_post", arguments: {} })).rejects.toThrow("topic is required");
    await expect(client.client.readResource({ uri: "stet://website/none/post/none" })).rejects.toThrow("NOT_FOUND");
  });
});
