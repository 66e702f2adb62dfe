import { expect } from "vitest";
import type { Post, PostContent } from "#domain/post";
import {
  at,
  buildContent,
  buildEvent,
  buildLive,
  buildMedia,
  buildPost,
  buildRendering,
  buildRevision,
  buildTerm,
  byTool,
  testId,
} from "../builders.ts";
import type { Suite } from "./suite.ts";

/** Whatever can stand in a text: accents both ways, right-to-left, astral characters, quotes, every kind of line end. */
const AWKWARD = "Æther é e\u0301 עברית 😀👩‍👩‍👧 \u{10FFFF} \"quoted\" 'single' \\n \r\n\t $set a.b % _ \u0001 \uFFFD";
const MIB = 1024 * 1024;

function fullContent(n: number): PostContent {
  return buildContent(n, {
    title: AWKWARD,
    excerpt: AWKWARD,
    body: `${AWKWARD}\n\n\`\`\`sql\nDROP TABLE posts;\n\`\`\`\n`,
    coverMediaId: testId("media", n),
    coverAlt: AWKWARD,
    categoryIds: [testId("category", 2), testId("category", 1)],
    tagIds: [testId("tag", 1)],
    authorIds: [testId("author", 2), testId("author", 1)],
    featured: true,
    seo: { title: AWKWARD, description: "", canonicalUrl: "https://example.com/?a=b&c", ogImageUrl: "/og.png", noindex: true },
    fields: {
      text: AWKWARD,
      number: -1.5e-7,
      large: 9_007_199_254_740_991,
      zero: 0,
      yes: true,
      nothing: null,
      nested: { "key.with.dots": [1, [2, { $dollar: "{}" }]], "": "empty key", "1": "digit key", __proto: [] },
      list: ["a", null, false],
    },
    publishedAt: at(-1),
  });
}

function fullPost(n: number, websiteId: Post["websiteId"]): Post {
  const working = fullContent(n);
  const liveContent = { ...fullContent(n + 1), title: "Live title", body: "The live body" };
  const post = buildPost(n, {
    websiteId,
    version: 1,
    status: "published",
    working,
    workingMediaIds: [testId("media", 5), testId("media", 4)],
    slugFollowsTitle: false,
    live: buildLive(liveContent, {
      rendering: buildRendering(liveContent, {
        rendererVersion: 7,
        html: `<h2 id="a">${AWKWARD}</h2>`,
        headings: [
          { id: "b", depth: 2, text: AWKWARD },
          { id: "a", depth: 3, text: "" },
        ],
        text: AWKWARD,
        wordCount: 12_345,
        readingMinutes: 61,
      }),
      mediaIds: [testId("media", 9), testId("media", 8)],
      publishedAt: at(1),
      updatedAt: at(999),
    }),
    hasUnpublishedChanges: true,
    pastSlugs: ["second", "first"],
    ownerId: null,
    createdAt: at(123),
    editedAt: at(456),
    editedBy: byTool(),
    scheduledAt: at(777),
    deletedAt: at(888),
    review: { requestedBy: byTool(), requestedAt: at(3), note: AWKWARD },
  });
  const { content: _content, websiteId: _websiteId, postId: _postId, ...head } = buildRevision(n, post, { kind: "restore", wasLive: true });
  const { body: _body, ...small } = liveContent;
  return {
    ...post,
    pendingEvents: [
      buildEvent(2, post, { type: "post.updated", previousSlug: "before", changed: ["slug", "title"] }),
      buildEvent(1, post, {
        actor: { type: "system", id: "schedule", userId: null },
        post: { content: small, wordCount: 3, readingMinutes: 1, publishedAt: at(1), createdAt: at(2), updatedAt: at(3) },
      }),
    ],
    pendingRevision: head,
  };
}

export function roundTrips({ test }: Suite): void {
  test("a post comes back exactly as it was inserted, every field", async ({ store, website }) => {
    const post = fullPost(1, website);
    expect(await store.posts.insert(post, { visible: true })).toBe("saved");
    expect(await store.posts.get(website, post.id)).toEqual(post);
  });

  test("a post with nothing in it comes back exactly: empty texts and nulls stay what they are", async ({ store, website }) => {
    const content = buildContent(1, { title: "", slug: "", excerpt: "", body: "" });
    const post = buildPost(1, {
      websiteId: website,
      working: content,
      ownerId: null,
      editedBy: { type: "system", id: "import", userId: null },
    });
    await store.posts.insert(post, { visible: false });
    expect(await store.posts.get(website, post.id)).toEqual(post);
  });

  test("a save replaces every field, also back to null and empty", async ({ store, website }) => {
    const full = fullPost(1, website);
    await store.posts.insert(full, { visible: true });
    const bare = buildPost(1, { websiteId: website, version: 2, working: buildContent(1, { title: "", body: "" }) });
    expect(await store.posts.save(bare, { visible: true })).toBe("saved");
    expect(await store.posts.get(website, full.id)).toEqual(bare);
    const again = { ...full, version: 3 };
    await store.posts.save(again, { visible: true });
    expect(await store.posts.get(website, full.id)).toEqual(again);
  });

  test("a body of 1 MiB, plain or all astral, comes back unchanged, working and live", async ({ store, website }) => {
    const plain = buildContent(1, { body: "0123456789abcde\n".repeat(MIB / 16) });
    const astral = buildContent(1, { body: "😀".repeat(MIB / 4) });
    const post = buildPost(1, { websiteId: website, status: "published", working: plain, live: buildLive(astral) });
    await store.posts.insert(post, { visible: true });
    const found = await store.posts.get(website, post.id);
    expect(found?.working.body === plain.body).toBe(true);
    expect(found?.live?.content.body === astral.body).toBe(true);
    expect((await store.posts.getLive(website, post.id))?.rendering.html === post.live?.rendering.html).toBe(true);
  });

  test("a live post is the live copy, with its body and rendering", async ({ store, website }) => {
    const post = fullPost(1, website);
    await store.posts.insert(post, { visible: true });
    const live = post.live!;
    const { body, ...content } = live.content;
    const thin = {
      id: post.id,
      websiteId: website,
      createdAt: post.createdAt,
      publishedAt: live.publishedAt,
      updatedAt: live.updatedAt,
      content,
      mediaIds: live.mediaIds,
      wordCount: 12_345,
      readingMinutes: 61,
    };
    expect(await store.posts.getLive(website, post.id)).toEqual({ ...thin, pastSlugs: post.pastSlugs, body, rendering: live.rendering });
    const page = await store.posts.listLive(website, { sort: "title", after: null, limit: 10 });
    expect(page.rows).toEqual([thin]);
  });

  test("a summary is the post without bodies, renderings and what is pending", async ({ store, website }) => {
    const post = fullPost(1, website);
    await store.posts.insert(post, { visible: true });
    const { working, live, pendingEvents: _events, pendingRevision: _revision, ...rest } = post;
    const { body: _body, ...thin } = working;
    const page = await store.posts.list(website, { statuses: ["published"], sort: "title", after: null, limit: 10 });
    expect(page.rows).toEqual([{ ...rest, working: thin, publishedAt: live!.publishedAt, updatedAt: live!.updatedAt }]);
  });

  test("a term comes back exactly as it was inserted and saved, every field", async ({ store, website }) => {
    const author = buildTerm(1, {
      websiteId: website,
      kind: "author",
      name: AWKWARD,
      description: AWKWARD,
      profile: { url: "https://example.com", avatarMediaId: testId("media", 1), userId: testId("user", 2) },
      pastSlugs: ["b", "a"],
      updatedAt: at(999),
    });
    const tag = buildTerm(2, { websiteId: website, kind: "tag", mergedInto: testId("tag", 3) });
    expect(await store.terms.insert(author)).toBe("saved");
    await store.terms.insert(tag);
    expect(await store.terms.get(website, author.id)).toEqual(author);
    expect(await store.terms.get(website, tag.id)).toEqual(tag);
    const renamed = { ...author, version: 2, name: "Other", slug: "other", pastSlugs: [], profile: null };
    expect(await store.terms.save(renamed)).toBe("saved");
    expect(await store.terms.get(website, author.id)).toEqual(renamed);
  });

  test("an image's record comes back exactly as it was inserted and saved, every field", async ({ store, website }) => {
    const image = buildMedia(1, {
      websiteId: website,
      filename: AWKWARD,
      alt: AWKWARD,
      bytes: 5_000_000_000,
      blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
      edit: { revision: 7, focalPoint: { x: 0.25, y: 1 }, crop: { x: 0.1, y: 0, width: 0.3333, height: 0.5 }, rotation: 270 },
      createdBy: byTool(),
      deletedAt: at(5),
    });
    expect(await store.media.insert(image)).toBe("saved");
    expect(await store.media.get(website, image.id)).toEqual(image);
    const changed = { ...image, version: 2, deletedAt: null, blurhash: null, alt: "", edit: null, url: "https://example.com/x.png" };
    expect(await store.media.save(changed)).toBe("saved");
    expect(await store.media.get(website, image.id)).toEqual(changed);
  });

  test("a revision comes back exactly as it was put, every field", async ({ store, website }) => {
    const post = fullPost(1, website);
    await store.posts.insert(post, { visible: false });
    const revision = buildRevision(1, post, {
      kind: "autosave",
      author: byTool(),
      startedAt: at(1),
      at: at(2),
      wasLive: true,
      version: 41,
    });
    await store.revisions.put(revision);
    expect(await store.revisions.get(website, post.id, revision.id)).toEqual(revision);
  });

  test("getMany answers those that exist, each once, whatever was asked for", async ({ store, website }) => {
    const [one, two] = [buildTerm(1, { websiteId: website }), buildTerm(2, { websiteId: website })];
    const image = buildMedia(1, { websiteId: website });
    await store.terms.insert(one);
    await store.terms.insert(two);
    await store.media.insert(image);
    const terms = await store.terms.getMany(website, [two.id, one.id, one.id, testId("category", 99)]);
    expect(terms.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([one, two]);
    expect(await store.terms.getMany(website, [])).toEqual([]);
    expect(await store.media.getMany(website, [image.id, image.id, testId("media", 99)])).toEqual([image]);
    expect(await store.media.getMany(website, [])).toEqual([]);
  });
}
