import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readRoutes } from "#delivery/read-routes";
import type { Actor } from "#domain/actor";
import { MINUTE, timestamp } from "#domain/time";
import type { Operation } from "#operations/kernel/operation";
import { type OperationName, registry } from "#operations/registry";
import type { Signal } from "#ports/signals";
import { closedAtEnd } from "#test/closed-at-end";
import { connectTestTool, logCall } from "#test/connected-tool";
import { type DeliveryNode, startDelivery } from "#test/delivery-node";
import { distinctImage } from "#test/images";
import { fillTenant } from "#test/policy/fill-tenant";
import { INPUTS, type TenantIds, type Things } from "#test/policy/operation-inputs";
import { openTestServices, type Tenant } from "#test/services";
import { acceptEveryStore, ownDatabaseOf, ownImagesOf } from "./own-stores.ts";

/**
 * Every operation says what it changes of the answers that keys get (operations/kernel/operation.ts). Each is called on a website
 * whose answers are all in memory: what it declares as invisible must leave them there, here and on other nodes; everything
 * else must be seen by the next request, as a node sees it that has just started.
 */
const services = closedAtEnd(await openTestServices());
acceptEveryStore(services);
let node: DeliveryNode;
const heard: Signal[] = [];
const image = createServer((_request, response) => void response.setHeader("Content-Type", "image/gif").end(distinctImage(2)));
beforeAll(async () => {
  node = await startDelivery(services, { readRoutes });
  services.signals.subscribe((signal) => signal !== "everything" && signal.topic !== "event" && heard.push(signal));
  image.listen(0, "127.0.0.1");
  await once(image, "listening");
});
afterAll(async () => {
  image.close();
  await node.stop();
});

interface Scene extends Tenant {
  readonly ids: TenantIds;
  readonly things: Things;
  readonly key: string;
  readonly keyId: string;
  /** A published post with a category, a cover and a former slug. Version 5. */
  readonly liveId: string;
  /** An image in the trash. */
  readonly trashedMediaId: string;
}

async function setScene(): Promise<Scene> {
  const tenant = await services.makeTenant();
  const { actor, website } = tenant;
  const { ids, things } = await fillTenant(services, tenant);
  const here = { websiteId: website.id };
  await services.call(registry.update_website, actor, {
    ...here,
    expectedVersion: 1,
    settings: { publicUrl: "https://blog.example", language: "en" },
  });
  const { key, record } = await services.call(registry.create_key, actor, { ...here, name: "Read with" });
  const content = { title: "Live", slug: "live-once", body: "Read me.", coverMediaId: things.mediaId };
  const live = await services.call(registry.create_post, actor, { ...here, ...content, categoryIds: [things.categoryId] });
  const on = { ...here, postId: live.id };
  await services.call(registry.publish_post, actor, { ...on, expectedVersion: 1 });
  await services.call(registry.edit_post, actor, { ...on, expectedVersion: 2, slug: "live" });
  await services.call(registry.update_live_post, actor, { ...on, expectedVersion: 3 });
  await services.call(registry.edit_post, actor, { ...on, expectedVersion: 4, title: "Live, changed" });
  const trashed = await services.call(registry.add_media, actor, { ...here, bytes: distinctImage(1), filename: "trashed.gif" });
  await services.call(registry.delete_media, actor, { ...here, mediaId: trashed.id });
  services.pass(MINUTE);
  return { ...tenant, ids, things, key, keyId: record.id, liveId: live.id, trashedMediaId: trashed.id };
}

/** How each is called where it needs more than the scene, and by whom where it is not the owner. */
type Call = { input: Record<string, unknown>; actor?: Actor };
const onLive = ({ ids: { websiteId }, liveId: postId }: Scene) => ({ input: { websiteId, postId, expectedVersion: 5 } });
const CALLS: Partial<Record<OperationName, (scene: Scene) => Call | Promise<Call>>> = {
  leave_workspace: ({ ids, things }) => ({
    input: { workspaceId: ids.workspaceId },
    actor: { type: "user", userId: things.userId } as Actor,
  }),
  disconnect_left: async ({ ids, things }) => {
    const actor = { type: "user", userId: things.userId } as Actor;
    const { connection } = await services.call(registry.connect_tool, actor, INPUTS.connect_tool(ids, things));
    await services.call(registry.leave_workspace, actor, { workspaceId: ids.workspaceId });
    return { input: { connectionId: connection.id }, actor };
  },
  change_plan: ({ ids: { workspaceId } }) => ({ input: { workspaceId, plan: "starter" } }),
  update_website: ({ ids: { websiteId } }) => ({ input: { websiteId, expectedVersion: 2, settings: { language: "de" } } }),
  update_live_post: onLive,
  unpublish_post: onLive,
  delete_post: onLive,
  discard_changes: onLive,
  edit_post: (scene) => ({ input: { ...onLive(scene).input, title: "Saved while it is live", autosave: true } }),
  restore_post: inTheTrash,
  purge_post: inTheTrash,
  end_review: async (scene) => {
    const input = INPUTS.request_review(scene.ids, scene.things);
    await services.call(registry.request_review, scene.actor, input);
    return { input: { ...input, expectedVersion: 2 } };
  },
  update_key: ({ ids: { websiteId }, keyId }) => ({ input: { websiteId, keyId, origins: ["https://other.example"] } }),
  revoke_key: ({ ids: { websiteId }, keyId }) => ({ input: { websiteId, keyId } }),
  replace_media_in_post: async (scene) => {
    const bytes = distinctImage(2);
    const other = await services.call(registry.add_media, scene.actor, { websiteId: scene.ids.websiteId, bytes, filename: "other.gif" });
    return { input: { ...onLive(scene).input, mediaId: scene.things.mediaId, byMediaId: other.id } };
  },
  delete_media: ({ ids: { websiteId }, things: { mediaId } }) => ({ input: { websiteId, mediaId, evenIfUsed: true } }),
  restore_media: ({ ids: { websiteId }, trashedMediaId: mediaId }) => ({ input: { websiteId, mediaId } }),
  purge_media: ({ ids: { websiteId }, trashedMediaId: mediaId }) => ({ input: { websiteId, mediaId } }),
  add_media_from_url: ({ ids: { websiteId } }) => ({
    input: { websiteId, url: `http://127.0.0.1:${(image.address() as AddressInfo).port}/pixel.png` },
  }),
  set_field_definitions: ({ ids: { websiteId } }) => ({
    input: { websiteId, expectedVersion: 2, fieldDefinitions: [{ key: "mood", label: "Mood", type: "text", required: false, help: "" }] },
  }),
  import_website: async ({ ids: { websiteId } }) => {
    const { actor, website } = await services.makeTenant();
    const post = await services.call(registry.create_post, actor, { websiteId: website.id, title: "Imported" });
    await services.call(registry.publish_post, actor, { websiteId: website.id, postId: post.id, expectedVersion: 1 });
    const { lines } = await services.call(registry.export_website, actor, { websiteId: website.id });
    return { input: { websiteId, source: lines } };
  },
  resume_webhook: async (scene) => {
    const input = INPUTS.pause_webhook(scene.ids, scene.things);
    await services.call(registry.pause_webhook, scene.actor, input);
    return { input: { ...input, resend: false } };
  },
  undo_post: async (scene) => {
    const { undo, postId } = await changedByTool(scene);
    return { input: { ...undo, websiteId: scene.website.id, postId, expectedVersion: 7 } };
  },
  undo_thing: async (scene) => {
    const { connection, actor } = await connectTestTool(services, scene);
    const since = timestamp(services.now);
    const { websiteId } = scene.ids;
    const termId = scene.things.categoryId;
    await services.call(registry.edit_term, actor, { websiteId, termId, expectedVersion: 1, name: "By a tool" });
    services.pass(MINUTE);
    return { input: { websiteId, thingId: termId, connectionId: connection.id, since, until: timestamp(services.now) } };
  },
  accept_suggestion: async (scene) => {
    const { websiteId } = scene.ids;
    await services.call(registry.update_website, scene.actor, { websiteId, expectedVersion: 2, settings: { holdToolChanges: true } });
    const { actor } = await connectTestTool(services, scene);
    const post = { websiteId, postId: scene.liveId, expectedVersion: 5 };
    await services.call(registry.edit_post, actor, { ...post, title: "Suggested" });
    const held = await services.call(registry.update_live_post, actor, post);
    return { input: { websiteId, suggestionId: held.suggestion!.id } };
  },
  reopen_suggestion: async (scene) => {
    const input = INPUTS.reject_suggestion(scene.ids, scene.things);
    await services.call(registry.reject_suggestion, scene.actor, input);
    return { input };
  },
  start_image_move: async ({ website }) => {
    await ownImagesOf(services, website.id, "connected");
    return { input: { websiteId: website.id } };
  },
  stop_image_move: async ({ website }) => {
    await ownImagesOf(services, website.id, "leaving");
    return { input: { websiteId: website.id } };
  },
  activate_image_store: async ({ website }) => {
    await ownImagesOf(services, website.id, "connected");
    return { input: { websiteId: website.id } };
  },
  disconnect_image_store: async ({ website }) => {
    await ownImagesOf(services, website.id, "active");
    return { input: { websiteId: website.id } };
  },
  fetch_left_content: withOwnDatabase,
  start_content_move: withOwnDatabase,
  stop_content_move: async (scene) => {
    const { input } = await withOwnDatabase(scene);
    await services.call(registry.start_content_move, scene.actor, { websiteId: scene.website.id });
    return { input };
  },
  activate_own_database: withOwnDatabase,
  disconnect_own_database: withOwnDatabase,
  confirm_own_database: async (scene) => {
    const { input } = await withOwnDatabase(scene);
    await services.platform.homes.pause(scene.website.id, 10);
    expect(await services.platform.homes.move(scene.website, "own")).toBe(true);
    await services.signals.tellHere({ topic: "access", id: scene.website.id });
    return { input: { ...input, confirmName: scene.website.name } };
  },
  undo_connection: async (scene) => ({ input: { ...(await changedByTool(scene)).undo, workspaceId: scene.workspace.id } }),
};

async function withOwnDatabase({ website }: Scene): Promise<Call> {
  await ownDatabaseOf(services, website.id);
  return { input: { websiteId: website.id } };
}

async function inTheTrash({ actor, ids, things }: Scene): Promise<Call> {
  const input = INPUTS.delete_post(ids, things);
  await services.call(registry.delete_post, actor, input);
  return { input: { ...input, expectedVersion: 2 } };
}

/** A connected tool changes what readers see, and what it takes to set that back. */
async function changedByTool(scene: Scene) {
  const { connection, actor } = await connectTestTool(services, scene);
  const since = timestamp(services.now);
  const post = { websiteId: scene.website.id, postId: scene.liveId };
  await services.call(registry.edit_post, actor, { ...post, expectedVersion: 5, title: "By a tool" });
  await services.call(registry.update_live_post, actor, { ...post, expectedVersion: 6 });
  await logCall(services, scene, connection.id, "update_live_post", { id: scene.liveId, label: "By a tool" }, [5, 7]);
  services.pass(MINUTE);
  return { undo: { connectionId: connection.id, since, until: timestamp(services.now) }, postId: scene.liveId };
}

const PATHS = [
  ...readRoutes.filter(({ cached, path }) => cached && !path.includes("{") && path !== "/blog/search").map(({ path }) => path),
  "/blog/search?q=live",
  "/blog/posts/live",
  "/blog/posts/live-once",
  "/blog/categories/one",
];

/** Everything that a key can read of its website, and what it is told about its limits. */
type Answer = readonly [path: string, status: number, policy: string | null, body: string];
async function answersOf(from: DeliveryNode, key: string): Promise<readonly Answer[]> {
  return Promise.all(
    PATHS.map(async (path): Promise<Answer> => {
      const response = await from.get(path, key, { Origin: "https://reader.example" });
      const body = (await response.text()).replace(/req_\w+/, "req_…");
      return [path, response.status, response.headers.get("ratelimit-policy"), body];
    }),
  );
}

async function answersOfNewNode(key: string): Promise<readonly Answer[]> {
  const fresh = await startDelivery(services, { readRoutes });
  try {
    return await answersOf(fresh, key);
  } finally {
    await fresh.stop();
  }
}

/** What other nodes hear of a tenant's answers and keys. */
async function told({ website, workspace }: Scene): Promise<unknown[]> {
  const { rows } = await services.database.query({
    text: "SELECT topic, id, xid FROM signals WHERE topic <> 'event' AND id IN ($1, $2) ORDER BY topic, id",
    values: [website.id, workspace.id],
  });
  return rows;
}

/** What is invisible leaves the scene as it was, so most of it can be played in the same one, with a draft and a member of its own. */
const NEEDS_A_SCENE: ReadonlySet<OperationName> = new Set([
  "transfer_ownership",
  "revoke_invitation",
  "delete_webhook",
  "disconnect",
  "disconnect_left",
  "edit_post",
  "discard_changes",
  "reject_suggestion",
  "reopen_suggestion",
  "start_image_move",
  "fetch_left_content",
  "start_content_move",
  "stop_content_move",
]);
let shared: Scene | undefined;
async function sceneFor(name: OperationName): Promise<Scene> {
  if (!isInvisible(name) || NEEDS_A_SCENE.has(name)) return setScene();
  const scene = (shared ??= await setScene());
  const here = { websiteId: scene.website.id };
  const { id: postId } = await services.call(registry.create_post, scene.actor, { ...here, title: "Draft" });
  const { items } = await services.call(registry.list_revisions, scene.actor, { ...here, postId });
  const { userId } = await scene.addMember("contributor");
  return { ...scene, things: { ...scene.things, postId, revisionId: items[0]!.id, userId } };
}

async function call(name: OperationName) {
  const scene = await sceneFor(name);
  const { input, actor = scene.actor } = (await CALLS[name]?.(scene)) ?? { input: INPUTS[name](scene.ids, scene.things) };
  const before = await answersOf(node, scene.key);
  for (const [path, status] of before) expect([path, status]).toEqual([path, 200]);
  const toldBefore = await told(scene);
  heard.length = 0;
  const operation = registry[name] as unknown as Operation;
  await services.call(operation, actor, input);
  const here = [...heard];
  const toldAfter = await told(scene);
  return { scene, before, here, after: await answersOf(node, scene.key), fresh: await answersOfNewNode(scene.key), toldBefore, toldAfter };
}

// Those of an account have no website to change: the compiler lets them declare nothing else.
const changing = (Object.keys(registry) as OperationName[]).filter(
  (name) => registry[name].activity !== "none" && registry[name].scope !== "account",
);
const isInvisible = (name: OperationName) => (registry[name] as unknown as Operation).changes({}) === "nothing";
/** Declared as visible to be safe, although this call of it shows a reader nothing new: an image or a term that no post has yet, a name, a
 * store that holds nothing yet. */
const SHOWS_NOTHING: ReadonlySet<OperationName> = new Set([
  "add_media",
  "add_media_from_url",
  "restore_media",
  "purge_media",
  "create_term",
  "create_key",
  "rename_workspace",
  "set_field_definitions",
  "connect_image_store",
  "connect_own_database",
  "confirm_own_database",
  "activate_own_database",
  "disconnect_own_database",
]);

describe("operations that change nothing that a key can see", () => {
  // What it sets back is set back by operations of their own.
  const names = changing.filter((name) => isInvisible(name) && name !== "undo_connection");
  test.each(names)("%s leaves every answer as it is, and no node forgets one", async (name) => {
    const { before, here, after, fresh, toldBefore, toldAfter } = await call(name);
    expect(after).toEqual(before);
    expect(fresh).toEqual(before);
    expect(here).toEqual([]);
    expect(toldAfter).toEqual(toldBefore);
  });
});

describe("operations that change what a key can see", () => {
  test.each([...changing.filter((name) => !isInvisible(name)), "undo_connection"] as const)(
    "%s is seen by the next request on the same node",
    async (name) => {
      const { before, after, fresh } = await call(name);
      expect(after).toEqual(fresh);
      if (!SHOWS_NOTHING.has(name)) expect(after).not.toEqual(before);
    },
  );

  test("edit_post is one of them where it takes a redirect from another post", async () => {
    const { actor, ids, things, key, liveId } = await setScene();
    const before = await answersOf(node, key);
    await services.call(registry.edit_post, actor, {
      websiteId: ids.websiteId,
      postId: things.postId,
      expectedVersion: 1,
      slug: "live-once",
      takeSlugFrom: liveId,
    });
    const after = await answersOf(node, key);
    expect(after).not.toEqual(before);
    expect(after).toEqual(await answersOfNewNode(key));
  });
});
