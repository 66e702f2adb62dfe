import { describe, expect, test } from "vitest";
import { Failure } from "#domain/failure";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { forbiddenIn } from "#test/markdown/forbidden-in";
import { ATTACK_VECTORS } from "#test/markdown/attack-vectors";
import { connect } from "#test/oauth/sign-in";
import { openClient, type TestClient } from "./client.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();
const tool = await connect(node, tenant.owner);
const claude = closedAtEnd(await openClient(node, tool.accessToken));
const cursor = closedAtEnd(await openClient(node, (await connect(node, tenant.owner)).accessToken, "2026-07-28"));

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
  const ids = { websiteId: tenant.website.id, postId: post };
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
      const { version, working } = await node.call(registry.get_post, tenant.actor, ids);
      const input = { ...ids, expectedVersion: version, body: `${working.body}person ${round}\n` };
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
      "VALIDATION_FAILED: edits.1.find occurs 2 times; include more of the text around it, or set `all` to change every one. Fix this and call the tool again.",
    );
    const never = await edit([{ find: "four", replace: "4" }]);
    expect(never.text).toContain("edits.0.find does not occur in the text; read that part with get_post");
    const nearly = await edit([{ find: "One  two\ntwo", replace: "" }]);
    expect(nearly.text).toContain('edits.0.find is written differently in the text; copy it from there: "one two two"');
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
    // Part of a heading is enough where only one has it.
    expect((await claude.call("get_post", { post, section: "rt 59" })).data.body.markdown).toMatch(/^## Part 59\n/);
    expect((await claude.call("get_post", { post, section: "Part" })).text).toMatch(
      /^NOT_FOUND: The text has no heading "Part"\. Its headings: /,
    );
    const [first, second] = [await claude.call("get_post", { post }), await claude.call("get_post", { post, offset: 20_000 })];
    expect(first.data.sections).toHaveLength(60);
    expect(first.text).toContain('sections: "Part 0" ');
    // Whoever reads on has them already.
    expect([second.data.sections, section.data.sections]).toEqual([[], []]);
    expect((await claude.call("get_post", { post, offset: body.length + 5 })).text).toContain(`the text ends at ${body.length}`);
  });
});

test("what only the facts told, the words tell too: cover, description, fields, and what readers see", async () => {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
  const image = await claude.call("upload_media", { base64: pixel, filename: "p.png", alt: "A pixel" });
  const made = await claude.call("create_post", {
    title: "Told",
    coverImage: image.data.image.id,
    coverAlt: "A cover",
    seo: { description: "For search." },
  });
  const post = made.data.post.id as string;
  const { text } = await claude.call("get_post", { post });
  expect(text).toContain(`cover: ${image.data.image.id} "A cover"\nseo description: "For search."`);
  await claude.call("publish_post", { post, expectedVersion: 1 });
  expect((await claude.call("get_post", { post, copy: "live" })).isError).toBe(false);
  const taken = await claude.call("unpublish_post", { post, expectedVersion: 2 });
  expect(taken.text).toMatch(/^Unpublished; readers do not see it: post_\w+ v3 unpublished, edited \d{4}-\d\d-\d\d "Told" \/told$/);
  expect((await claude.call("get_post", { post, copy: "live" })).text).toMatch(
    /^NOT_FOUND: This post is not published, so it has no live version/,
  );
  const { data } = await claude.call("list_revisions", { post });
  expect(data.revisions.map((one: { by: string }) => one.by)).toContain("you");
});

test("a time without an offset is answered with the one it would have where the website is", async () => {
  const websiteId = tenant.website.id;
  const { version } = await node.call(registry.get_website, tenant.actor, { websiteId });
  await node.call(registry.update_website, tenant.actor, { websiteId, expectedVersion: version, settings: { timeZone: "Europe/Berlin" } });
  expect((await claude.call("get_context")).data.website.localTime).toMatch(/^\w+day \d{4}-\d\d-\d\dT\d\d:\d\d\+0[12]:00$/);
  const { data } = await claude.call("create_post", { title: "Tuesday" });
  const refused = await claude.call("schedule_post", { post: data.post.id, expectedVersion: 1, at: "2030-07-02T09:00" });
  expect(refused.text).toContain("in the website's time zone (Europe/Berlin) it would be 2030-07-02T09:00+02:00.");
  const done = await claude.call("schedule_post", { post: data.post.id, expectedVersion: 1, at: "2030-07-02T09:00+02:00" });
  expect(done.data.post.scheduledAt).toBe("2030-07-02T07:00:00.000Z");
});

test("a term is made once, found by what was nearly its name, and changed only if something changes", async () => {
  const made = await claude.call("save_tag", { name: "Gardening" });
  const again = await claude.call("save_tag", { name: "gardening" });
  expect(again.text).toBe(
    `VALIDATION_FAILED: The tag "Gardening" already exists: ${made.data.tag.id}, version 1. Use it, or change it with \`id\` and \`expectedVersion\`.`,
  );
  for (let n = 0; n < 25; n++) await claude.call("save_tag", { name: `Another ${n}` });
  const { text } = await claude.call("create_post", { title: "x", tags: ["Gardning"] });
  expect(text).toMatch(
    /^NOT_FOUND: There is no tag "Gardning"\. Use one of these, or create it with save_tag first: "Gardening", .*\(more in list_tags\)\.$/,
  );
  const nothing = await claude.call("save_tag", { id: made.data.tag.id, expectedVersion: 1 });
  expect(nothing.text).toBe("VALIDATION_FAILED: Nothing to change. Set at least one field.");
});

test("a name that several terms have is a question, not a guess", async () => {
  const here = { websiteId: tenant.website.id, kind: "tag" };
  const [one, two] = await Promise.all(["Twins", "twins"].map((name) => node.call(registry.create_term, tenant.actor, { ...here, name })));
  for (const [name, input] of [
    ["create_post", { title: "x", tags: ["twins"] }],
    ["list_posts", { tag: "Twins" }],
  ] as const) {
    const { text } = await claude.call(name, input);
    expect(text).toMatch(/^VALIDATION_FAILED: Several tags are called "[Tt]wins": .* Give the id instead\.$/);
    for (const { id, slug } of [one!, two!]) expect(text).toContain(`${id} /${slug}`);
  }
  expect((await claude.call("create_post", { title: "x", tags: [two!.id, "twins-2"] })).isError).toBe(false);
  const other = await claude.call("save_tag", { name: "Nearly twins" });
  const renamed = await claude.call("save_tag", { id: other.data.tag.id, expectedVersion: 1, name: "Twins" });
  expect(renamed.text).toMatch(/^VALIDATION_FAILED: name is already the name of another tag, \/twins/);
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
  // The website has these bytes already.
  const copied = await claude.call("upload_media", { url: added.data.image.url, alt: "A copy" });
  expect(copied.data.image).toMatchObject({ id: added.data.image.id, width: 1, alt: "A pixel" });
});
