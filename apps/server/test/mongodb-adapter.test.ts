import { describe, expect, test } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
import { at, buildContent, buildEvent, buildPost, buildPublishedPost, buildRevision, buildTerm, edited, testId } from "#test/builders";
import { ferretdb, type MongoServer, mongoJavaServer } from "#test/mongodb";
import { handsOn } from "#test/mongodb-hands";
import { withPart } from "#test/parts";

/** What only this adapter promises: lost answers, crashes, the feed. */
function adapterTests(server: MongoServer, { findsAndModifiesInOneStep }: { findsAndModifiesInOneStep: boolean }): void {
  const hands = handsOn(server);

  describe("lost acknowledgements", () => {
    test("a save whose answer was lost is saved once, not stale", async () => {
      const post = buildPost(1, { websiteId: hands.website });
      await hands.store.posts.insert(post, { visible: false });
      hands.proxy.loseNextAnswerTo("update");
      expect(await hands.store.posts.save(edited(post, { working: buildContent(2) }), { visible: false })).toBe("saved");
      expect(await hands.store.posts.get(hands.website, post.id)).toEqual(edited(post, { working: buildContent(2) }));
      expect(await hands.store.posts.save(edited(post, { working: buildContent(3) }), { visible: false })).toBe("stale");
    });

    test("an insert, a removal and a claim whose answers were lost succeed once", async () => {
      const post = buildPost(1, { websiteId: hands.website });
      const before = hands.proxy.lost();
      hands.proxy.loseNextAnswerTo("insert");
      expect(await hands.store.posts.insert(post, { visible: false })).toBe("saved");
      expect(await hands.store.posts.insert(post, { visible: false })).toBe("stale");
      hands.proxy.loseNextAnswerTo("insert");
      const claim = { slug: "a", ownerId: post.id, claimedAt: at(1) };
      expect(await hands.store.claims.claim(hands.website, "post", claim)).toEqual({ ownerId: post.id, fresh: true });
      expect(await hands.store.claims.claim(hands.website, "post", claim)).toEqual({ ownerId: post.id, fresh: false });
      hands.proxy.loseNextAnswerTo("update");
      expect(await hands.store.claims.move(hands.website, "post", "a", post.id, "post_b")).toBe(true);
      hands.proxy.loseNextAnswerTo("update");
      expect(await hands.store.posts.purge(hands.website, post.id, 1)).toBe("saved");
      expect(await hands.store.posts.get(hands.website, post.id)).toBeNull();
      expect(hands.proxy.lost() - before).toBe(4);
    });

    test("a command that never arrived is sent again", async () => {
      const post = buildPost(1, { websiteId: hands.website });
      hands.proxy.loseNext("insert");
      expect(await hands.store.posts.insert(post, { visible: false })).toBe("saved");
      hands.proxy.loseNext("update");
      expect(await hands.store.posts.save(edited(post), { visible: false })).toBe("saved");
      hands.proxy.loseNext("findAndModify");
      expect(await hands.store.posts.save(edited(edited(post)), { visible: false })).toBe("saved");
      expect((await hands.store.posts.get(hands.website, post.id))?.version).toBe(3);
    });
  });

  describe("what a crash leaves behind", () => {
    test("a visible write whose process died is told by the sweep, and only once", async () => {
      const dying = await hands.open({ onVisibleChange: () => Promise.reject(new Error("died here")) });
      await expect(dying.terms.insert(buildTerm(1, { websiteId: hands.website }))).rejects.toThrow("died here");
      await expect(dying.posts.insert(buildPublishedPost(1, { websiteId: hands.website }), { visible: true })).rejects.toThrow("died here");
      await dying.close();
      await hands.store.posts.listPending(10);
      expect(hands.raised).not.toContain(hands.website);
      hands.now += 61_000;
      await hands.store.posts.listPending(10);
      expect(hands.raised.filter((id) => id === hands.website)).toHaveLength(2);
      await hands.store.posts.listPending(10);
      expect(hands.raised.filter((id) => id === hands.website)).toHaveLength(2);
    });

    test("settling raises the content version before it drops an event, and not again", async () => {
      const plain = buildPublishedPost(1, { websiteId: hands.website });
      const post = { ...plain, pendingEvents: [buildEvent(1, plain)] };
      await hands.store.posts.insert(post, { visible: true });
      expect(hands.raised).toEqual([hands.website]);
      const dying = await hands.open({ onVisibleChange: () => Promise.reject(new Error("died here")) });
      const settled = { eventIds: [testId("event", 1)], revision: null };
      await expect(dying.posts.settle(hands.website, post.id, settled)).rejects.toThrow("died here");
      await dying.close();
      expect((await hands.store.posts.get(hands.website, post.id))?.pendingEvents).toHaveLength(1);
      for (let time = 0; time < 3; time++) await hands.store.posts.settle(hands.website, post.id, settled);
      expect(hands.raised).toEqual([hands.website, hands.website]);
    });

    test("the revisions of a post whose purge was cut short are removed by the sweep", async () => {
      const post = buildPost(1, { websiteId: hands.website });
      await hands.store.posts.insert(post, { visible: false });
      await hands.store.revisions.put(buildRevision(1, post));
      await hands
        .raw("intents")
        .insertOne({ _id: `${hands.website}/cut-short`, w: hands.website, at: new Date(hands.now), purges: post.id });
      await hands
        .raw("posts")
        .replaceOne({ _id: `${hands.website}/${post.id}` }, { w: hands.website, gone: true, seq: 99, seqAt: new Date(hands.now) });
      hands.now += 61_000;
      await hands.store.posts.listPending(10);
      expect(await hands.store.revisions.latest(hands.website, post.id)).toBeNull();
      expect(await hands.raw("intents").countDocuments({ w: hands.website })).toBe(0);
    });

    test("a mark without anything pending is cleared, not reported", async () => {
      const post = buildPost(1, { websiteId: hands.website });
      await hands.store.posts.insert(post, { visible: false });
      await hands.raw("posts").updateOne({ _id: `${hands.website}/${post.id}` }, { $set: { pendingSince: new Date(at(-9e12)) } });
      expect((await hands.store.posts.listPending(10)).filter((found) => found.websiteId === hands.website)).toEqual([]);
      expect(await hands.raw("posts").countDocuments({ w: hands.website, pendingSince: { $exists: true } })).toBe(0);
    });
  });

  describe("change feed", () => {
    const ids = async (since: string | null) => {
      const { changes, cursor } = await hands.store.feed.read(hands.website, since, 10);
      return { ids: changes.map((change) => change.id), cursor };
    };

    test("a write that lands after later ones is told, however many reads passed it", async () => {
      await hands.store.posts.insert(buildPost(1, { websiteId: hands.website }), { visible: false });
      const release = hands.proxy.holdNext("insert");
      const slow = hands.store.posts.insert(buildPost(2, { websiteId: hands.website }), { visible: false });
      await expect.poll(() => hands.raw("counters").findOne({ _id: hands.website })).toMatchObject({ seq: 2 });
      await hands.store.posts.insert(buildPost(3, { websiteId: hands.website }), { visible: false });
      let read = await ids(null);
      expect(read.ids).toEqual([testId("post", 1), testId("post", 3)]);
      for (let time = 0; time < 3; time++) {
        hands.now += 10_000;
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
      const store = await hands.open();
      await Promise.all(
        Array.from({ length: WRITERS }, async (_, w) => {
          for (let n = 0; n < EACH; n++)
            await store.posts.insert(buildPost(w * EACH + n, { websiteId: hands.website }), { visible: false });
        }),
      );
      await store.close();
      const numbers = await hands.raw("posts").distinct("seq", { w: hands.website });
      expect(numbers).toHaveLength(WRITERS * EACH);
    });

    test("numbers that can no longer land are forgotten: the cursor does not grow", async () => {
      let post = buildPost(1, { websiteId: hands.website });
      await hands.store.posts.insert(post, { visible: false });
      let cursor = (await ids(null)).cursor;
      const short = cursor.length;
      for (let round = 0; round < 5; round++) {
        for (let time = 0; time < 3; time++) {
          post = edited(post);
          await hands.store.posts.save(post, { visible: false });
        }
        cursor = (await ids(cursor)).cursor;
      }
      expect(cursor.length).toBeGreaterThan(short);
      hands.now += 61_000;
      cursor = (await ids(cursor)).cursor;
      expect(cursor).toBe("16");
      expect((await ids(null)).cursor).toBe("16");
    });

    test.each(["", "x", "1;", "1;2-3", "-1", "1;2-3@4;"])("a cursor such as %j is refused", async (cursor) => {
      await expect(hands.store.feed.read(hands.website, cursor, 10)).rejects.toMatchObject({ code: "INVALID_CURSOR" });
    });
  });

  test("a cursor of another sort is refused, never an error of the database", async () => {
    const after = { key: "not a moment", id: "x" };
    await expect(hands.store.posts.listLive(hands.website, { sort: "createdAt", after, limit: 1 })).rejects.toMatchObject({
      code: "INVALID_CURSOR",
    });
  });

  test("opening again finds every index there, and all but those of the sweeps begin with the website", async () => {
    await (await hands.open()).close();
    for (const collection of await hands.collections()) {
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
