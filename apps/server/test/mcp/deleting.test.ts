import { beforeAll, expect, test } from "vitest";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { connect } from "#test/oauth/sign-in";
import type { Tenant } from "#test/services";
import { openClient, type TestClient } from "./client.ts";
import { CALLS } from "./tool-inputs.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
let tenant: Tenant;
let claude: TestClient;

beforeAll(async () => {
  tenant = await node.makeTenant();
  claude = await openClient(node, (await connect(node, tenant.owner, { allowDelete: true })).accessToken);
  return () => claude.close();
});

/** A tag and an image that a published post shows, with their versions. */
async function shown(title: string) {
  const tag = (await claude.call("save_tag", { name: `Tag of ${title}` })).data.tag as { id: string; version: number };
  const upload = await claude.call("upload_media", CALLS.upload_media!({ website: tenant.website.id } as never));
  const image = upload.data.image as { id: string; version: number };
  const made = await claude.call("create_post", { title, body: "Text.", tags: [tag.id], coverImage: image.id });
  await claude.call("publish_post", { post: made.data.post.id, expectedVersion: 1 });
  return { tag: { id: tag.id, expectedVersion: tag.version }, image: { id: image.id, expectedVersion: image.version } };
}

test("what posts have is deleted only when that was meant", async () => {
  const { tag, image } = await shown("Used");
  expect((await claude.call("delete_term", tag)).text).toBe(
    "INVALID_TRANSITION: The tag is in use: 1 post has it. Remove it from them first, or delete it anyway (evenIfUsed). This cannot be undone.",
  );
  expect((await claude.call("delete_media", image)).text).toMatch(/^INVALID_TRANSITION: The image is in use/);
  expect((await claude.call("delete_term", { ...tag, evenIfUsed: true })).isError).toBe(false);
  expect((await claude.call("delete_media", { ...image, evenIfUsed: true })).isError).toBe(false);
  const unused = (await claude.call("save_tag", { name: "Of nothing" })).data.tag as { id: string; version: number };
  expect((await claude.call("delete_term", { id: unused.id, expectedVersion: unused.version })).isError).toBe(false);
});

test("a connection that may not delete is not led to a tool it has not", async () => {
  const careful = await openClient(node, (await connect(node, tenant.owner)).accessToken);
  const post = (await careful.call("create_post", { title: "Careful" })).data.post.id as string;
  expect((await careful.call("unpublish_post", { post, expectedVersion: 1 })).text).toBe(
    "INVALID_TRANSITION: A draft post cannot be unpublished. Possible now: publish_post, schedule_post.",
  );
  await careful.close();
});

test("where published posts are held for review, a tool takes nothing from under them", async () => {
  const { tag, image } = await shown("Held");
  const websiteId = tenant.website.id;
  const { version } = await node.call(registry.get_website, tenant.actor, { websiteId });
  await node.call(registry.update_website, tenant.actor, { websiteId, expectedVersion: version, settings: { holdToolChanges: true } });
  for (const [name, input] of [
    ["delete_term", tag],
    ["delete_media", image],
  ] as const) {
    const { text } = await claude.call(name, { ...input, evenIfUsed: true });
    expect([name, text]).toEqual([name, expect.stringMatching(/^Not done yet: it waits as suggestion sug_.* Suggested to delete it:/)]);
  }
  const { items } = await node.call(registry.list_suggestions, tenant.actor, { websiteId });
  expect(items.map(({ target, action }) => [target, action?.type])).toEqual([
    ["image", "delete"],
    ["tag", "delete"],
  ]);
  // A person does.
  await node.call(registry.delete_term, tenant.actor, { websiteId, termId: tag.id });
  await node.call(registry.delete_media, tenant.actor, { websiteId, mediaId: image.id, evenIfUsed: true });
});
