import { describe, expect, test } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
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

  describe("what a crash leaves behind", () => {
    test("a visible write whose process died is told by the sweep, and only once", async () => {
      const dying = await mongo.open({ onVisibleChange: () => Promise.reject(new Error("died here")) });
      await expect(dying.terms.insert(buildTerm(1, { websiteId: mongo.website }))).rejects.toThrow("died here");
      await expect(dying.posts.insert(buildPublishedPost(1, { websiteId: mongo.website }), { visible: true })).rejects.toThrow("died here");
      await dying.close();
      await mongo.store.posts.listPending(10);
      expect(mongo.raised).not.toContain(mongo.website);
      mongo.now += 61_000;
      await mongo.store.posts.listPending(10);
      expect(mongo.raised.filter((id) => id === mongo.website)).toHaveLength(2);
      await mongo.store.posts.listPending(10);
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
      await mongo.store.posts.listPending(10);
      expect(await mongo.store.revisions.latest(mongo.website, post.id)).toBeNull();
      expect(await mongo.raw("intents").countDocuments({ w: mongo.website })).toBe(0);
    });

    test("a mark without anything pending is cleared, not reported", async () => {
      const post = buildPost(1, { websiteId: mongo.website });
      await mongo.store.posts.insert(post, { visible: false });
      await mongo.raw("posts").updateOne({ _id: `${mongo.website}/${post.id}` }, { $set: { pendingSince: new Date(at(-9e12)) } });
      expect((await mongo.store.posts.listPending(10)).filter((found) => found.websiteId === mongo.website)).toEqual([]);
      expect(await mongo.raw("posts").countDocuments({ w: mongo.website, pendingSince: { $exists: true } })).toBe(0);
    });
  });

  describe("change feed", () => {
    const ids = async (since: string | null) => {
      const { changes, cursor } = await mongo.store.feed.read(mongo.website, since, 10);
      return { ids: changes.map((change) => change.id), cursor };
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
