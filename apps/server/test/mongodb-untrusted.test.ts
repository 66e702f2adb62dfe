import type { WebsiteId } from "#domain/ids";
import { expect, test } from "vitest";
import { at, buildContent, buildEvent, buildMedia, buildPost, buildPublishedPost, buildRevision, buildTerm, testId } from "#test/builders";
import { ferretdb, type MongoServer, mongoJavaServer } from "#test/mongodb";
import { mongoTestStore } from "#test/mongodb-test-store";
import { withPart } from "#test/parts";

/** The database is not trusted: whatever lies in it, the store answers with records that are whole, or with nothing. */
function untrustedTests(server: MongoServer): void {
  const mongo = mongoTestStore(server);
  const write = async (collection: string, id: string, change: Record<string, unknown>) => {
    const { matchedCount } = await mongo.raw(collection).updateOne({ _id: `${mongo.website}/${id}` }, { $set: change });
    expect(matchedCount).toBe(1);
  };

  test("a post that does not parse is left out of lists, absent by id, and told", async () => {
    const posts = [1, 2, 3].map((n) => buildPublishedPost(n, { websiteId: mongo.website }));
    for (const post of posts) await mongo.store.posts.insert(post, { visible: false });
    await write("posts", posts[1]!.id, { "working.title": { each: 1 }, "live.content.tagIds": "no list" });
    const listed = await mongo.store.posts.list(mongo.website, { statuses: ["published"], sort: "createdAt", after: null, limit: 10 });
    const live = await mongo.store.posts.listLive(mongo.website, { sort: "createdAt", after: null, limit: 10 });
    for (const { rows } of [listed, live]) expect(rows.map((row) => row.id)).toEqual([posts[0]!.id, posts[2]!.id]);
    expect(await mongo.store.posts.get(mongo.website, posts[1]!.id)).toBeNull();
    expect(await mongo.store.posts.getLive(mongo.website, posts[1]!.id)).toBeNull();
    expect(new Set(mongo.bad)).toEqual(new Set([`${mongo.website}/${posts[1]!.id}`]));
  });

  test("paging goes on past documents whose sort value is of another type", async () => {
    for (let n = 1; n <= 6; n++) await mongo.store.posts.insert(buildPublishedPost(n, { websiteId: mongo.website }), { visible: false });
    await write("posts", testId("post", 1), { publishedAt: "2026-01-01T00:00:00.000Z", liveTitleKey: 5 });
    await write("posts", testId("post", 6), { publishedAt: null, liveTitleKey: null });
    for (const sort of ["publishedAt", "-publishedAt", "title", "-title"] as const) {
      const first = await mongo.store.posts.listLive(mongo.website, { sort, after: null, limit: 2 });
      const second = await mongo.store.posts.listLive(mongo.website, { sort, after: first.next, limit: 2 });
      expect([...first.rows, ...second.rows].map((row) => row.id).toSorted()).toEqual([2, 3, 4, 5].map((n) => testId("post", n)));
      expect(second.next).toBeNull();
    }
  });

  test("bad terms, images, revisions and claims are absent, and never an error", async () => {
    const post = buildPost(1, { websiteId: mongo.website });
    const [term, image, revision] = [
      buildTerm(1, { websiteId: mongo.website, kind: "tag" }),
      buildMedia(1, { websiteId: mongo.website, deletedAt: at(-9e12) }),
      buildRevision(1, post, { at: at(-9e12) }),
    ];
    await mongo.store.terms.insert(term);
    await mongo.store.media.insert(image);
    await mongo.store.revisions.put(revision);
    await mongo.store.claims.claim(mongo.website, "post", { slug: "a", ownerId: post.id, claimedAt: at(1) });
    await write("terms", term.id, { version: -1 });
    await write("media", image.id, { bytes: "many" });
    await write("revisions", `${post.id}/${revision.id}`, { kind: "forged" });
    await write("claims", "post/a", { ownerId: 7 });
    expect(await mongo.store.terms.get(mongo.website, term.id)).toBeNull();
    expect((await mongo.store.terms.list(mongo.website, { kind: "tag", after: null, limit: 9 })).rows).toEqual([]);
    expect(await mongo.store.media.get(mongo.website, image.id)).toBeNull();
    expect(await mongo.store.media.listDeletedBefore(at(-8e12), 9)).toEqual([]);
    expect(await mongo.store.revisions.get(mongo.website, post.id, revision.id)).toBeNull();
    expect(await mongo.store.revisions.listThinnable(at(-8e12), null, 9)).toEqual([]);
    // Nobody's, but not free: what cannot be read is not given away.
    expect(await mongo.store.claims.claim(mongo.website, "post", { slug: "a", ownerId: post.id, claimedAt: at(1) })).toEqual({
      ownerId: "",
      fresh: false,
    });
  });

  test("an image from a version before has no settings, and settings that somebody made up are none", async () => {
    const edit = { revision: 2, focalPoint: { x: 0.5, y: 0.5 }, crop: null, rotation: 90 } as const;
    const image = buildMedia(1, { websiteId: mongo.website, edit });
    await mongo.store.media.insert(image);
    const key = { _id: `${mongo.website}/${image.id}` };
    await mongo.raw("media").updateOne(key, { $unset: { edit: 1, metadata: 1 } });
    expect(await mongo.store.media.get(mongo.website, image.id)).toEqual({ ...image, edit: null, metadata: "unchecked" });
    for (const made of [
      "x",
      { ...edit, rotation: 45 },
      { ...edit, revision: 1e9 },
      { ...edit, crop: { x: 0, y: 0, width: 9, height: 1 } },
    ]) {
      await write("media", image.id, { edit: made });
      expect((await mongo.store.media.get(mongo.website, image.id))?.edit).toBeNull();
    }
  });

  test("the website and the ids come from where a document lies, not from what it says", async () => {
    const post = buildPublishedPost(1, { websiteId: mongo.website });
    await mongo.store.posts.insert({ ...post, pendingEvents: [buildEvent(1, post)] }, { visible: false });
    const forged = testId("website", 999_999);
    await write("posts", post.id, { websiteId: forged, id: "post_forged", [`pending.${testId("event", 1)}.websiteId`]: forged });
    expect(await mongo.store.posts.get(mongo.website, post.id)).toEqual({ ...post, pendingEvents: [buildEvent(1, post)] });
    const document = await mongo.raw("posts").findOne({ _id: `${mongo.website}/${post.id}` });
    await mongo.raw("posts").insertOne({ ...document!, _id: `${forged}/${post.id}` });
    const { rows } = await mongo.store.posts.listLive(mongo.website, { sort: "title", after: null, limit: 9 });
    expect(rows.map((row) => row.websiteId)).toEqual([mongo.website]);
  });

  test("in a customer's database the sweeps see only the customer's website", async () => {
    const foreign = testId("website", 888_888);
    const pending = (websiteId: WebsiteId) => {
      const post = buildPost(1, { websiteId, status: "deleted", deletedAt: at(-9e12), editedAt: at(-9e12) });
      return { ...post, pendingEvents: [buildEvent(1, post)], live: buildPublishedPost(1).live };
    };
    for (const websiteId of [mongo.website, foreign]) {
      await mongo.store.posts.insert(pending(websiteId), { visible: false });
      await mongo.store.media.insert(buildMedia(1, { websiteId, deletedAt: at(-9e12) }));
      await mongo.store.revisions.put(buildRevision(1, pending(websiteId), { at: at(-9e12) }));
      await mongo.store.claims.claim(websiteId, "post", { slug: "a", ownerId: "post", claimedAt: at(-9e12) });
    }
    const own = await mongo.open({ only: mongo.website });
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
    expect(seen.map((row) => row.websiteId)).toEqual(Array.from({ length: 6 }, () => mongo.website));
  });

  test("HTML passes the sanitiser on its way to a reader", async () => {
    const post = buildPublishedPost(1, { websiteId: mongo.website });
    await mongo.store.posts.insert(post, { visible: false });
    await write("posts", post.id, { "liveBody.html": "<script>1</script>" });
    const careful = await mongo.open({ sanitizeHtml: (html) => html.replaceAll(/<script>.*<\/script>/g, "") });
    expect((await careful.posts.getLive(mongo.website, post.id))?.rendering.html).toBe("");
    await careful.close();
  });

  test("texts, lists and numbers beyond what the service writes make a document absent", async () => {
    const post = buildPublishedPost(1, { websiteId: mongo.website });
    const image = buildMedia(1, { websiteId: mongo.website });
    const term = buildTerm(1, { websiteId: mongo.website, kind: "tag" });
    await mongo.store.posts.insert(post, { visible: false });
    await mongo.store.media.insert(image);
    await mongo.store.terms.insert(term);
    const { working: _, ...kept } = (await mongo.raw("posts").findOne({ _id: `${mongo.website}/${post.id}` }))!;
    const restore = async () =>
      void (await mongo.raw("posts").updateOne({ _id: `${mongo.website}/${post.id}` }, { $set: { live: kept.live } }));
    for (const change of [
      { "live.content.title": "t".repeat(15_000_000) },
      { "live.content.tagIds": Array.from({ length: 50_001 }, () => testId("tag", 1)) },
      { "live.content.fields": JSON.stringify({ a: "x".repeat(200_000) }) },
      { "live.wordCount": 2 ** 40 },
      { "live.wordCount": -1 },
    ]) {
      await write("posts", post.id, change);
      expect(await mongo.store.posts.getLive(mongo.website, post.id), Object.keys(change)[0]).toBeNull();
      await restore();
    }
    // A server that itself stands on PostgreSQL does not take it in the first place.
    const isTaken = await write("posts", post.id, { "live.content.title": "a\0b" }).then(
      () => true,
      () => false,
    );
    if (isTaken) expect(await mongo.store.posts.getLive(mongo.website, post.id)).toBeNull();
    for (const change of [{ bytes: -5_000_000_000 }, { bytes: 5e12 }, { bytes: 1, contentType: "text/html" }]) {
      await write("media", image.id, change);
      expect(await mongo.store.media.get(mongo.website, image.id), JSON.stringify(change)).toBeNull();
    }
    await write("terms", term.id, { name: "n".repeat(9_000) });
    expect(await mongo.store.terms.get(mongo.website, term.id)).toBeNull();
  });

  test("addresses that lead elsewhere than the web are left out, and markup is clean also where a post is copied from", async () => {
    const post = buildPublishedPost(1, { websiteId: mongo.website });
    const author = buildTerm(1, { websiteId: mongo.website, kind: "author" });
    await mongo.store.posts.insert(post, { visible: false });
    await mongo.store.terms.insert(author);
    await write("posts", post.id, { "live.content.seo.canonicalUrl": "javascript:alert(1)", "liveBody.html": "<script>1</script>" });
    await write("terms", author.id, { profile: { url: "javascript:alert(1)" } });
    const careful = await mongo.open({ sanitizeHtml: (html) => html.replaceAll(/<script>.*<\/script>/g, "") });
    const found = await careful.posts.get(mongo.website, post.id);
    expect(found?.live).toMatchObject({ content: { seo: { canonicalUrl: null } }, rendering: { html: "" } });
    expect((await careful.terms.get(mongo.website, author.id))?.profile?.url).toBeNull();
    await careful.close();
  });

  test("bad documents at the front do not stop a sweep", async () => {
    for (let n = 1; n <= 4; n++) {
      await mongo.store.posts.insert(
        buildPost(n, { websiteId: mongo.website, status: "deleted", deletedAt: at(-9e12 + n), editedAt: at(-9e12 + n) }),
        { visible: false },
      );
      await mongo.store.media.insert(buildMedia(n, { websiteId: mongo.website, deletedAt: at(-9e12 + n) }));
    }
    for (const n of [1, 2, 3]) await write("media", testId("media", n), { width: null });
    expect((await mongo.store.media.listDeletedBefore(at(-8e12), 1)).map((image) => image.id)).toEqual([testId("media", 4)]);
  });

  test("fields keep keys with dots, dollars and __proto__, in copies, revisions and events", async () => {
    const fields = JSON.parse('{"a.b":{"$set":1,"":[{"x.y":null}]},"$where":"1","__proto__":{"a":1},"n":1e300,"i":12345678901}');
    const content = buildContent(1, { fields });
    const plain = buildPublishedPost(1, { websiteId: mongo.website, working: content });
    const { body: _, ...head } = content;
    const times = { publishedAt: at(1), createdAt: at(1), updatedAt: at(1) };
    const event = buildEvent(1, plain, { post: { content: head, wordCount: 1, readingMinutes: 1, ...times } });
    const post = { ...plain, pendingEvents: [event] };
    await mongo.store.posts.insert(post, { visible: false });
    const found = await mongo.store.posts.get(mongo.website, post.id);
    const revision = buildRevision(1, post);
    await mongo.store.revisions.put(revision);
    const texts = [
      found?.working.fields,
      found?.live?.content.fields,
      found?.pendingEvents[0]?.post?.content.fields,
      (await mongo.store.revisions.get(mongo.website, post.id, revision.id))?.content.fields,
    ].map((value) => JSON.stringify(value));
    expect(new Set(texts)).toEqual(new Set([JSON.stringify(fields)]));
  });
}

withPart("FerretDB 1.24", ferretdb.find(), untrustedTests);
withPart("mongo-java-server 1.47", mongoJavaServer.find(), untrustedTests);
