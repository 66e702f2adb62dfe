import { beforeEach, expect, test } from "vitest";
import type { PostId } from "#domain/ids";
import { HOUR, MINUTE, timestamp } from "#domain/time";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { registry } from "#operations/registry";
import { publishDue } from "#worker/scheduler";
import { closedAtEnd } from "#test/closed-at-end";
import { connectTestTool, undoAll } from "#test/connected-tool";
import { type Writing, writingIn } from "#test/delivery/writing";
import { oneStore } from "#test/one-store";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let write: Writing;
beforeEach(async () => {
  tenant = await services.makeTenant();
  write = writingIn(services, tenant);
});

async function exported({ actor, website }: Tenant, from: Services = services): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of (await execute(from, registry.export_website, actor, { websiteId: website.id })).lines) lines.push(line);
  return lines;
}

async function imported(lines: readonly string[], { actor, website }: Tenant, into: Services = services): Promise<void> {
  async function* source() {
    yield* lines;
  }
  const result = await execute(into, registry.import_website, actor, { websiteId: website.id, source: source() });
  expect(result.conflicts).toEqual([]);
}

const read = async ({ website }: Tenant, id: PostId) => (await services.contentOf(website).posts.get(website.id, id))!;

test("a post whose time is over is published, also where the scheduler looks for it before it is there", async () => {
  const { id } = await write.schedule(await write.draft("Due"), timestamp(services.now.getTime() + HOUR));
  const lines = await exported(tenant);
  services.pass(2 * HOUR);
  const copy = await services.makeTenant();
  const { managed } = services.contents;
  const insert: typeof managed.posts.insert = async (...post) => {
    await publishDue(services);
    return managed.posts.insert(...post);
  };
  await imported(lines, copy, { ...services, contents: oneStore({ ...managed, posts: { ...managed.posts, insert } }) });
  // The reminder that found no post is looked at again.
  services.pass(MINUTE);
  await publishDue(services);
  expect((await read(copy, id)).status).toBe("published");
});

test("undo leaves alone what people wrote into a post that was purged and imported again", async () => {
  const tool = await connectTestTool(services, tenant);
  const { id } = await write.post("Written by hand", { body: "Before." });
  const lines = await exported(tenant);
  services.pass(MINUTE);
  const since = timestamp(services.now);
  const at = { websiteId: tenant.website.id, postId: id };
  for (const [version, body] of ["One.", "Two.", "Three."].entries()) {
    await services.call(registry.edit_post, tool.actor, { ...at, expectedVersion: version + 2, body });
  }
  const { version } = await services.call(registry.delete_post, tenant.actor, { ...at, expectedVersion: 5 });
  await services.call(registry.purge_post, tenant.actor, { ...at, expectedVersion: version });
  await imported(lines, tenant);
  services.pass(MINUTE);
  const { version: back } = await read(tenant, id);
  await services.call(registry.edit_post, tenant.actor, { ...at, expectedVersion: back, body: "By hand again." });
  services.pass(MINUTE);
  expect((await undoAll(services, tenant.actor, tenant, tool.connection.id, since)).items).toEqual([]);
  expect((await read(tenant, id)).working.body).toBe("By hand again.");
});

test("on another server, whole addresses of the website's own images lead there", async () => {
  const old = await openTestServices({ settings: { ...services.settings, publicUrl: "https://old.example" } });
  const source = await old.makeTenant();
  const there = writingIn(old, source);
  const image = await there.image("a.gif");
  const foreign = `https://elsewhere.example${image.url}`;
  const seo = { ogImageUrl: `https://old.example${image.url}`, canonicalUrl: "https://old.example/first" };
  const { id } = await there.post("Shared", { seo, body: `![](${image.url}) ![](${foreign})` });
  const lines = await exported(source, old);
  await old.close();
  await imported(lines, tenant);
  const url = image.url.replace(source.website.id, tenant.website.id);
  const { live } = await read(tenant, id);
  expect(live?.content.seo).toMatchObject({
    ogImageUrl: `${services.settings.publicUrl}${url}`,
    canonicalUrl: "https://old.example/first",
  });
  expect(live?.content.body).toBe(`![](${url}) ![](https://elsewhere.example${url})`);
});
