import { setImmediate } from "node:timers/promises";
import { ObjectId } from "mongodb";
import { describe, expect, test } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
import type { FeedPage } from "#ports/change-feed";
import { at, buildContent, buildEvent, buildPost, buildPublishedPost, buildRevision, buildTerm, edited, testId } from "#test/builders";
import { ferretdb, type MongoServer, mongoJavaServer } from "#test/mongodb";
import { mongoTestStore } from "#test/mongodb-test-store";
import { withPart } from "#test/parts";

/** What only this adapter promises: lost answers, crashes, the feed. */
function adapterTests(server: MongoServer, { findsAndModifiesInOneStep }: { findsAndModifiesInOneStep: boolean }): void {
  const mongo = mongoTestStore(server);

  describe("lost acknowledgements", () => {
    test("a save whose answer was lost is saved once, not stale", async () => {
      const post = buildPost(1, { websiteId: mongo.website });
      await mongo.store.posts.insert(post, { visible: false });
      mongo.proxy.loseNextAnswerTo("update");
      expect(await mongo.store.posts.save(edited(post, { working: buildContent(2) }), { visible: false })).toBe("saved");
      expect(await mongo.store.posts.get(mongo.website, post.id)).toEqual(edited(post, { working: buildContent(2) }));
      expect(await mongo.store.posts.save(edited(post, { working: buildContent(3) }), { visible: false })).toBe("stale");
    });

    test("terms are counted right where somebody saves over a save whose answer was lost, before it is sent again", async () => {
      const tag = testId("tag", 1);
      const shown = () => mongo.store.posts.countByFacet(mongo.website, [[tag]]);
      const post = buildPost(1, { websiteId: mongo.website });
      const tagged = edited(post, { working: buildContent(1, { tagIds: [tag] }) });
      await mongo.store.terms.insert(buildTerm(1, { websiteId: mongo.website, id: tag, kind: "tag" }));
      await mongo.store.posts.insert(post, { visible: false });
      const before = mongo.proxy.lost();
      mongo.proxy.loseNextAnswerTo("update");
      const saving = mongo.store.posts.save(tagged, { visible: false });
      while (mongo.proxy.lost() === before) await setImmediate();
      const sendAgain = mongo.proxy.holdNext("findAndModify");
      const second = await mongo.open();
      await expect.poll(async () => (await second.posts.get(mongo.website, post.id))?.version).toBe(2);
      expect(await second.posts.save(edited(tagged, { working: buildContent(1) }), { visible: false })).toBe("saved");
      sendAgain();
      expect(await saving).toBe("stale");
      await second.close();
      mongo.now += 61_000;
      await mongo.store.posts.countOlder(10);
      await mongo.store.posts.insert(buildPost(2, { websiteId: mongo.website, working: buildContent(2, { tagIds: [tag] }) }), {
        visible: false,
      });
      expect(await shown()).toEqual([1]);
    });

    test("an insert, a removal and a claim whose answers were lost succeed once", async () => {
      const post = buildPost(1, { websiteId: mongo.website });
      const before = mongo.proxy.lost();
      mongo.proxy.loseNextAnswerTo("insert");
      expect(await mongo.store.posts.insert(post, { visible: false })).toBe("saved");
      expect(await mongo.store.posts.insert(post, { visible: false })).toBe("stale");
      mongo.proxy.loseNextAnswerTo("insert");
      const claim = { slug: "a", ownerId: post.id, claimedAt: at(1) };
      expect(await mongo.store.claims.claim(mongo.website, "post", claim)).toEqual({ ownerId: post.id, fresh: true });
      expect(await mongo.store.claims.claim(mongo.website, "post", claim)).toEqual({ ownerId: post.id, fresh: false });
      mongo.proxy.loseNextAnswerTo("update");
      expect(await mongo.store.claims.move(mongo.website, "post", "a", post.id, "post_b")).toBe(true);
      mongo.proxy.loseNextAnswerTo("update");
      expect(await mongo.store.posts.purge(mongo.website, post.id, 1)).toBe("saved");
      expect(await mongo.store.posts.get(mongo.website, post.id)).toBeNull();
      expect(mongo.proxy.lost() - before).toBe(4);
    });

    test("a command that never arrived is sent again", async () => {
      const post = buildPost(1, { websiteId: mongo.website });
      mongo.proxy.loseNext("insert");
      expect(await mongo.store.posts.insert(post, { visible: false })).toBe("saved");
      mongo.proxy.loseNext("update");
      expect(await mongo.store.posts.save(edited(post), { visible: false })).toBe("saved");
      mongo.proxy.loseNext("findAndModify");
      expect(await mongo.store.posts.save(edited(edited(post)), { visible: false })).toBe("saved");
      expect((await mongo.store.posts.get(mongo.website, post.id))?.version).toBe(3);
    });
  });

  test("several writes in one that are cut off are an outage like any other", async () => {
    const post = buildPost(1, { websiteId: mongo.website });
    const [first, second] = [buildRevision(1, post), buildRevision(2, post)];
    for (const revision of [first, second]) await mongo.store.revisions.put(revision);
    mongo.proxy.loseNext("update");
    const removing = mongo.store.revisions.delete(mongo.website, first.postId, [first.id, second.id]);
    await expect(removing).rejects.toMatchObject({ name: "Failure", code: "CONTENT_STORE_UNAVAILABLE" });
    await mongo.store.revisions.delete(mongo.website, first.postId, [first.id, second.id]);
    expect(await mongo.store.revisions.get(mongo.website, first.postId, first.id)).toBeNull();
  });

  describe("what a crash leaves behind", () => {
    test("a visible write whose process died is told by the sweep, and only once", async () => {
      const dying = await mongo.open({ onVisibleChange: () => Promise.reject(new Error("died here")) });
      await expect(dying.terms.insert(buildTerm(1, { websiteId: mongo.website }))).rejects.toThrow("died here");
      await expect(dying.posts.insert(buildPublishedPost(1, { websiteId: mongo.website }), { visible: true })).rejects.toThrow("died here");
      await dying.close();
      await mongo.store.posts.finishInterrupted(10);
      expect(mongo.raised).not.toContain(mongo.website);
      mongo.now += 61_000;
      await mongo.store.posts.finishInterrupted(10);
      expect(mongo.raised.filter((id) => id === mongo.website)).toHaveLength(2);
      await mongo.store.posts.finishInterrupted(10);
      expect(mongo.raised.filter((id) => id === mongo.website)).toHaveLength(2);
    });

    test("settling raises the content version before it drops an event, and not again", async () => {
      const plain = buildPublishedPost(1, { websiteId: mongo.website });
      const post = { ...plain, pendingEvents: [buildEvent(1, plain)] };
      await mongo.store.posts.insert(post, { visible: true });
      expect(mongo.raised).toEqual([mongo.website]);
      const dying = await mongo.open({ onVisibleChange: () => Promise.reject(new Error("died here")) });
      const settled = { eventIds: [testId("event", 1)], revision: null };
      await expect(dying.posts.settle(mongo.website, post.id, settled)).rejects.toThrow("died here");
      await dying.close();
      expect((await mongo.store.posts.get(mongo.website, post.id))?.pendingEvents).toHaveLength(1);
      for (let time = 0; time < 3; time++) await mongo.store.posts.settle(mongo.website, post.id, settled);
      expect(mongo.raised).toEqual([mongo.website, mongo.website]);
    });

    test("the revisions of a post whose purge was cut short are removed by the sweep", async () => {
      const post = buildPost(1, { websiteId: mongo.website });
      await mongo.store.posts.insert(post, { visible: false });
      await mongo.store.revisions.put(buildRevision(1, post));
      await mongo
        .raw("intents")
        .insertOne({ _id: `${mongo.website}/cut-short`, w: mongo.website, at: new Date(mongo.now), purges: post.id });
      await mongo
        .raw("posts")
        .replaceOne({ _id: `${mongo.website}/${post.id}` }, { w: mongo.website, gone: true, seq: 99, seqAt: new Date(mongo.now) });
      mongo.now += 61_000;
      await mongo.store.posts.finishInterrupted(10);
      expect(await mongo.store.revisions.latest(mongo.website, post.id)).toBeNull();
      expect(await mongo.raw("intents").countDocuments({ w: mongo.website })).toBe(0);
    });

    test("terms whose posts were written by a process that died, or by an earlier version, are counted by the sweep", async () => {
      const [red, blue] = [testId("tag", 1), testId("tag", 2)];
      const counts = () => mongo.store.posts.countByFacet(mongo.website, [[red], [blue]]);
      const tagged = (n: number, ...tagIds: readonly (typeof red)[]) =>
        buildPost(n, { websiteId: mongo.website, working: buildContent(n, { tagIds }) });
      await mongo.store.terms.insert(buildTerm(1, { websiteId: mongo.website, id: red, kind: "tag" }));
      await mongo.store.terms.insert(buildTerm(2, { websiteId: mongo.website, id: blue, kind: "tag" }));
      await mongo.store.posts.insert(tagged(1, red), { visible: false });
      // It died between the post and the counts: the note is there, and nobody raised them.
      const note = `${mongo.website}/died`;
      await mongo.raw("intents").insertOne({ _id: note, w: mongo.website, since: new Date(mongo.now), terms: [red, blue] });
      const key = `${mongo.website}/${testId("post", 1)}`;
      await mongo.raw("posts").updateOne({ _id: key }, { $set: { workingFacets: [blue], shownFacets: [blue], version: 2 } });
      expect(await counts()).toEqual([1, 0]);
      // Others may still be at it.
      await mongo.store.posts.countOlder(10);
      expect(await mongo.raw("intents").countDocuments({ _id: note })).toBe(1);
      mongo.now += 61_000;
      await mongo.store.posts.countOlder(10);
      expect([await counts(), await mongo.raw("intents").countDocuments({ _id: note })]).toEqual([[0, 1], 0]);
      expect(mongo.raised).toContain(mongo.website);

      const { counted: _, ...older } = (await mongo.raw("posts").findOne({ _id: key }))!;
      await mongo.raw("posts").insertOne({ ...older, _id: `${mongo.website}/${testId("post", 2)}`, shownFacets: [red, blue] });
      for (let left = 10; (await mongo.store.posts.countOlder(10)) > 0 && left > 0; left--);
      expect(await counts()).toEqual([1, 2]);
      expect(await mongo.raw("counters").findOne({ _id: mongo.website })).toMatchObject({ counted: true });
      // From here on they are kept.
      await mongo.store.posts.insert(tagged(3, blue), { visible: false });
      expect(await counts()).toEqual([1, 3]);
      expect(await mongo.raw("counts").findOne({ _id: `${mongo.website}/${blue}` })).toMatchObject({ shown: 3, live: 0 });
    });

    test("a mark without anything pending is cleared, not reported", async () => {
      const post = buildPost(1, { websiteId: mongo.website });
      await mongo.store.posts.insert(post, { visible: false });
      await mongo.raw("posts").updateOne({ _id: `${mongo.website}/${post.id}` }, { $set: { pendingSince: new Date(at(-9e12)) } });
      expect((await mongo.store.posts.listPending(10)).filter((found) => found.websiteId === mongo.website)).toEqual([]);
      await mongo.store.posts.finishInterrupted(10);
      expect(await mongo.raw("posts").countDocuments({ w: mongo.website, pendingSince: { $exists: true } })).toBe(0);
    });
  });

  describe("change feed", () => {
    const ids = async (since: string | null) => {
      const { changes, cursor } = await mongo.store.feed.read(mongo.website, since, 10);
      return { ids: changes.map((change) => change.id), cursor };
    };

    /** Reads to the end; answers the ids that were told, in order and once each. */
    const walk = async (limit: number, since: string | null = null) => {
      const told = new Set<string>();
      let cursor = since;
      for (let pages = 0; pages < 30; pages++) {
        const read: FeedPage = await mongo.store.feed.read(mongo.website, cursor, limit);
        for (const { id } of read.changes) told.add(id);
        ({ cursor } = read);
        if (read.atEnd) return { told: [...told].toSorted(), cursor };
      }
      throw new Error("The walk does not end.");
    };

    test("a write that lands after later ones is told, however many reads passed it", async () => {
      await mongo.store.posts.insert(buildPost(1, { websiteId: mongo.website }), { visible: false });
      const release = mongo.proxy.holdNext("insert");
      const slow = mongo.store.posts.insert(buildPost(2, { websiteId: mongo.website }), { visible: false });
      await expect.poll(() => mongo.raw("counters").findOne({ _id: mongo.website })).toMatchObject({ seq: 2 });
      await mongo.store.posts.insert(buildPost(3, { websiteId: mongo.website }), { visible: false });
      let read = await ids(null);
      expect(read.ids).toEqual([testId("post", 1), testId("post", 3)]);
      for (let time = 0; time < 3; time++) {
        mongo.now += 10_000;
        read = await ids(read.cursor);
        expect(read.ids).toEqual([]);
      }
      release();
      await slow;
      read = await ids(read.cursor);
      expect(read.ids).toEqual([testId("post", 2)]);
      expect((await ids(read.cursor)).ids).toEqual([]);
    });

    // The feed goes by this: of two records with one number, a reader may have passed the second before it lands.
    test.runIf(findsAndModifiesInOneStep)("writes in parallel each have a number of their own", async () => {
      const [WRITERS, EACH] = [8, 50];
      const store = await mongo.open();
      await Promise.all(
        Array.from({ length: WRITERS }, async (_, w) => {
          for (let n = 0; n < EACH; n++)
            await store.posts.insert(buildPost(w * EACH + n, { websiteId: mongo.website }), { visible: false });
        }),
      );
      await store.close();
      const numbers = await mongo.raw("posts").distinct("seq", { w: mongo.website });
      expect(numbers).toHaveLength(WRITERS * EACH);
    });

    test("numbers that can no longer land are forgotten: the cursor does not grow", async () => {
      let post = buildPost(1, { websiteId: mongo.website });
      await mongo.store.posts.insert(post, { visible: false });
      let cursor = (await ids(null)).cursor;
      const short = cursor.length;
      for (let round = 0; round < 5; round++) {
        for (let time = 0; time < 3; time++) {
          post = edited(post);
          await mongo.store.posts.save(post, { visible: false });
        }
        cursor = (await ids(cursor)).cursor;
      }
      expect(cursor.length).toBeGreaterThan(short);
      mongo.now += 61_000;
      cursor = (await ids(cursor)).cursor;
      expect(cursor).toBe("16");
      expect((await ids(null)).cursor).toBe("16");
    });

    test("a document that was cloned by hand neither ends a walk nor hides the record whose number it has", async () => {
      for (const n of [1, 2, 3, 4]) await mongo.store.posts.insert(buildPost(n, { websiteId: mongo.website }), { visible: false });
      const { _id: _, ...second } = (await mongo.raw("posts").findOne({ seq: 2 }))!;
      // As a tool for databases clones a document; and more than fit on a page, as a script does.
      await mongo.raw("posts").insertOne({ ...second, _id: new ObjectId() as unknown as string });
      const copies = [5, 6, 7].map((n) => ({ ...second, seq: 4, _id: `${mongo.website}/${testId("post", n)}` }));
      await mongo.raw("posts").insertMany(copies);
      const all = [1, 2, 3, 4, 5, 6, 7].map((n) => testId("post", n)).toSorted();
      for (const limit of [1, 2, 3, 10]) expect((await walk(limit)).told).toEqual(all);
    });

    test("records without a number that Stet gave are told of, and hide nothing that is written later", async () => {
      const posts = [1, 2, 3, 4, 5].map((n) => buildPost(n, { websiteId: mongo.website }));
      for (const post of posts) await mongo.store.posts.insert(post, { visible: false });
      const change = (n: number, update: object) => mongo.raw("posts").updateOne({ _id: `${mongo.website}/${testId("post", n)}` }, update);
      await change(1, { $unset: { seq: "" } });
      await change(2, { $set: { seq: "7" } });
      await change(3, { $set: { seq: 900_000, seqAt: new Date(0) } });
      const all = posts.map(({ id }) => id).toSorted();
      for (const limit of [1, 2, 10]) expect((await walk(limit)).told).toEqual(all);
      const { cursor } = await walk(2);
      await mongo.store.posts.save(edited(posts[0]!), { visible: false });
      await mongo.store.posts.insert(buildPost(6, { websiteId: mongo.website }), { visible: false });
      expect((await walk(2, cursor)).told).toEqual([testId("post", 1), testId("post", 6)].toSorted());
      // Without its counter no number says anything.
      await mongo.raw("counters").deleteMany({});
      expect((await walk(2)).told).toEqual([...all, testId("post", 6)].toSorted());
    });

    // Looking for five hundred numbers takes FerretDB many seconds.
    test.runIf(findsAndModifiesInOneStep)(
      "with too many writes under way to remember them all the feed says so, and goes on when they are over",
      async () => {
        const WRITES = 520;
        const rows = Array.from({ length: WRITES }, (_, n) => ({
          _id: `${mongo.website}/${testId("post", n)}`,
          w: mongo.website,
          gone: true,
          seq: 2 * n + 2,
          seqAt: new Date(mongo.now),
        }));
        await mongo.raw("posts").insertMany(rows);
        await mongo.raw("counters").insertOne({ _id: mongo.website, w: mongo.website, seq: 2 * WRITES });
        const { changes, cursor, atEnd } = await mongo.store.feed.read(mongo.website, null, 1_000);
        expect([changes.length, atEnd]).toEqual([500, false]);
        await expect(mongo.store.feed.read(mongo.website, cursor, 1_000)).rejects.toMatchObject({ code: "UNAVAILABLE" });
        mongo.now += 61_000;
        const rest = await mongo.store.feed.read(mongo.website, cursor, 1_000);
        expect([rest.changes.length, rest.atEnd]).toEqual([WRITES - 500, true]);
      },
    );

    test.each(["", "x", "1;", "1;2-3", "-1", "1;2-3@4;"])("a cursor such as %j is refused", async (cursor) => {
      await expect(mongo.store.feed.read(mongo.website, cursor, 10)).rejects.toMatchObject({ code: "INVALID_CURSOR" });
    });
  });

  test("a cursor of another sort is refused, never an error of the database", async () => {
    const after = { key: "not a moment", id: "x" };
    await expect(mongo.store.posts.listLive(mongo.website, { sort: "createdAt", after, limit: 1 })).rejects.toMatchObject({
      code: "INVALID_CURSOR",
    });
  });

  test("opening again finds every index there, and all but those of the sweeps begin with the website", async () => {
    await (await mongo.open()).close();
    for (const collection of await mongo.collections()) {
      const indexes = (await collection.listIndexes().toArray()) as { name: string; key: Record<string, number> }[];
      const own = indexes.filter(({ name }) => name !== "_id_" && !name.startsWith("sweep "));
      expect(own.map(({ key }) => Object.keys(key)[0])).toEqual(own.map(() => "w"));
      expect(new Set(indexes.map(({ name }) => name)).size).toBe(indexes.length);
    }
  });
}

withPart("FerretDB 1.24", ferretdb.find(), (server) => adapterTests(server, { findsAndModifiesInOneStep: false }));
withPart("mongo-java-server 1.47", mongoJavaServer.find(), (server) => adapterTests(server, { findsAndModifiesInOneStep: true }));

test("a server that is not there is said within seconds, as the store being unavailable", async () => {
  const started = Date.now();
  const opening = openMongoContent({ url: "mongodb://127.0.0.1:9/", onVisibleChange: async () => {} });
  await expect(opening).rejects.toMatchObject({ name: "Failure", code: "CONTENT_STORE_UNAVAILABLE" });
  expect(Date.now() - started).toBeLessThan(8_000);
});
