import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { timestamp } from "#domain/time";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { distinctImage } from "#test/images";
import { openDashboardNode } from "#test/dashboard-node";
import { type ConnectedTool, connect } from "#test/oauth/sign-in";
import type { Tenant } from "#test/services";
import { openReceiver } from "#test/webhooks/receiver";
import { createDeliverer } from "#worker/webhooks/deliverer";
import { openClient, type TestClient } from "./client.ts";
import { fencedIn } from "./planted.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
let tenant: Tenant;
let tool: ConnectedTool;
let claude: TestClient;

beforeAll(async () => {
  tenant = await node.makeTenant();
  tool = await connect(node, tenant.owner, { allowDelete: true });
  claude = await openClient(node, tool.accessToken);
  // From here on the library holds every answer against the tool's output schema.
  await claude.client.listTools();
  return () => claude.close();
});

async function draft(title: string, more: Record<string, unknown> = {}): Promise<string> {
  const { data } = await claude.call("create_post", { title, ...more });
  return data.post.id as string;
}
async function published(title: string, more: Record<string, unknown> = {}): Promise<string> {
  const post = await draft(title, more);
  await claude.call("publish_post", { post, expectedVersion: 1 });
  return post;
}

test("replace a link everywhere: found with its version, changed without reading, told how often it is there", async () => {
  const post = await draft("Links", { body: "[a](https://old.example/a) and <https://old.example/b>, https://old.example" });
  const { data } = await claude.call("search_posts", { text: "https://old.example", in: "markdown" });
  expect(data.hits).toMatchObject([{ id: post, version: 1, times: 3 }]);
  const edit = (all?: boolean) =>
    claude.call("edit_post_body", {
      post,
      expectedVersion: 1,
      edits: [{ find: "https://old.example", replace: "https://new.example", ...(all && { all }) }],
    });
  expect((await edit()).text).toContain("occurs 3 times; include more of the text around it, or set `all` to change every one");
  expect((await edit(true)).data.post.version).toBe(2);
  expect((await claude.call("get_post", { post })).data.body.markdown).toBe(
    "[a](https://new.example/a) and <https://new.example/b>, https://new.example",
  );
});

test("a website that is left empty is left out", async () => {
  expect((await claude.call("list_categories", { website: "" })).isError).toBe(false);
  expect((await claude.call("get_context", { website: " " })).data.website.id).toBe(tenant.website.id);
});

test("a post by the address that a person pasted, of the blog or of the dashboard", async () => {
  const post = await draft("Pasted address");
  for (const address of [
    "https://blog.example.com/posts/pasted-address",
    "https://blog.example.com/pasted-address/?utm_source=x#top",
    `${node.url}/s/${tenant.website.id}/posts/${post}`,
  ]) {
    expect((await claude.call("get_post", { post: address })).data?.post.id, address).toBe(post);
  }
  for (const address of ["https://blog.example.com/", "/", "?", "https://blog.example.com/a_b"])
    expect((await claude.call("get_post", { post: address })).text, address).toContain("must be the id or the slug of a post");
});

test("schedule it for Monday: the answer says which day that is where the website is", async () => {
  const websiteId = tenant.website.id;
  const { version } = await node.call(registry.get_website, tenant.actor, { websiteId });
  await node.call(registry.update_website, tenant.actor, { websiteId, expectedVersion: version, settings: { timeZone: "Europe/Berlin" } });
  const post = await draft("On Monday");
  const { text } = await claude.call("schedule_post", { post, expectedVersion: 1, at: "2030-07-01T07:00:00Z" });
  expect(text).toMatch(/will publish 2030-07-01T07:00:00\.000Z\)\. In Europe\/Berlin: Monday 2030-07-01T09:00\+02:00$/);
});

test("what changed, and back to what it was", async () => {
  await claude.call("save_tag", { name: "Fresh" });
  const post = await draft("Before", { body: "The quick fox." });
  await claude.call("update_post", { post, expectedVersion: 1, title: "After", body: "The slow fox.", tags: ["Fresh"] });
  const { data } = await claude.call("list_revisions", { post });
  expect(data.revisions).toMatchObject([
    { version: 2, by: "you", wasLive: false },
    { version: 1, by: "you", wasLive: false },
  ]);
  const from = data.revisions[1].id as string;
  const diff = await claude.call("diff_revisions", { post, from });
  expect(diff.data).toEqual({
    title: "[-Before-]{+After+}",
    excerpt: "",
    body: expect.stringMatching(/^The \[-quick-\]\{\+slow\+\} fox\.$/) as string,
    otherFields: expect.arrayContaining(["tags"]) as string[],
  });
  expect((await claude.call("diff_revisions", { post, from, to: from })).text).toBe("No differences.");
  const restored = await claude.call("restore_revision", { post, revision: from, expectedVersion: 2 });
  expect(restored.text).toMatch(/^Restored: post_\w+ v3 draft, .*"Before".*\. Readers see it after publish_post\.$/);
  expect((await claude.call("get_post", { post })).data).toMatchObject({ post: { tags: [] }, body: { markdown: "The quick fox." } });
});

test("out of the trash again, as a draft", async () => {
  const post = await draft("Thrown away");
  expect((await claude.call("delete_post", { post, expectedVersion: 1 })).text).toMatch(/^Moved to trash, can be restored for 30 days: /);
  const { data } = await claude.call("list_posts", { statuses: ["deleted"] });
  expect(data.posts).toMatchObject([{ id: post, version: 2 }]);
  expect((await claude.call("restore_post", { post, expectedVersion: 2 })).data.post).toMatchObject({ status: "draft", version: 3 });
});

test("an image is described and found, one that nothing shows is told apart, an author has a face", async () => {
  const upload = async (filename: string) => {
    const base64 = Buffer.from(distinctImage(filename.length)).toString("base64");
    const { data } = await claude.call("upload_media", { website: tenant.website.id, base64, filename, alt: "" });
    return data.image as { id: string; path: string };
  };
  const [hills, coast] = [await upload("hills.png"), await upload("the coast.png")];
  const saved = await claude.call("update_media", { id: hills.id, expectedVersion: 1, alt: "Hills in fog" });
  expect(saved.text).toMatch(/^Saved: media_\w+ v2 "hills\.png" 37×21 \S+ alt "Hills in fog"$/);
  expect((await claude.call("list_media", { nameContains: "hills" })).data.images).toMatchObject([{ id: hills.id, alt: "Hills in fog" }]);
  await draft("With the coast", { body: `![The coast](${coast.path})` });
  const ids = async () => {
    const { data } = await claude.call("list_media", { unused: true });
    return (data.images as { id: string }[]).map(({ id }) => id);
  };
  expect(await ids()).toContain(hills.id);
  expect(await ids()).not.toContain(coast.id);
  const looked = await claude.client.callTool({ name: "get_media", arguments: { id: coast.id } });
  const [words, picture] = looked.content as [{ text: string }, { type: string; data: string; mimeType: string }];
  expect(words.text).toMatch(/^media_\w+ v1 "the coast\.png" 37×21 \S+ \(no alt text\)\nUsed in: post_\w+ "With the coast" \(draft\)$/);
  expect(picture).toMatchObject({ type: "image", mimeType: "image/jpeg" });
  expect(await sharp(Buffer.from(picture.data, "base64")).metadata()).toMatchObject({ format: "jpeg", width: 37, height: 21 });
  expect(looked.structuredContent).toMatchObject({ image: { crop: null, rotation: 0 }, usedIn: { postCount: 1, authors: [] } });
  const turned = await claude.call("update_media", { id: coast.id, expectedVersion: 1, focalPoint: { x: 0, y: 1 } });
  expect(turned.data.image).toMatchObject({ path: coast.path, url: expect.stringMatching(/\.1\.gif$/) });
  const { data } = await claude.call("save_author", { name: "Ada", url: "https://ada.example.com", portrait: hills.id });
  expect(await ids()).not.toContain(hills.id);
  const post = await draft("By Ada", { authors: ["ada"] });
  expect((await claude.call("get_post", { post })).data.post.authors).toEqual([{ id: data.author.id, name: "Ada" }]);
  expect((await claude.call("list_authors")).data.authors).toMatchObject([{ name: "Ada", posts: 1 }]);
});

test("how often was it read: the website with its posts and referrers, or one post", async () => {
  const post = await published("Read often");
  const reader = { websiteId: tenant.website.id, postId: post as never, at: timestamp(Date.now()), referrer: "news.example" };
  await node.services.readers.add([
    { ...reader, visitors: ["one"] },
    { ...reader, visitors: ["two"] },
  ]);
  const all = await claude.call("get_stats", { period: "7d" });
  expect(all.data).toMatchObject({
    period: "7d",
    total: 2,
    previousTotal: 0,
    posts: [{ id: post, title: "Read often", views: 2 }],
    referrers: [{ referrer: "news.example", views: 2 }],
  });
  expect(all.data.days).toHaveLength(7);
  expect(all.text).toBe(
    `2 views in 7d (0 in the previous period).\n2 × ${post} "Read often"\nReferrers, as reported by visitors' browsers:\n2 from "news.example"`,
  );
  const one = await claude.call("get_stats", { post: "read-often", period: "30d" });
  expect(one.data).toMatchObject({ period: "30d", total: 2, posts: [], referrers: [] });
});

test("did the website hear of it: what was sent and what came back, without the receiver's address or words", async () => {
  const receiver = await openReceiver((response) => response.writeHead(500).end("a secret of the receiver"));
  const websiteId = tenant.website.id;
  const { secret } = await node.call(registry.create_webhook, tenant.actor, { websiteId, url: `${receiver.url}?token=hidden` });
  const post = await published("Heard of");
  await createDeliverer(node.services).drain();
  await receiver.close();
  const answer = await claude.call("list_webhook_deliveries", { limit: 1 });
  expect(answer.data.deliveries).toMatchObject([{ event: "post.published", post, attempts: 1, lastStatus: 500 }]);
  expect(answer.text).toMatch(new RegExp(`^\\S+ post\\.published ${post} \\w+ after 1 attempts?: .*500`));
  expect(JSON.stringify(answer)).not.toMatch(new RegExp(`token=hidden|secret of the receiver|${secret}`));
});

describe("before it begins", () => {
  const GUIDE = "Write short sentences. Use the category News.";
  beforeAll(async () => {
    const websiteId = tenant.website.id;
    const { version } = await node.call(registry.get_website, tenant.actor, { websiteId });
    await node.call(registry.update_website, tenant.actor, { websiteId, expectedVersion: version, settings: { styleGuide: GUIDE } });
  });

  test("an assistant is told what the owner wants of every text, wherever it looks first", async () => {
    const context = await claude.call("get_context");
    expect(context.data.website.styleGuide).toBe(GUIDE);
    expect(fencedIn(context.text)).toEqual([
      { label: expect.stringMatching(/^style guide of site_.*rules for the texts/) as string, content: GUIDE },
    ]);
    const prompt = await claude.client.getPrompt({ name: "draft_post", arguments: { topic: "Fog" } });
    expect(JSON.stringify(prompt.messages)).toContain(GUIDE);
    const { contents } = await claude.client.readResource({ uri: `stet://website/${tenant.website.id}/style-guide` });
    expect(contents).toMatchObject([{ mimeType: "text/markdown", text: expect.stringContaining(`]\n${GUIDE}\n[`) as string }]);
  });

  test("it is told where the person can undo all it did, and that is where they can", async () => {
    const { data, text } = await claude.call("get_context");
    expect(data.undoUrl).toBe(`${node.url}/w/${tenant.workspace.id}/connected-apps/${tool.connection.id}`);
    expect(text).toContain(`undone at ${data.undoUrl as string}`);
  });

  test("a post to improve is named by id, slug or address", async () => {
    const post = await draft("To improve");
    for (const named of [post, "to-improve", "https://blog.example.com/to-improve"]) {
      const { messages } = await claude.client.getPrompt({ name: "improve_seo", arguments: { post: named } });
      expect(JSON.stringify(messages)).toContain(`(${post}, website ${tenant.website.id})`);
    }
    await expect(claude.client.getPrompt({ name: "improve_seo", arguments: { post: "nobody-has-this" } })).rejects.toThrow("NOT_FOUND");
  });
});

test("the log names what a refused call was about, be it a term or an image", async () => {
  const { data } = await claude.call("save_category", { name: "Named in the log" });
  const upload = await claude.call("upload_media", {
    website: tenant.website.id,
    base64: Buffer.from(distinctImage(99)).toString("base64"),
    filename: "named.png",
    alt: "",
  });
  const stale = { expectedVersion: 99 };
  await claude.call("save_category", { id: data.category.id, ...stale, name: "What it would be" });
  await claude.call("delete_term", { id: data.category.id, ...stale });
  await claude.call("update_media", { id: upload.data.image.id, ...stale, alt: "x" });
  await claude.call("update_media", { id: "media_00000000000000000000000000", ...stale, alt: "x" });
  const refused = async () => {
    const page = { connectionId: tool.connection.id, after: null, limit: 4 };
    const { rows } = await node.services.connections.listCalls(tenant.workspace.id, page);
    return rows.map(({ tool: name, target, refusal }) => [name, target?.label, refusal]);
  };
  await expect.poll(refused).toEqual([
    ["update_media", "", "NOT_FOUND"],
    ["update_media", "named.png", "VERSION_CONFLICT"],
    ["delete_term", "Named in the log", "VERSION_CONFLICT"],
    ["save_category", "Named in the log", "VERSION_CONFLICT"],
  ]);
});

test("a new connection may publish 30 posts an hour", async () => {
  const fresh = await connect(node, (await node.makeTenant()).owner);
  expect(fresh.connection.publishPerHour).toBe(30);
});
