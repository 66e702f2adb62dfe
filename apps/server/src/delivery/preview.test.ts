import { previewPost } from "@stet/contract";
import { beforeEach, expect, test } from "vitest";
import { createPreview as readerOf } from "#delivery/preview";
import { type Actor, toolActor } from "#domain/actor";
import { Failure } from "#domain/failure";
import { HOUR, timestamp } from "#domain/time";
import type { Preview } from "#operations/posts/create-preview";
import type { PostView } from "#operations/posts/helpers/post-view";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { readingOf } from "#test/delivery/reading";
import { type Writing, writingIn } from "#test/delivery/writing";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let write: Writing;

beforeEach(async () => {
  tenant = await services.makeTenant();
  write = writingIn(services, tenant);
});

const make = (post: PostView, actor: Actor = tenant.actor): Promise<Preview> =>
  services.call(registry.create_preview, actor, { websiteId: tenant.website.id, postId: post.id });

async function read(token: string) {
  const answer = await readerOf({ ...services, publicUrl: services.settings.publicUrl })(token);
  if (answer.kind !== "json") throw new Error("not JSON");
  const { data } = JSON.parse(JSON.stringify(answer.value)) as { data: unknown };
  return previewPost.parse(data);
}

const code = (token: string): Promise<string> =>
  read(token).then(
    () => "answered",
    (error: unknown) => {
      if (error instanceof Failure) return error.code;
      throw error;
    },
  );

test("a preview shows the working copy as it is when it is read, with everything embedded, shaped like a post", async () => {
  const author = await write.term("author", "Ada");
  let post = await write.post("Live", { body: "Live body", authorIds: [author.id] });
  const { token } = await make(post);
  services.pass(60_000);
  post = await write.edit(post, { title: "Edited", slug: "edited", body: "## Edited *body*" });
  const shown = await read(token);
  expect(shown).toMatchObject({
    id: post.id,
    slug: "edited",
    title: "Edited",
    status: "published",
    body: { markdown: "## Edited *body*", headings: [{ id: "h-edited-body", depth: 2, text: "Edited body" }] },
    authors: [{ name: "Ada" }],
    publishedAt: post.publishedAt,
    updatedAt: post.editedAt,
  });
  const live = (await readingOf(services, tenant).json("/blog/posts/live")).data;
  expect(Object.keys(shown).filter((key) => key !== "status" && key !== "expiresAt")).toEqual(Object.keys(live));
});

test("its date is the one it has, was planned for or would get now", async () => {
  const draft = await write.draft("Draft");
  expect((await read((await make(draft)).token)).publishedAt).toBe(services.now.toISOString());
  const scheduled = await write.schedule(await write.draft("Scheduled"), "2027-01-01T00:00:00.000Z");
  expect((await read((await make(scheduled)).token)).publishedAt).toBe("2027-01-01T00:00:00.000Z");
  const dated = await write.draft("Dated", { publishedAt: "2020-01-01T00:00:00.000Z" });
  expect((await read((await make(dated)).token)).publishedAt).toBe("2020-01-01T00:00:00.000Z");
});

test("a preview ends after one hour", async () => {
  const { token, expiresAt } = await make(await write.draft("Draft"));
  expect(Date.parse(expiresAt) - services.now.getTime()).toBe(HOUR);
  services.pass(HOUR - 1);
  expect((await read(token)).expiresAt).toBe(expiresAt);
  services.pass(1);
  expect(await code(token)).toBe("NOT_FOUND");
});

test("a preview is void when its maker leaves or may read the post no more, also one made through a tool", async () => {
  const editor = await tenant.addMember("editor");
  const draft = await write.draft("Draft of the owner");
  const { connection } = await services.call(registry.connect_tool, editor, {
    kind: "ai",
    client: { id: "test", name: "Test tool", host: null, redirectHost: null },
    workspaces: "all",
  });
  const tool = toolActor(editor.userId, connection);
  const tokens = [(await make(draft, editor)).token, (await make(draft, tool)).token];
  const { members } = services.platform;
  for (const token of tokens) expect(await code(token)).toBe("answered");
  await members.setRole(tenant.workspace.id, editor.userId, "contributor");
  for (const token of tokens) expect(await code(token)).toBe("NOT_FOUND");
  await members.setRole(tenant.workspace.id, editor.userId, "author");
  for (const token of tokens) expect(await code(token)).toBe("answered");
  await services.connections.revoke(connection.id, timestamp(services.now));
  expect(await Promise.all(tokens.map(code))).toEqual(["answered", "NOT_FOUND"]);
  await members.remove(tenant.workspace.id, editor.userId);
  for (const token of tokens) expect(await code(token)).toBe("NOT_FOUND");
});

test("a contributor can preview their own draft, and not another's", async () => {
  const contributor = await tenant.addMember("contributor");
  const own = await services.call(registry.create_post, contributor, { websiteId: tenant.website.id, title: "Own" });
  expect(await code((await make(own, contributor)).token)).toBe("answered");
  await expect(make(await write.draft("Another's"), contributor)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a contributor's preview of another's published post shows what readers see, not what is being written", async () => {
  const contributor = await tenant.addMember("contributor");
  const post = await write.post("Live", { body: "Live body" });
  const { token } = await make(post, contributor);
  await write.edit(post, { title: "Not for them", slug: "not-for-them", body: "Secret body" });
  expect(await read(token)).toMatchObject({ title: "Live", slug: "live", body: { markdown: "Live body" } });
});

test("a preview ends with the post: in the trash it has none, and none can be made", async () => {
  const draft = await write.draft("Draft");
  const { token } = await make(draft);
  const trashed = await write.trash(draft);
  expect(await code(token)).toBe("NOT_FOUND");
  await expect(make(trashed)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
});

test("a preview ends with the website", async () => {
  const { token } = await make(await write.draft("Draft"));
  await services.platform.websites.markDeleted(tenant.website.id, (await write.draft("Now")).createdAt);
  expect(await code(token)).toBe("NOT_FOUND");
});

test("a key is no preview, nor is anything else that was not signed for it", async () => {
  const { key } = await services.call(registry.create_key, tenant.actor, { websiteId: tenant.website.id, name: "Key" });
  for (const token of [key, "", "x", "a.b", "%00", "null", tenant.website.id]) expect(await code(token)).toBe("NOT_FOUND");
});

test.each([
  [null, "https://stet.test/preview/"],
  ["https://example.com/preview", "https://example.com/preview?token="],
  ["https://example.com/preview/", "https://example.com/preview/"],
  ["https://example.com/preview?token=", "https://example.com/preview?token="],
  ["https://example.com/p?draft=1", "https://example.com/p?draft=1&token="],
])("with the preview page %s the link is %s and the token", async (previewUrl, expected) => {
  await write.settings({ previewUrl });
  const { url, token } = await make(await write.draft("Draft"));
  expect(url).toBe(expected + token);
});

test("making a preview is written down, once an hour for one person and post; the token is not", async () => {
  const draft = await write.draft("Draft");
  const made = [await make(draft), await make(draft)];
  const { items } = await services.call(registry.list_activity, tenant.actor, {
    workspaceId: tenant.workspace.id,
    action: "create_preview",
  });
  expect(items).toMatchObject([{ target: { id: draft.id, label: "Draft" }, count: 2 }]);
  for (const { token } of made) expect(JSON.stringify(items)).not.toContain(token.slice(0, 20));
});
