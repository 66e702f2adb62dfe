import type { WebsiteId } from "#domain/ids";
import { expect, test } from "vitest";
import { at, buildContent, buildEvent, buildMedia, buildPost, buildPublishedPost, buildRevision, buildTerm, testId } from "#test/builders";
import { ferretdb, type MongoServer, mongoJavaServer } from "#test/mongodb";
import { handsOn } from "#test/mongodb-hands";
import { withPart } from "#test/parts";

/** The database is not trusted: whatever lies in it, the store answers with records that are whole, or with nothing. */
function untrustedTests(server: MongoServer): void {
  const hands = handsOn(server);
  const write = async (collection: string, id: string, change: Record<string, unknown>) => {
    const { matchedCount } = await hands.raw(collection).updateOne({ _id: `${hands.website}/${id}` }, { $set: change });
    expect(matchedCount).toBe(1);
  };

  test("a post that does not parse is left out of lists, absent by id, and told", async () => {
    const posts = [1, 2, 3].map((n) => buildPublishedPost(n, { websiteId: hands.website }));
    for (const post of posts) await hands.store.posts.insert(post, { visible: false });
    await write("posts", posts[1]!.id, { "working.title": { each: 1 }, "live.content.tagIds": "no list" });
    const listed = await hands.store.posts.list(hands.website, { statuses: ["published"], sort: "createdAt", after: null, limit: 10 });
    const live = await hands.store.posts.listLive(hands.website, { sort: "createdAt", after: null, limit: 10 });
    for (const { rows } of [listed, live]) expect(rows.map((row) => row.id)).toEqual([posts[0]!.id, posts[2]!.id]);
    expect(await hands.store.posts.get(hands.website, posts[1]!.id)).toBeNull();
    expect(await hands.store.posts.getLive(hands.website, posts[1]!.id)).toBeNull();
    expect(new Set(hands.bad)).toEqual(new Set([`${hands.website}/${posts[1]!.id}`]));
  });

  test("paging goes on past documents whose sort value is of another type", async () => {
    for (let n = 1; n <= 6; n++) await hands.store.posts.insert(buildPublishedPost(n, { websiteId: hands.website }), { visible: false });
    await write("posts", testId("post", 1), { publishedAt: "2026-01-01T00:00:00.000Z", liveTitleKey: 5 });
    await write("posts", testId("post", 6), { publishedAt: null, liveTitleKey: null });
    for (const sort of ["publishedAt", "-publishedAt", "title", "-title"] as const) {
      const first = await hands.store.posts.listLive(hands.website, { sort, after: null, limit: 2 });
      const second = await hands.store.posts.listLive(hands.website, { sort, after: first.next, limit: 2 });
      expect([...first.rows, ...second.rows].map((row) => row.id).toSorted()).toEqual([2, 3, 4, 5].map((n) => testId("post", n)));
      expect(second.next).toBeNull();
    }
  });

  test("bad terms, images, revisions and claims are absent, and never an error", async () => {
    const post = buildPost(1, { websiteId: hands.website });
    const [term, image, revision] = [
      buildTerm(1, { websiteId: hands.website, kind: "tag" }),
      buildMedia(1, { websiteId: hands.website, deletedAt: at(-9e12) }),
      buildRevision(1, post, { at: at(-9e12) }),
    ];
    await hands.store.terms.insert(term);
    await hands.store.media.insert(image);
    await hands.store.revisions.put(revision);
    await hands.store.claims.claim(hands.website, "post", { slug: "a", ownerId: post.id, claimedAt: at(1) });
    await write("terms", term.id, { version: -1 });
    await write("media", image.id, { bytes: "many" });
    await write("revisions", `${post.id}/${revision.id}`, { kind: "forged" });
    await write("claims", "post/a", { ownerId: 7 });
    expect(await hands.store.terms.get(hands.website, term.id)).toBeNull();
    expect((await hands.store.terms.list(hands.website, { kind: "tag", after: null, limit: 9 })).rows).toEqual([]);
    expect(await hands.store.media.get(hands.website, image.id)).toBeNull();
    expect(await hands.store.media.listDeletedBefore(at(-8e12), 9)).toEqual([]);
    expect(await hands.store.media.totalBytes(hands.website)).toBe(0);
    expect(await hands.store.revisions.get(hands.website, post.id, revision.id)).toBeNull();
    expect(await hands.store.revisions.listThinnable(at(-8e12), null, 9)).toEqual([]);
    // Nobody's, but not free: what cannot be read is not given away.
    expect(await hands.store.claims.claim(hands.website, "post", { slug: "a", ownerId: post.id, claimedAt: at(1) })).toEqual({
      ownerId: "",
      fresh: false,
    });
  });

  test("the website and the ids come from where a document lies, not from what it says", async () => {
    const post = buildPublishedPost(1, { websiteId: hands.website });
    await hands.store.posts.insert({ ...post, pendingEvents: [buildEvent(1, post)] }, { visible: false });
    const forged = testId("website", 999_999);
    await write("posts", post.id, { websiteId: forged, id: "post_forged", [`pending.${testId("event", 1)}.websiteId`]: forged });
    expect(await hands.store.posts.get(hands.website, post.id)).toEqual({ ...post, pendingEvents: [buildEvent(1, post)] });
    const document = await hands.raw("posts").findOne({ _id: `${hands.website}/${post.id}` });
    await hands.raw("posts").insertOne({ ...document!, _id: `${forged}/${post.id}` });
    const { rows } = await hands.store.posts.listLive(hands.website, { sort: "title", after: null, limit: 9 });
    expect(rows.map((row) => row.websiteId)).toEqual([hands.website]);
  });

  test("in a customer's database the sweeps see only the customer's website", async () => {
    const foreign = testId("website", 888_888);
    const pending = (websiteId: WebsiteId) => {
      const post = buildPost(1, { websiteId, status: "deleted", deletedAt: at(-9e12), editedAt: at(-9e12) });
      return { ...post, pendingEvents: [buildEvent(1, post)], live: buildPublishedPost(1).live };
    };
    for (const websiteId of [hands.website, foreign]) {
      await hands.store.posts.insert(pending(websiteId), { visible: false });
      await hands.store.media.insert(buildMedia(1, { websiteId, deletedAt: at(-9e12) }));
      await hands.store.revisions.put(buildRevision(1, pending(websiteId), { at: at(-9e12) }));
      await hands.store.claims.claim(websiteId, "post", { slug: "a", ownerId: "post", claimedAt: at(-9e12) });
    }
    const own = await hands.open({ only: hands.website });
    const before = at(-8e12);
    const seen = [
      ...(await own.posts.listPending(99)),
      ...(await own.posts.listDeletedBefore(before, 99)),
      ...(await own.posts.listRenderedBefore(9_999, 99)),
      ...(await own.media.listDeletedBefore(before, 99)),
      ...(await own.revisions.listThinnable(before, null, 99)),
      ...(await own.claims.listClaimedBefore(before, null, 99)),
    ];
    await own.close();
    expect(seen.map((row) => row.websiteId)).toEqual(Array.from({ length: 6 }, () => hands.website));
  });

  test("HTML passes the sanitiser on its way to a reader", async () => {
    const post = buildPublishedPost(1, { websiteId: hands.website });
    await hands.store.posts.insert(post, { visible: false });
    await write("posts", post.id, { "liveBody.html": "<script>1</script>" });
    const careful = await hands.open({ sanitizeHtml: (html) => html.replaceAll(/<script>.*<\/script>/g, "") });
    expect((await careful.posts.getLive(hands.website, post.id))?.rendering.html).toBe("");
    await careful.close();
  });

  test("bad documents at the front do not stop a sweep", async () => {
    for (let n = 1; n <= 4; n++) {
      await hands.store.posts.insert(
        buildPost(n, { websiteId: hands.website, status: "deleted", deletedAt: at(-9e12 + n), editedAt: at(-9e12 + n) }),
        { visible: false },
      );
      await hands.store.media.insert(buildMedia(n, { websiteId: hands.website, deletedAt: at(-9e12 + n) }));
    }
    for (const n of [1, 2, 3]) await write("media", testId("media", n), { width: null });
    expect((await hands.store.media.listDeletedBefore(at(-8e12), 1)).map((image) => image.id)).toEqual([testId("media", 4)]);
  });

  test("fields keep keys with dots, dollars and __proto__, in copies, revisions and events", async () => {
    const fields = JSON.parse('{"a.b":{"$set":1,"":[{"x.y":null}]},"$where":"1","__proto__":{"a":1},"n":1e300,"i":12345678901}');
    const content = buildContent(1, { fields });
    const plain = buildPublishedPost(1, { websiteId: hands.website, working: content });
    const { body: _, ...head } = content;
    const times = { publishedAt: at(1), createdAt: at(1), updatedAt: at(1) };
    const event = buildEvent(1, plain, { post: { content: head, wordCount: 1, readingMinutes: 1, ...times } });
    const post = { ...plain, pendingEvents: [event] };
    await hands.store.posts.insert(post, { visible: false });
    const found = await hands.store.posts.get(hands.website, post.id);
    const revision = buildRevision(1, post);
    await hands.store.revisions.put(revision);
    const texts = [
      found?.working.fields,
      found?.live?.content.fields,
      found?.pendingEvents[0]?.post?.content.fields,
      (await hands.store.revisions.get(hands.website, post.id, revision.id))?.content.fields,
    ].map((value) => JSON.stringify(value));
    expect(new Set(texts)).toEqual(new Set([JSON.stringify(fields)]));
  });
}

withPart("FerretDB 1.24", ferretdb.find(), untrustedTests);
withPart("mongo-java-server 1.47", mongoJavaServer.find(), untrustedTests);
