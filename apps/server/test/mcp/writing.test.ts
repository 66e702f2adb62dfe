import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Failure } from "#domain/failure";
import { registry } from "#operations/registry";
import { openDashboardNode, type DashboardNode } from "#test/dashboard-node";
import { forbiddenIn } from "#test/markdown/forbidden-in";
import { ATTACK_VECTORS } from "#test/markdown/attack-vectors";
import { connect, type ConnectedTool } from "#test/oauth/sign-in";
import type { Tenant } from "#test/services";
import { openClient, type TestClient } from "./client.ts";

let node: DashboardNode;
let tenant: Tenant;
let tool: ConnectedTool;
let claude: TestClient;
let cursor: TestClient;

beforeAll(async () => {
  node = await openDashboardNode({ pages: false });
  tenant = await node.makeTenant();
  tool = await connect(node, tenant.owner);
  claude = await openClient(node, tool.accessToken);
  cursor = await openClient(node, (await connect(node, tenant.owner)).accessToken, "2026-07-28");
});
afterAll(async () => {
  await claude.close();
  await cursor.close();
  await node.stop();
});

describe("a draft with an idempotency key", () => {
  test("repeated, it is the same post, also at the same moment and after edits", async () => {
    const input = { title: "Once only", body: "Text.", idempotencyKey: "the first call" };
    const both = await Promise.all([claude.call("create_post", input), claude.call("create_post", input)]);
    const [one, two] = both.map(({ data }) => data.post.id as string);
    expect(one).toBe(two);
    await claude.call("update_post", { post: one, expectedVersion: 1, title: "Changed" });
    const again = await claude.call("create_post", input);
    expect(again.data.post).toMatchObject({ id: one, title: "Changed", version: 2 });
    const listed = await claude.call("list_posts", { titleContains: "Once only" });
    expect(listed.data.posts).toEqual([]);
  });

  test("another key, and another connection with the same key, make another post", async () => {
    const input = { title: "Twice", idempotencyKey: "a key" };
    const first = await claude.call("create_post", input);
    const second = await claude.call("create_post", { ...input, idempotencyKey: "another key" });
    const third = await cursor.call("create_post", input);
    expect(new Set([first, second, third].map(({ data }) => data.post.id as string)).size).toBe(3);
  });
});

test("two assistants and a person edit one post at once: nothing is overwritten unseen", { timeout: 60_000 }, async () => {
  const made = await claude.call("create_post", { title: "Together", body: "Beginning.\n" });
  const post = made.data.post.id as string;
  const place = { websiteId: tenant.website.id, postId: post };
  const ROUNDS = 6;

  async function assistant(client: TestClient, name: string): Promise<void> {
    for (let round = 0; round < ROUNDS;) {
      const { data } = await client.call("get_post", { post });
      const edits = [{ find: "Beginning.\n", replace: `Beginning.\n${name} ${round}\n` }];
      const { isError, text } = await client.call("edit_post_body", { post, expectedVersion: data.post.version, edits });
      if (!isError) round += 1;
      else expect(text).toMatch(/^VERSION_CONFLICT: .* The current version is \d+: read it, then decide what to keep\.$/);
    }
  }
  async function person(): Promise<void> {
    for (let round = 0; round < ROUNDS;) {
      const { version, working } = await node.call(registry.get_post, tenant.actor, place);
      const input = { ...place, expectedVersion: version, body: `${working.body}person ${round}\n` };
      const saved = await node.call(registry.edit_post, tenant.actor, input).catch((error: unknown) => {
        if (error instanceof Failure && error.code === "VERSION_CONFLICT") return null;
        throw error;
      });
      if (saved) round += 1;
    }
  }
  await Promise.all([assistant(claude, "claude"), assistant(cursor, "cursor"), person()]);
  const { data } = await claude.call("get_post", { post });
  const lines = (data.body.markdown as string).split("\n");
  for (const name of ["claude", "cursor", "person"])
    for (let round = 0; round < ROUNDS; round++) expect(lines).toContain(`${name} ${round}`);
  expect(data.post.version).toBe(1 + 3 * ROUNDS);
});

describe("passages", () => {
  test("each must occur exactly once, and nothing is changed when one does not", async () => {
    const { data } = await claude.call("create_post", { title: "Passages", body: "one two two three" });
    const post = data.post.id as string;
    const edit = (edits: object[]) => claude.call("edit_post_body", { post, expectedVersion: 1, edits });
    const twice = await edit([
      { find: "one", replace: "1" },
      { find: "two", replace: "2" },
    ]);
    expect(twice.text).toBe(
      "VALIDATION_FAILED: edits.1.find occurs more than once; take more of the text around it. Correct what is named and call the tool again.",
    );
    const never = await edit([{ find: "four", replace: "4" }]);
    expect(never.text).toContain("edits.0.find does not occur in the text; copy it exactly from get_post.");
    expect((await claude.call("get_post", { post })).data.body.markdown).toBe("one two two three");
    const done = await edit([{ find: "two two", replace: "$& $1" }]);
    expect(done.isError).toBe(false);
    expect((await claude.call("get_post", { post })).data.body.markdown).toBe("one $& $1 three");
  });

  test("a long text comes in parts that make the whole", async () => {
    const body = Array.from({ length: 60 }, (_, n) => `## Part ${n}\n\n${"words 🙂 ".repeat(80)}\n\n`).join("");
    const { data } = await claude.call("create_post", { title: "Long", body });
    const post = data.post.id as string;
    let read = "";
    for (let offset: number | null = 0; offset !== null;) {
      const part = await claude.call("get_post", { post, offset, limit: 7_777 });
      read += part.data.body.markdown as string;
      offset = part.data.body.nextOffset as number | null;
    }
    expect(read).toBe(body);
    const section = await claude.call("get_post", { post, section: "part 7" });
    expect(section.data.body.markdown).toMatch(/^## Part 7\n\n(words 🙂 )+\n\n$/);
    expect(section.data.sections).toHaveLength(60);
  });
});

test("hostile Markdown is stored as it was written and never reaches readers alive", { timeout: 60_000 }, async () => {
  const { key } = await node.call(registry.create_key, tenant.actor, { websiteId: tenant.website.id, name: "Reader" });
  const body = ATTACK_VECTORS.filter((one) => one.isWellFormed() && !one.includes("\0")).join("\n\n");
  const { data } = await claude.call("create_post", { title: '<script>alert("title")</script>', body });
  const post = data.post.id as string;
  expect((await claude.call("get_post", { post, limit: 100_000 })).data.body.markdown).toBe(body);
  await claude.call("publish_post", { post, expectedVersion: 1 });
  const response = await fetch(`${node.url}/v1/blog/posts/${post}`, { headers: { Authorization: `Bearer ${key}` } });
  const { data: live } = (await response.json()) as { data: { body: { html: string } } };
  expect(forbiddenIn(live.body.html)).toEqual([]);
});

test("an image comes by address or as base64, and what is none is refused", async () => {
  const notAnImage = await claude.call("upload_media", { url: `${node.url}/healthz`, alt: "Not an image" });
  expect(notAnImage.text).toMatch(/^UNSUPPORTED_MEDIA_TYPE: /);
  const both = await claude.call("upload_media", { url: "https://example.com/a.png", base64: "AAAA", alt: "" });
  expect(both.text).toBe("VALIDATION_FAILED: Give exactly one of url and base64. Both were given.");
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
  const added = await claude.call("upload_media", { base64: `data:image/png;base64,${pixel}`, filename: "pixel.png", alt: "A pixel" });
  expect(added.data.image).toMatchObject({ width: 1, height: 1, alt: "A pixel", version: 1 });
  const copied = await claude.call("upload_media", { url: added.data.image.url, alt: "A copy" });
  expect(copied.data.image).toMatchObject({ width: 1, alt: "A copy" });
  expect(copied.data.image.filename).toMatch(/\.png$/);
});
