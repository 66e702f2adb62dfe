import { expect, test } from "vitest";
import type { Actor } from "#domain/actor";
import { closedAtEnd } from "#test/closed-at-end";
import { connectTestTool } from "#test/connected-tool";
import { openTestServices } from "#test/services";
import { registry } from "../registry.ts";

const services = closedAtEnd(await openTestServices());
const tenant = await services.makeTenant();
const here = { websiteId: tenant.website.id };
const [one, other] = [await connectTestTool(services, tenant), await connectTestTool(services, tenant)];

const write = async (actor: Actor) => (await services.call(registry.create_post, actor, { ...here, title: "Bread", body: "One." })).id;
const edit = (actor: Actor, postId: string, expectedVersion: number, change: object) =>
  services.call(registry.edit_post, actor, { ...here, postId, expectedVersion, ...change });
const changesOf = (postId: string) => services.call(registry.list_tool_changes, tenant.actor, { ...here, postId });
const counts = async (postId: string) => (await changesOf(postId)).tools.map(({ by, changes }) => [by.id, changes]);
const revisionsOf = async (postId: string) => (await services.call(registry.list_revisions, tenant.actor, { ...here, postId })).items;

test("a draft names every app that wrote into it, with the revision before its last", async () => {
  const postId = await write(one.actor);
  expect((await changesOf(postId)).tools[0]).toMatchObject({ changes: 1, previousRevisionId: null });
  await edit(tenant.actor, postId, 1, { body: "One, mine." });
  await edit(one.actor, postId, 2, { body: "One, better." });
  await edit(other.actor, postId, 3, { excerpt: "Short." });
  const { liveRevisionId, tools } = await changesOf(postId);
  const [byOther, byOne, mine] = await revisionsOf(postId);
  expect([liveRevisionId, tools.map(({ by, changes }) => [by.id, changes])]).toEqual([
    null,
    [
      [other.connection.id, 1],
      [one.connection.id, 2],
    ],
  ]);
  expect(tools[0]).toMatchObject({ revisionId: byOther!.id, previousRevisionId: byOne!.id, lastAt: byOther!.at });
  expect(tools[1]).toMatchObject({ revisionId: byOne!.id, previousRevisionId: mine!.id });
});

test("a published post names those that wrote since, and none once their changes were published or discarded", async () => {
  const postId = await write(one.actor);
  await services.call(registry.publish_post, tenant.actor, { ...here, postId, expectedVersion: 1 });
  expect(await counts(postId)).toEqual([]);
  await edit(one.actor, postId, 2, { body: "Two." });
  await edit(tenant.actor, postId, 3, { title: "Mine" });
  const { liveRevisionId } = await changesOf(postId);
  expect((await revisionsOf(postId)).find(({ wasLive }) => wasLive)?.id).toBe(liveRevisionId);
  expect(await counts(postId)).toEqual([[one.connection.id, 1]]);
  await services.call(registry.discard_changes, tenant.actor, { ...here, postId, expectedVersion: 4 });
  await edit(tenant.actor, postId, 5, { title: "Mine again" });
  expect(await counts(postId)).toEqual([]);
  await edit(other.actor, postId, 6, { body: "Three." });
  expect(await counts(postId)).toEqual([[other.connection.id, 1]]);
  await services.call(registry.update_live_post, tenant.actor, { ...here, postId, expectedVersion: 7 });
  expect(await counts(postId)).toEqual([]);
});
