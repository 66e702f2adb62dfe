import { expect, test, vi } from "vitest";
import { registry } from "#operations/registry";
import { writingIn } from "#test/delivery/writing";
import { mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import { onContent, openMovingOnce } from "./moving.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

withPart(mongoJavaServer.name, mongoJavaServer.find(), async (server) => {
  const { moving } = await openMovingOnce(server);

  test("what a left database has is fetched when it is back: ours stays, theirs becomes history, and nothing changes there", async () => {
    const [services] = moving.nodes;
    const tenant = await services.makeTenant();
    const websiteId = tenant.website.id;
    const at = onContent(services, tenant);
    const write = writingIn(services, tenant);
    const both = await write.post("In both");
    const { url, there } = moving.newDatabase();
    expect(await at.out(url)).toMatchObject({ state: "done" });

    services.pass(60_000);
    const tag = await write.term("tag", "Only there");
    const image = await write.image("there.gif");
    const edited = await write.revise(both, { title: "Newer there", body: "Written there." });
    const draft = await write.draft("A draft there", { tagIds: [tag.id], coverMediaId: image.id });
    const published = await write.post("Published there", { body: "Seen by readers." });
    const trashed = await write.trash(await write.draft("In the trash there"));
    // Somebody's hand in the documents, which no revision knows of.
    for (const { id } of [draft, both])
      await there.collection("posts").updateOne({ _id: { $regex: id } as never }, { $set: { workingBody: "By hand." } });
    moving.proxy.cut();
    const without = { withoutCopying: true, confirmName: tenant.website.name };
    expect(await at.call("disconnect_own_database", without)).toMatchObject({
      database: null,
      left: { shown: expect.stringContaining("/"), fetchedAt: null, isConnected: false },
    });
    await expect(at.call("fetch_left_content")).rejects.toMatchObject({ code: "INVALID_TRANSITION" });

    // Life goes on here, and takes a slug that a post there has.
    services.pass(60_000);
    const held = (await services.contents.managed.posts.get(websiteId, both.id))!;
    const ours = await write.edit({ ...both, version: held.version }, { body: "Written here." });
    const other = await write.draft("Published there");
    expect(other.working.slug).toBe(published.working.slug);

    moving.proxy.restore();
    services.pass(60_000);
    expect(await at.call("connect_own_database", { url })).toMatchObject({ left: { isConnected: true } });
    const dump = async () => {
      const names = (await there.listCollections().toArray()).map(({ name }) => name).toSorted();
      return Promise.all(names.map(async (name) => [name, await there.collection(name).find().sort({ _id: 1 }).toArray()]));
    };
    const before = await dump();
    await at.call("fetch_left_content");
    await expect(at.call("start_content_move")).rejects.toThrow(/being copied right now/);
    expect(await at.finish(services, "left content")).toMatchObject({ state: "done", error: null });
    const brought = { posts: 2, terms: 1, images: 1, versions: expect.any(Number) };
    expect(await at.call("get_own_database")).toMatchObject({ left: { fetchedAt: expect.any(String) }, fetching: { brought } });
    expect(await dump()).toEqual(before);

    const { posts, terms, media, revisions } = services.contents.managed;
    expect(await posts.get(websiteId, both.id)).toMatchObject({
      version: ours.version,
      working: { title: "In both", body: "Written here." },
    });
    const history = async (postId: typeof both.id) => {
      const { rows } = await revisions.list(websiteId, postId, { after: null, limit: 50 });
      return Promise.all(rows.map(async ({ id }) => (await revisions.get(websiteId, postId, id))!.content.body));
    };
    expect(await history(both.id)).toEqual(expect.arrayContaining(["Written here.", "Written there.", "By hand."]));
    expect(edited.version).toBeLessThanOrEqual(ours.version);
    expect(await posts.get(websiteId, draft.id)).toMatchObject({
      status: "draft",
      working: { title: "A draft there", body: "By hand.", tagIds: [tag.id], coverMediaId: image.id },
    });
    expect(await terms.get(websiteId, tag.id)).toMatchObject({ name: "Only there" });
    expect(await media.get(websiteId, image.id)).toMatchObject({ filename: "there.gif" });
    // Readers see nothing of it before a person says so; its slug is somebody else's by now.
    const back = (await posts.get(websiteId, published.id))!;
    expect(back).toMatchObject({ status: "unpublished", working: { title: "Published there" }, scheduledAt: null });
    expect(back.working.slug).not.toBe(other.working.slug);
    expect(await posts.getLive(websiteId, published.id)).toBeNull();
    expect(await posts.get(websiteId, trashed.id)).toBeNull();
    const again = { websiteId, postId: published.id, expectedVersion: back.version };
    expect(await services.call(registry.publish_post, tenant.actor, again)).toMatchObject({ status: "published" });

    // Once more it brings nothing; with its connection the notice goes too.
    const kept = await history(both.id);
    await at.call("fetch_left_content");
    await at.finish(services, "left content");
    expect((await at.call("get_own_database")).fetching?.brought).toEqual({ posts: 0, terms: 0, images: 0, versions: 0 });
    expect(await history(both.id)).toEqual(kept);
    await at.call("disconnect_own_database");
    expect(await at.call("disconnect_own_database")).toMatchObject({ database: null, left: null });
  });
});
