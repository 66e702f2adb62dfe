import { beforeEach, expect, test } from "vitest";
import type { GrantId, PostId } from "#domain/ids";
import { DAY, HOUR, MINUTE, timestamp } from "#domain/time";
import { publishDue } from "#worker/scheduler";
import { thinRevisions } from "#worker/walks";
import { closedAtEnd } from "#test/closed-at-end";
import { distinctImage } from "#test/images";
import { oneStore } from "#test/one-store";
import { openTestServices, type Tenant } from "#test/services";
import { withoutWholeSave } from "#test/without-whole-save";
import { INPUTS } from "#test/policy/operation-inputs";
import { execute } from "../kernel/execute.ts";
import { registry } from "../registry.ts";
import { connectTestTool, logCall, undoAll } from "#test/connected-tool";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let tool: Awaited<ReturnType<typeof connectTestTool>>;
let since: string;
beforeEach(async () => {
  tenant = await services.makeTenant();
  tool = await connectTestTool(services, tenant);
  services.pass(MINUTE);
  since = timestamp(services.now);
});

const here = () => ({ websiteId: tenant.website.id });
const read = async (id: PostId) => (await services.contentOf(tenant.website).posts.get(tenant.website.id, id))!;
const undo = (actor = tenant.actor, from = since, id: GrantId = tool.connection.id) => undoAll(services, actor, tenant, id, from);

async function publish(actor = tenant.actor, title = "Written by hand") {
  const post = await services.call(registry.create_post, actor, { ...here(), title, body: "Before." });
  await services.call(registry.publish_post, actor, { ...here(), postId: post.id, expectedVersion: 1 });
  services.pass(MINUTE);
  return post.id;
}

test("what a tool brought live is set back with one version, one revision and one event", async () => {
  const id = await publish();
  since = timestamp(services.now);
  await services.call(registry.edit_post, tool.actor, { ...here(), postId: id, expectedVersion: 2, body: "By a tool.", title: "Tool" });
  await services.call(registry.update_live_post, tool.actor, { ...here(), postId: id, expectedVersion: 3 });
  services.pass(MINUTE);
  const { items } = await undo();
  expect(items).toMatchObject([{ id, label: "Tool", steps: ["update"], left: null }]);
  const post = await read(id);
  expect([post.version, post.status, post.live?.content.body, post.working.title]).toEqual([5, "published", "Before.", "Written by hand"]);
  const events = (await services.platform.events.list(tenant.website.id, 0, 100)).map(({ event }) => [event.type, event.version]);
  expect(events).toEqual([
    ["post.published", 2],
    ["post.updated", 4],
    ["post.updated", 5],
  ]);
  const [newest] = (await services.call(registry.list_revisions, tenant.actor, { ...here(), postId: id })).items;
  expect(newest).toMatchObject({ version: 5, kind: "update", wasLive: true, author: { type: "user", id: tenant.owner.id } });
  const log = await services.call(registry.list_activity, tenant.actor, { workspaceId: tenant.workspace.id });
  expect(log.items.map(({ action }) => action)).toEqual(expect.arrayContaining(["undo_post", "undo_connection"]));
});

test("an earlier undo does not stand in the way of one that goes back further", async () => {
  const id = await publish();
  since = timestamp(services.now);
  await services.call(registry.edit_post, tool.actor, { ...here(), postId: id, expectedVersion: 2, body: "First." });
  services.pass(HOUR);
  const later = timestamp(services.now);
  await services.call(registry.edit_post, tool.actor, { ...here(), postId: id, expectedVersion: 3, body: "Second." });
  services.pass(MINUTE);
  await undo(tenant.actor, later);
  expect((await read(id)).working.body).toBe("First.");
  await undo();
  expect((await read(id)).working.body).toBe("Before.");
});

test("what the tool changes after the preview is left alone", async () => {
  const id = await publish();
  since = timestamp(services.now);
  await services.call(registry.edit_post, tool.actor, { ...here(), postId: id, expectedVersion: 2, body: "First." });
  const { until } = await services.call(registry.preview_undo, tenant.actor, {
    workspaceId: tenant.workspace.id,
    connectionId: tool.connection.id,
    since,
  });
  services.pass(MINUTE);
  await services.call(registry.edit_post, tool.actor, { ...here(), postId: id, expectedVersion: 3, body: "Second." });
  const input = { workspaceId: tenant.workspace.id, connectionId: tool.connection.id, since, until };
  const { items } = await services.call(registry.undo_connection, tenant.actor, input);
  expect(items).toMatchObject([{ id, left: { because: "changed again" } }]);
  expect((await read(id)).working.body).toBe("Second.");
});

test("a post that a person changed after the tool is left alone, with the person's name", async () => {
  const id = await publish();
  since = timestamp(services.now);
  await services.call(registry.edit_post, tool.actor, { ...here(), postId: id, expectedVersion: 2, body: "By a tool." });
  await services.call(registry.edit_post, tenant.actor, { ...here(), postId: id, expectedVersion: 3, body: "By a tool, mended." });
  const { items } = await undo();
  expect(items).toMatchObject([{ id, steps: [], left: { because: "changed by others", by: tenant.owner.name } }]);
  expect((await read(id)).working.body).toBe("By a tool, mended.");
});

test("a post whose earlier text was thinned away is left alone, and that is said", async () => {
  const { id } = await services.call(registry.create_post, tenant.actor, { ...here(), title: "Post", body: "Before." });
  services.pass(MINUTE);
  since = timestamp(services.now);
  await services.call(registry.edit_post, tool.actor, { ...here(), postId: id, expectedVersion: 1, body: "By a tool." });
  services.pass(8 * DAY);
  await thinRevisions(services, services.contentOf(tenant.website));
  const { items } = await undo();
  expect(items).toMatchObject([{ id, left: { because: "history missing" } }]);
  expect((await read(id)).working.body).toBe("By a tool.");
});

test("a save whose node died before it could be confirmed is known by its revision", async () => {
  const id = await publish();
  since = timestamp(services.now);
  await services.call(registry.edit_post, tool.actor, { ...here(), postId: id, expectedVersion: 2, body: "By a tool." });
  await services.database.query({ text: "UPDATE tool_saves SET saved = false WHERE post_id = $1", values: [id] });
  await undo();
  expect((await read(id)).working.body).toBe("Before.");
});

test("a save that was refused as stale leaves the winner's work alone", async () => {
  const id = await publish();
  since = timestamp(services.now);
  const target = { ...here(), postId: id, expectedVersion: 2 };
  await Promise.allSettled([
    services.call(registry.edit_post, tool.actor, { ...target, body: "By a tool." }),
    services.call(registry.edit_post, tenant.actor, { ...target, body: "By a person." }),
  ]);
  const winner = (await read(id)).editedBy.type;
  await undo();
  expect((await read(id)).working.body).toBe(winner === "tool" ? "Before." : "By a person.");
});

test("an undo that comes too late for a save hides nothing of it, with content in another database", async () => {
  const id = await publish();
  since = timestamp(services.now);
  const { saves } = services.connections;
  let isLate = false;
  const apart = { ...services, contents: oneStore(withoutWholeSave(services.contentOf(tenant.website))) };
  const takeDown = () => execute(apart, registry.unpublish_post, tool.actor, { ...here(), postId: id, expectedVersion: 3 });
  const begin: typeof saves.begin = async (save) => {
    if (save.actorId === tenant.owner.id && !isLate) {
      isLate = true;
      await takeDown();
    }
    return saves.begin(save);
  };
  const there = { ...apart, connections: { ...services.connections, saves: { ...saves, begin } } };
  await execute(there, registry.edit_post, tool.actor, { ...here(), postId: id, expectedVersion: 2, body: "By a tool." });
  const call = (operation: Parameters<typeof services.call>[0], actor: typeof tenant.actor, input: never) =>
    execute(there, operation, actor, input);
  const undone = () => undoAll({ ...services, call: call as typeof services.call }, tenant.actor, tenant, tool.connection.id, since);
  expect((await undone()).items.map(({ left }) => left?.because)).toEqual(["changed by others"]);
  expect((await read(id)).status).toBe("unpublished");
  await undone();
  expect(await read(id)).toMatchObject({ status: "published", live: { content: { body: "Before." } } });
});

test("a scheduled post that appeared under a tool's words and slug gets its words back, also where its own slug is taken by now", async () => {
  const { id } = await services.call(registry.create_post, tenant.actor, { ...here(), title: "Planned", slug: "planned", body: "Before." });
  const at = timestamp(services.now.getTime() + HOUR);
  await services.call(registry.schedule_post, tenant.actor, { ...here(), postId: id, expectedVersion: 1, at });
  services.pass(MINUTE);
  await services.call(registry.edit_post, tool.actor, { ...here(), postId: id, expectedVersion: 2, slug: "other", body: "By a tool." });
  await services.call(registry.create_post, tenant.actor, { ...here(), title: "Later", slug: "planned" });
  services.pass(2 * HOUR);
  await publishDue(services);
  const { items } = await undo();
  expect(items).toMatchObject([{ id, steps: ["update"], left: null, keepsSlug: true }]);
  expect((await read(id)).live?.content).toMatchObject({ body: "Before.", slug: "other" });
});

test("an author undoes what the own tool did, within the own role", async () => {
  const author = await tenant.addMember("author");
  const id = await publish(author, "Own");
  const { connection } = await services.call(
    registry.connect_tool,
    author,
    INPUTS.connect_tool({ workspaceId: tenant.workspace.id, websiteId: "" }, {} as never),
  );
  const actor = { type: "tool" as const, userId: author.userId, grant: connection };
  await services.call(registry.edit_post, actor, { ...here(), postId: id, expectedVersion: 2, body: "By a tool." });
  await services.platform.members.setRole(tenant.workspace.id, author.userId, "contributor");
  await services.call(registry.update_live_post, tenant.actor, { ...here(), postId: id, expectedVersion: 3 });
  const one = await undo(author, since, connection.id);
  expect(one.items).toMatchObject([{ left: { because: "changed by others" } }]);
  const draft = await services.call(registry.create_post, actor, { ...here(), title: "Draft" });
  const two = await undo(author, since, connection.id);
  expect(two.items).toMatchObject([{ id: draft.id, left: { because: "not allowed" } }, { id }]);
  expect((await undo(tenant.actor, since, connection.id)).items).toMatchObject([{ id: draft.id, steps: ["trash"] }, { id }]);
});

test("terms and images that the tool made go when nothing uses them any more, and stay otherwise", async () => {
  const term = async (name: string) => {
    const made = await services.call(registry.create_term, tool.actor, { ...here(), kind: "tag", name });
    await logCall(services, tenant, tool.connection.id, "save_tag", { id: made.id, label: name }, [null, 1]);
    return made.id;
  };
  const [used, freed, edited] = [await term("Used"), await term("Freed"), await term("Edited")];
  await services.call(registry.edit_term, tenant.actor, { ...here(), termId: edited, expectedVersion: 1, name: "Renamed" });
  await services.call(registry.create_post, tenant.actor, { ...here(), title: "By hand", tagIds: [used] });
  const id = await publish();
  await services.call(registry.edit_post, tool.actor, { ...here(), postId: id, expectedVersion: 2, tagIds: [freed] });
  const image = await services.call(
    registry.add_media,
    tool.actor,
    INPUTS.add_media({ websiteId: tenant.website.id, workspaceId: "" }, {} as never),
  );
  const shared = await services.call(registry.add_media, tool.actor, { ...here(), bytes: distinctImage(1), filename: "shared.gif" });
  for (const { id: mediaId, filename } of [image, shared])
    await logCall(services, tenant, tool.connection.id, "upload_media", { id: mediaId, label: filename }, [null, 1]);
  const seo = { ogImageUrl: `https://blog.example${shared.url}` };
  await services.call(registry.create_post, tenant.actor, { ...here(), title: "Shared by hand", seo });
  const { preview, items } = await undo();
  expect(Object.fromEntries(preview.map((item) => [item.id, item.left?.because ?? item.steps]))).toEqual({
    [id]: ["edit"],
    [used]: "in use",
    [freed]: ["delete"],
    [edited]: "changed by others",
    [image.id]: ["trash"],
    [shared.id]: "in use",
  });
  expect(Object.fromEntries(items.map((item) => [item.id, item.left?.because ?? item.steps]))).toEqual({
    [id]: ["edit"],
    [used]: "in use",
    [freed]: ["delete"],
    [edited]: "changed by others",
    [image.id]: ["trash"],
    [shared.id]: "in use",
  });
});

test("an image that the tool trashed and a term that it deleted come back", async () => {
  const named = { websiteId: tenant.website.id, workspaceId: "" };
  const image = await services.call(registry.add_media, tenant.actor, INPUTS.add_media(named, {} as never));
  const term = await services.call(registry.create_term, tenant.actor, { ...here(), kind: "tag", name: "Gone" });
  await services.call(registry.delete_media, tool.actor, { ...here(), mediaId: image.id });
  await logCall(services, tenant, tool.connection.id, "delete_media", { id: image.id, label: image.filename }, [1, 2]);
  await services.call(registry.delete_term, tool.actor, { ...here(), termId: term.id });
  await logCall(services, tenant, tool.connection.id, "delete_term", { id: term.id, label: term.name }, [1, 2]);
  const { items } = await undo();
  expect(Object.fromEntries(items.map((item) => [item.id, item.left?.because ?? item.steps]))).toEqual({
    [image.id]: ["restore image"],
    [term.id]: ["bring back"],
  });
  expect((await services.call(registry.get_media, tenant.actor, { ...here(), mediaId: image.id })).deletedAt).toBeNull();
  expect(await services.call(registry.get_term, tenant.actor, { ...here(), termId: term.id })).toMatchObject({
    slug: "gone",
    name: "Gone",
    version: 3,
  });
  expect((await undo()).items.filter(({ steps }) => steps.length > 0)).toEqual([]);
});

test("a deleted term whose return failed comes back when it is asked for again, with what was merged into it", async () => {
  const tag = (name: string) => services.call(registry.create_term, tenant.actor, { ...here(), kind: "tag", name });
  const [term, alias] = [await tag("Gone"), await tag("Former")];
  await services.call(registry.merge_terms, tenant.actor, { ...here(), sourceId: alias.id, targetId: term.id });
  await services.call(registry.delete_term, tool.actor, { ...here(), termId: term.id });
  const rival = await tag("Gone");
  expect((await undo()).items).toMatchObject([{ id: term.id, left: { because: "failed" } }]);
  await services.call(registry.delete_term, tenant.actor, { ...here(), termId: rival.id });
  expect((await undo()).items).toMatchObject([{ id: term.id, steps: ["bring back"], left: null }]);
  const { terms } = services.contentOf(tenant.website);
  expect(await terms.get(tenant.website.id, term.id)).toMatchObject({ slug: "gone", version: 3 });
  expect(await terms.get(tenant.website.id, alias.id)).toMatchObject({ mergedInto: term.id });
});

test("while undo takes a term away nothing can be merged into it", async () => {
  const term = await services.call(registry.create_term, tool.actor, { ...here(), kind: "tag", name: "Made" });
  const { contents } = services;
  const { terms, ...store } = contents.managed;
  let leases: number | null = null;
  const remove: typeof terms.delete = async (...which) => {
    const text = "SELECT FROM website_leases WHERE website_id = $1 AND name = 'terms'";
    leases = (await services.database.query({ text, values: [tenant.website.id] })).rowCount;
    return terms.delete(...which);
  };
  Object.assign(services, { contents: oneStore({ ...store, terms: { ...terms, delete: remove } }) });
  const { items } = await undo().finally(() => Object.assign(services, { contents }));
  expect(items).toMatchObject([{ id: term.id, steps: ["delete"] }]);
  expect(leases).toBe(1);
});

test("undo looks through the undo of another app, in whichever order they are undone", async () => {
  const other = await connectTestTool(services, tenant);
  const postId = await publish();
  const edit = (actor: typeof tenant.actor, expectedVersion: number, body: string) =>
    services.call(registry.edit_post, actor, { ...here(), postId, expectedVersion, body });
  await edit(tool.actor, 2, "By one.");
  await edit(other.actor, 3, "By the other.");
  await edit(tool.actor, 4, "By one again.");
  const undoOf = async (id: GrantId) => (await undo(tenant.actor, since, id)).items.map(({ steps, left }) => left?.because ?? steps);
  // What lies on top goes; what lies below waits for the app between.
  expect(await undoOf(tool.connection.id)).toEqual([["edit"]]);
  expect((await read(postId)).working.body).toBe("By the other.");
  expect(await undoOf(tool.connection.id)).toEqual(["changed by others"]);
  expect(await undoOf(other.connection.id)).toEqual([["edit"]]);
  expect((await read(postId)).working.body).toBe("By one.");
  expect(await undoOf(tool.connection.id)).toEqual([["edit"]]);
  expect((await read(postId)).working.body).toBe("Before.");
  expect([await undoOf(tool.connection.id), await undoOf(other.connection.id)]).toEqual([[], []]);
  // A person's word in between is never undone.
  await edit(tool.actor, 8, "By one, once more.");
  await edit(tenant.actor, 9, "By hand.");
  expect(await undoOf(tool.connection.id)).toEqual(["changed by others"]);
});

test("a tool that reverts what a person wrote has changed something: undo brings the person's words back", async () => {
  const postId = await publish();
  const edit = (actor: typeof tenant.actor, expectedVersion: number, body: string) =>
    services.call(registry.edit_post, actor, { ...here(), postId, expectedVersion, body });
  await edit(tool.actor, 2, "By the tool.");
  await edit(tenant.actor, 3, "By hand.");
  services.pass(MINUTE);
  const from = timestamp(services.now);
  await edit(tool.actor, 4, "Before.");
  expect((await undo(tenant.actor, from)).items.map(({ steps }) => steps)).toEqual([["edit"]]);
  expect((await read(postId)).working.body).toBe("By hand.");
  const tag = await services.call(registry.create_term, tenant.actor, { ...here(), kind: "tag", name: "By hand" });
  services.pass(MINUTE);
  await services.call(registry.delete_term, tool.actor, { ...here(), termId: tag.id });
  expect((await undo(tenant.actor, timestamp(services.now))).items.map(({ steps }) => steps)).toEqual([["bring back"]]);
});

test("names, biographies and alt texts become what they were, also under another app's undo; a person's change stays", async () => {
  const other = await connectTestTool(services, tenant);
  const author = await services.call(registry.create_term, tenant.actor, {
    ...here(),
    kind: "author",
    name: "Ada",
    description: "Writes.",
  });
  const image = await services.call(registry.add_media, tenant.actor, INPUTS.add_media({ ...here(), workspaceId: "" }, {} as never));
  const focalPoint = { x: 0.25, y: 0.75 };
  await services.call(registry.edit_media, tenant.actor, { ...here(), mediaId: image.id, expectedVersion: 1, focalPoint });
  const rename = async (by: typeof tool, expectedVersion: number, fields: object) => {
    await services.call(registry.edit_term, by.actor, { ...here(), termId: author.id, expectedVersion, ...fields });
    await logCall(services, tenant, by.connection.id, "save_author", { id: author.id, label: "?" }, [expectedVersion, expectedVersion + 1]);
  };
  services.pass(1_000);
  await rename(tool, 1, { name: "Eve", slug: "eve", description: "Hacks." });
  await rename(other, 2, { name: "Mallory" });
  await services.call(registry.edit_media, tool.actor, {
    ...here(),
    mediaId: image.id,
    expectedVersion: 2,
    alt: "Not this",
    rotation: 180,
    focalPoint: null,
  });
  await logCall(services, tenant, tool.connection.id, "update_media", { id: image.id, label: "?" }, [2, 3]);
  const term = () => services.call(registry.get_term, tenant.actor, { ...here(), termId: author.id });
  const undoOf = async (id: GrantId) =>
    Object.fromEntries((await undo(tenant.actor, since, id)).items.map((item) => [item.id, item.left?.because ?? item.steps]));
  expect(await undoOf(tool.connection.id)).toEqual({ [author.id]: "changed by others", [image.id]: ["set back"] });
  expect(await undoOf(other.connection.id)).toEqual({ [author.id]: ["set back"] });
  expect(await term()).toMatchObject({ name: "Eve", description: "Hacks." });
  expect(await undoOf(tool.connection.id)).toEqual({ [author.id]: ["set back"] });
  expect(await term()).toMatchObject({ name: "Ada", slug: "ada", description: "Writes.", pastSlugs: ["eve"] });
  const shown = await services.call(registry.get_media, tenant.actor, { ...here(), mediaId: image.id });
  // The same settings have the number that they had.
  expect(shown).toMatchObject({ alt: "", edit: { revision: 1, focalPoint, crop: null, rotation: 0 } });
  await rename(tool, 5, { name: "Eve" });
  await services.call(registry.edit_term, tenant.actor, { ...here(), termId: author.id, expectedVersion: 6, name: "Ada L." });
  expect(await undoOf(tool.connection.id)).toEqual({ [author.id]: "changed by others" });
  expect((await term()).name).toBe("Ada L.");
});

test("a change of a term that a node did not live to log is undone as well", async () => {
  const tag = await services.call(registry.create_term, tenant.actor, { ...here(), kind: "tag", name: "Before" });
  services.pass(1_000);
  await services.call(registry.edit_term, tool.actor, { ...here(), termId: tag.id, expectedVersion: 1, name: "After" });
  expect((await undo()).items.map(({ id, steps }) => [id, steps])).toEqual([[tag.id, ["set back"]]]);
  expect((await services.call(registry.get_term, tenant.actor, { ...here(), termId: tag.id })).name).toBe("Before");
});

test("many posts are set back in steps, each a bounded answer", async () => {
  for (let i = 0; i < 25; i++) {
    services.pass(1_000);
    await services.call(registry.create_post, tool.actor, { ...here(), title: `Post ${i}` });
  }
  const input = { workspaceId: tenant.workspace.id, connectionId: tool.connection.id, since, until: timestamp(services.now) };
  const one = await services.call(registry.undo_connection, tenant.actor, input);
  expect([one.items.length, one.next?.phase]).toEqual([20, "posts"]);
  // Begun anew after a lost answer: nothing is done twice.
  const { items } = await undo();
  expect(items.map(({ steps }) => steps)).toEqual(Array.from({ length: 5 }, () => ["trash"]));
});

test("the preview foresees which of a tool's terms and images posts let go of, and undo does that", async () => {
  const made = async (name: string) => {
    const term = await services.call(registry.create_term, tool.actor, { ...here(), kind: "category", name });
    await logCall(services, tenant, tool.connection.id, "save_category", { id: term.id, label: name }, [null, 1]);
    return term.id;
  };
  const [kept, freed] = [await made("Kept"), await made("Freed")];
  const change = (id: PostId, expectedVersion: number, categoryIds: readonly string[]) =>
    services.call(registry.edit_post, tool.actor, { ...here(), postId: id, expectedVersion, categoryIds: [...categoryIds] });
  const [theirs, live, trashed] = [await publish(), await publish(), await publish()];
  await change(theirs, 2, [kept]);
  await services.call(registry.edit_post, tenant.actor, { ...here(), postId: theirs, expectedVersion: 3, body: "Mended by hand." });
  await change(live, 2, [freed]);
  await services.call(registry.update_live_post, tool.actor, { ...here(), postId: live, expectedVersion: 3 });
  await change(trashed, 2, [freed]);
  await services.call(registry.delete_post, tool.actor, { ...here(), postId: trashed, expectedVersion: 3 });
  await services.call(registry.create_post, tool.actor, { ...here(), title: "Made", categoryIds: [freed] });
  services.pass(MINUTE);
  const { preview, items } = await undo();
  const told = (list: typeof items) => Object.fromEntries(list.map((item) => [item.id, item.left?.because ?? item.steps]));
  expect(told(preview)).toMatchObject({ [kept]: "in use", [freed]: ["delete"], [theirs]: "changed by others" });
  expect(told(items)).toEqual(told(preview));
});
