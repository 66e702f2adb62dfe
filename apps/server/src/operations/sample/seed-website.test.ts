import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemActor } from "#domain/actor";
import { renderMarkdown } from "#domain/markdown/render";
import type { Website } from "#domain/website";
import { openTestServices, type TestServices } from "#test/services";
import { createTerm } from "../terms/create-term.ts";
import { samplePost } from "./helpers/sample-post.ts";
import { seedWebsite } from "./seed-website.ts";

let services: TestServices;
let rendered = 0;
beforeAll(async () => {
  services = await openTestServices({
    render: async (markdown) => {
      rendered += 1;
      return renderMarkdown(markdown);
    },
  });
});
afterAll(() => services.close());

const count = async (website: Website) => (await services.contentOf(website).posts.countByStatus(website.id)).published;

describe("seeding a website", () => {
  test("again with the same number adds nothing, with a larger one the rest", async () => {
    const { actor, website } = await services.makeTenant();
    const seed = (posts: number) => services.call(seedWebsite, actor, { websiteId: website.id, posts });
    expect(await seed(30)).toEqual({ added: 30, kept: 0 });
    expect(await seed(30)).toEqual({ added: 0, kept: 30 });
    expect(await seed(50)).toEqual({ added: 20, kept: 30 });
    expect(await seed(10)).toEqual({ added: 0, kept: 10 });
    expect(await count(website)).toBe(50);
  });

  test("two websites hold the same posts, each with images of its own", async () => {
    const [first, second] = [await services.makeTenant(), await services.makeTenant()];
    for (const { actor, website } of [first, second]) await services.call(seedWebsite, actor, { websiteId: website.id, posts: 25 });
    for (let index = 0; index < 25; index++) {
      const { id } = samplePost(index);
      const read = async ({ website, actor }: typeof first) => {
        const post = (await services.contentOf(website).posts.get(website.id, id))!;
        return JSON.stringify(post)
          .replaceAll(website.id, "(website)")
          .replaceAll(actor.type === "user" ? actor.userId : "", "(user)");
      };
      expect(await read(first)).toBe(await read(second));
    }
    for (const { website } of [first, second]) {
      expect([...services.files.keys()].filter((key) => key.startsWith(`${website.id}/`)).length).toBe(12);
    }
  });

  test("posts are live with the dates of the samples, a revision each, nothing pending, no event", async () => {
    const { actor, website, workspace } = await services.makeTenant();
    const content = services.contentOf(website);
    const version = async () => (await services.platform.websites.contentState(website.id)).contentVersion;
    const before = await version();
    await services.call(seedWebsite, actor, { websiteId: website.id, posts: 20 });
    expect(await version()).toBeGreaterThanOrEqual(before + 20);
    for (let index = 0; index < 20; index++) {
      const sample = samplePost(index);
      const live = await content.posts.getLive(website.id, sample.id);
      expect(live).toMatchObject({
        publishedAt: sample.publishedAt,
        createdAt: sample.createdAt,
        updatedAt: sample.updatedAt ?? sample.publishedAt,
        content: { title: sample.content.title, slug: sample.content.slug },
      });
      expect((await content.media.getMany(website.id, live!.mediaIds)).length).toBe(live!.mediaIds.length);
      const post = (await content.posts.get(website.id, sample.id))!;
      expect(post.pendingEvents).toEqual([]);
      expect(post.pendingRevision).toBeNull();
      expect(await content.revisions.latest(website.id, sample.id)).toMatchObject({ wasLive: true, version: post.version });
    }
    expect(await services.platform.events.list(website.id, 0, 10)).toEqual([]);
    const log = await services.platform.activity.list(workspace.id, { action: "seed_website", after: null, limit: 10 });
    expect(log.rows.map((entry) => entry.details)).toEqual([{ posts: 20 }]);
  });

  test("a run that was interrupted between claim and post is finished by the next", async () => {
    const { actor, website } = await services.makeTenant();
    const { id, content } = samplePost(3);
    await services
      .contentOf(website)
      .claims.claim(website.id, "post", { slug: content.slug, ownerId: id, claimedAt: samplePost(0).createdAt });
    expect(await services.call(seedWebsite, actor, { websiteId: website.id, posts: 5 })).toEqual({ added: 5, kept: 0 });
  });

  test("a category that the website has already is used, not doubled", async () => {
    const { actor, website } = await services.makeTenant();
    const own = await services.call(createTerm, actor, { websiteId: website.id, kind: "category", name: "Operations" });
    await services.call(seedWebsite, actor, { websiteId: website.id, posts: 1 });
    const post = await services.contentOf(website).posts.get(website.id, samplePost(0).id);
    expect(post?.working.categoryIds).toEqual([own.id]);
  });

  test("each body is rendered once, however many posts have it", async () => {
    const { actor, website } = await services.makeTenant();
    rendered = 0;
    const progress: number[] = [];
    await services.call(seedWebsite, actor, { websiteId: website.id, posts: 400, onProgress: (done: number) => progress.push(done) });
    expect(rendered).toBe(new Set(Array.from({ length: 400 }, (_, index) => samplePost(index).content.body)).size);
    expect(progress).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
  });

  test("an editor may not, and nobody beyond the limit", async () => {
    const { actor, website, addMember } = await services.makeTenant();
    const editor = await addMember("editor");
    await expect(services.call(seedWebsite, editor, { websiteId: website.id, posts: 1 })).rejects.toMatchObject({
      code: "INSUFFICIENT_ROLE",
    });
    await expect(services.call(seedWebsite, actor, { websiteId: website.id, posts: 100_001 })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    expect(await services.call(seedWebsite, systemActor("bootstrap"), { websiteId: website.id, posts: 0 })).toEqual({ added: 0, kept: 0 });
  });
});
