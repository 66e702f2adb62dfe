import { expect, test } from "vitest";
import { contentMoved, contentPaused, type ContentHome, MANAGED } from "#domain/content-home";
import { execute } from "#operations/kernel/execute";
import { registry } from "#operations/registry";
import type { ContentStore } from "#ports/content-store";
import type { Post } from "#domain/post";
import { buildEvent, buildMedia, buildPublishedPost, buildRecordBeside, buildRevision, buildTerm, edited } from "#test/builders";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { openTestServices } from "#test/services";
import { withoutWholeSave } from "#test/without-whole-save";
import { openPostgresContent } from "./open.ts";
import { raiseContentVersion } from "./raise-content-version.ts";

const services = closedAtEnd(await openTestServices());
const second = closedAtEnd(await openTestDatabase());
const { homes, websites, events } = services.platform;
const content = services.contents.managed;

const moveTo = async (id: Parameters<typeof homes.pause>[0], home: ContentHome, to: ContentHome["kind"]) => {
  await homes.pause(id, 10);
  return homes.move({ id, home }, to);
};

test("while a website is moved or paused no record of it can be written, and those of others can", async () => {
  const { website } = await services.makeTenant();
  const other = await services.makeTenant();
  const websiteId = website.id;
  const post = buildPublishedPost(1, { websiteId });
  const pendingRevision = buildRevision(1, post);
  const pending: Post = { ...post, id: buildPublishedPost(2).id, pendingEvents: [buildEvent(1, post)] };
  const [term, media, beside] = [buildTerm(1, { websiteId }), buildMedia(1, { websiteId }), buildRecordBeside(1, { websiteId })];
  const visible = { visible: true };
  await content.posts.insert(post, visible);
  await content.posts.insert(pending, visible);
  await content.terms.insert(term);
  await content.media.insert(media);
  await content.beside.insert(beside);
  await content.revisions.put(pendingRevision);

  const writes: Record<string, (store: ContentStore) => Promise<unknown>> = {
    "insert a post": (store) => store.posts.insert(buildPublishedPost(9, { websiteId }), visible),
    "save a post": (store) => store.posts.save(edited(post), visible),
    "settle a post": (store) => store.posts.settle(websiteId, pending.id, { eventIds: [pending.pendingEvents[0]!.id], revision: null }),
    "render a post": (store) => store.posts.saveRendering(pending, 1, post.live!.rendering),
    "purge a post": (store) => store.posts.purge(websiteId, pending.id, 1),
    "put a revision": (store) => store.revisions.put(pendingRevision),
    "thin revisions": (store) => store.revisions.delete(websiteId, post.id, [pendingRevision.id]),
    "insert a term": (store) => store.terms.insert(buildTerm(9, { websiteId })),
    "save a term": (store) => store.terms.save(edited(term)),
    "delete a term": (store) => store.terms.delete(websiteId, term.id, 1),
    "insert an image": (store) => store.media.insert(buildMedia(9, { websiteId })),
    "save an image": (store) => store.media.save(edited(media)),
    "strip an image": (store) => store.media.saveFile(media, { bytes: 1, metadata: "stripped" }),
    "delete an image": (store) => store.media.delete(websiteId, media.id, 1),
    "insert a suggestion": (store) => store.beside.insert(buildRecordBeside(9, { websiteId })),
    "save a suggestion": (store) => store.beside.save(edited(beside)),
    "delete a suggestion": (store) => store.beside.delete(websiteId, [beside.id]),
  };
  const refusals = async () => {
    const found: Record<string, unknown> = {};
    for (const [name, write] of Object.entries(writes)) found[name] = await write(content).catch((error: unknown) => error);
    return found;
  };
  const all = (failure: Error) => Object.fromEntries(Object.keys(writes).map((name) => [name, failure]));
  const before = await content.feed.read(websiteId, null, 99);

  await homes.pause(websiteId, 10);
  expect(await refusals()).toEqual(all(contentPaused()));
  expect(await homes.move(website, "own")).toBe(true);
  expect(await refusals()).toEqual(all(contentMoved()));
  expect(await content.feed.read(websiteId, null, 99)).toEqual(before);

  expect(await content.terms.insert(buildTerm(9, { websiteId: other.website.id }))).toBe("saved");
  // What readers depend on is kept here, wherever the content lies.
  const { contentVersion } = await websites.contentState(websiteId);
  await raiseContentVersion(services.database, websiteId);
  expect(await websites.contentState(websiteId)).toEqual({ contentVersion: contentVersion + 1, storeEpoch: 1 });
  // Whoever copies the content back passes, for this website only.
  const moverOf = (id: typeof websiteId, epoch: number) =>
    openPostgresContent(services.database, { mover: { id, home: { kind: "own", epoch } } });
  const mover = moverOf(websiteId, 1);
  for (const [name, write] of Object.entries(writes)) {
    const result = await write(mover).catch((error: unknown) => error);
    expect([name, result]).not.toEqual([name, expect.any(Error)]);
  }
  // Neither whoever moves another website, nor whoever began before a later switch, or is still at it after the content came back.
  const late = buildTerm(10, { websiteId });
  for (const stranger of [moverOf(other.website.id, 0), moverOf(websiteId, 0)])
    await expect(stranger.terms.insert(late)).rejects.toEqual(contentMoved());
  expect(await moveTo(websiteId, { kind: "own", epoch: 1 }, "managed")).toBe(true);
  expect(await content.terms.insert(late)).toBe("saved");
  await expect(mover.terms.delete(websiteId, late.id, 1)).rejects.toEqual(contentMoved());
  await expect(mover.claims.release(websiteId, "tag", "late", late.id)).rejects.toEqual(contentMoved());
});

test("a pause ends by itself, and a website moves only while it lasts and from where it was", async () => {
  const { website, actor } = await services.makeTenant();
  const create = () => services.call(registry.create_post, actor, { websiteId: website.id, title: "Typed meanwhile" });
  expect(await homes.move(website, "own")).toBe(false);
  await homes.pause(website.id, 0.3);
  await expect(create()).rejects.toMatchObject({ code: "CONTENT_STORE_UNAVAILABLE", facts: { reason: "paused", retryAfterSeconds: 2 } });
  await expect.poll(() => create().then(() => "saved", String), { interval: 50, timeout: 10_000 }).toBe("saved");
  expect(await homes.move(website, "own")).toBe(false);
  expect(await moveTo(website.id, { kind: "managed", epoch: 7 }, "own")).toBe(false);
  await homes.resume(website.id);
  await create();
  expect(await websites.get(website.id)).toMatchObject({ home: MANAGED });

  const history = async () =>
    (await services.database.query({ text: "SELECT history FROM event_sequences WHERE website_id = $1", values: [website.id] })).rows[0];
  const [state, told] = [await websites.contentState(website.id), await history()];
  expect(await moveTo(website.id, MANAGED, "own")).toBe(true);
  expect(await websites.get(website.id)).toMatchObject({ version: website.version, home: { kind: "own", epoch: 1 } });
  expect(await websites.contentState(website.id)).toEqual({ contentVersion: state.contentVersion + 1, storeEpoch: 1 });
  expect(await history()).not.toEqual(told);
  expect((await homes.listOwn()).map(({ id }) => id)).toContain(website.id);
  expect(await homes.listMoved()).toContain(website.id);
  expect(await moveTo(website.id, { kind: "own", epoch: 1 }, "managed")).toBe(true);
  expect(await homes.listMoved()).not.toContain(website.id);
  await create();
  expect(await events.list(website.id, 0, 1)).toEqual([]);
});

test("a save that finds its website moved away looks again and is written where the content is, once", async () => {
  const { website, actor } = await services.makeTenant();
  const own = withoutWholeSave(openPostgresContent(second));
  const post = await services.call(registry.create_post, actor, { websiteId: website.id, title: "Here" });
  const stored = (await content.posts.get(website.id, post.id))!;
  await own.posts.insert(stored, { visible: false });
  let moves = 0;
  const movedMeanwhile: ContentStore = {
    ...content,
    posts: {
      ...content.posts,
      async saveWhole(save) {
        if (moves++ === 0) expect(await moveTo(website.id, MANAGED, "own")).toBe(true);
        return content.posts.saveWhole!(save);
      },
    },
  };
  const contents = {
    managed: movedMeanwhile,
    asMover: null,
    withContent: (({ home }, work) => work(home.kind === "own" ? own : movedMeanwhile)) as typeof services.contents.withContent,
  };
  const input = { websiteId: website.id, postId: post.id, expectedVersion: 1, title: "There" };
  expect(await execute({ ...services, contents }, registry.edit_post, actor, input)).toMatchObject({ version: 2 });
  expect(moves).toBe(1);
  expect(await content.posts.get(website.id, post.id)).toEqual(stored);
  expect(await own.posts.get(website.id, post.id)).toMatchObject({ version: 2, working: { title: "There" } });
});

test("removing what our own store has keeps the content version, by which answers are kept", async () => {
  const { website, actor } = await services.makeTenant();
  const post = await services.call(registry.create_post, actor, { websiteId: website.id, title: "Here" });
  await services.call(registry.publish_post, actor, { websiteId: website.id, postId: post.id, expectedVersion: 1 });
  await moveTo(website.id, MANAGED, "own");
  const state = await websites.contentState(website.id);
  while (!(await content.eraseWebsite(website.id, 2)));
  expect(await websites.contentState(website.id)).toEqual(state);
  await expect(content.terms.insert(buildTerm(1, { websiteId: website.id }))).rejects.toEqual(contentMoved());
});
