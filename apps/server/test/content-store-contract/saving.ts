import { expect } from "vitest";
import { buildContent, buildMedia, buildPost, buildRevision, buildTerm, edited, testId } from "../builders.ts";
import type { Suite } from "./suite.ts";

export function saving({ test }: Suite): void {
  test("what was never written is not there", async ({ store, website }) => {
    expect(await store.posts.get(website, testId("post", 1))).toBeNull();
    expect(await store.posts.getLive(website, testId("post", 1))).toBeNull();
    expect(await store.terms.get(website, testId("tag", 1))).toBeNull();
    expect(await store.media.get(website, testId("media", 1))).toBeNull();
    expect(await store.revisions.get(website, testId("post", 1), testId("revision", 1))).toBeNull();
    expect(await store.revisions.latest(website, testId("post", 1))).toBeNull();
  });

  test("inserting a post twice is stale and changes nothing", async ({ store, website }) => {
    const post = buildPost(1, { websiteId: website });
    expect(await store.posts.insert(post, { visible: false })).toBe("saved");
    const second = { ...post, working: buildContent(2) };
    expect(await store.posts.insert(second, { visible: false })).toBe("stale");
    expect(await store.posts.get(website, post.id)).toEqual(post);
  });

  test("a save needs the version before it: older, equal and skipped ones are stale and change nothing", async ({ store, website }) => {
    const post = buildPost(1, { websiteId: website });
    await store.posts.insert(post, { visible: false });
    const second = edited(post, { working: buildContent(2) });
    expect(await store.posts.save(second, { visible: false })).toBe("saved");
    for (const version of [1, 2, 4]) {
      const refused = { ...post, version, working: buildContent(9) };
      expect([version, await store.posts.save(refused, { visible: false })]).toEqual([version, "stale"]);
    }
    expect(await store.posts.get(website, post.id)).toEqual(second);
  });

  test("saving a post that was never inserted is stale and creates nothing", async ({ store, website }) => {
    const post = buildPost(1, { websiteId: website, version: 2 });
    expect(await store.posts.save(post, { visible: false })).toBe("stale");
    expect(await store.posts.get(website, post.id)).toBeNull();
    const page = await store.posts.list(website, { statuses: ["draft"], sort: "title", after: null, limit: 5 });
    expect(page.rows).toEqual([]);
  });

  test("purging needs the present version, removes the post with its revisions, and leaves other posts alone", async ({
    store,
    website,
  }) => {
    const post = buildPost(1, { websiteId: website });
    const other = buildPost(2, { websiteId: website });
    for (const each of [post, other]) {
      await store.posts.insert(each, { visible: false });
      await store.revisions.put(buildRevision(1, each));
      await store.revisions.put(buildRevision(2, each));
    }
    await store.posts.save(edited(post), { visible: false });
    expect(await store.posts.purge(website, post.id, 1)).toBe("stale");
    expect(await store.posts.get(website, post.id)).not.toBeNull();
    expect(await store.revisions.latest(website, post.id)).not.toBeNull();
    expect(await store.posts.purge(website, post.id, 2)).toBe("saved");
    expect(await store.posts.get(website, post.id)).toBeNull();
    expect(await store.revisions.get(website, post.id, testId("revision", 1))).toBeNull();
    expect(await store.revisions.latest(website, post.id)).toBeNull();
    expect(await store.posts.purge(website, post.id, 2)).toBe("stale");
    expect(await store.posts.get(website, other.id)).toEqual(other);
    expect(await store.revisions.latest(website, other.id)).toMatchObject({ id: testId("revision", 2) });
  });

  test("a purged post leaves every list and count", async ({ store, website }) => {
    const tag = testId("tag", 1);
    const post = buildPost(1, { websiteId: website, status: "deleted", working: buildContent(1, { tagIds: [tag] }) });
    await store.posts.insert(post, { visible: false });
    await store.posts.purge(website, post.id, 1);
    const page = await store.posts.list(website, { statuses: ["deleted"], facets: [[tag]], sort: "title", after: null, limit: 5 });
    expect(page.rows).toEqual([]);
    expect((await store.posts.countByStatus(website)).deleted).toBe(0);
    expect(await store.posts.countByFacet(website, [[tag]])).toEqual([0]);
  });

  test("a purged id can be inserted again", async ({ store, website }) => {
    const post = buildPost(1, { websiteId: website });
    await store.posts.insert(post, { visible: false });
    await store.posts.purge(website, post.id, 1);
    expect(await store.posts.insert(post, { visible: false })).toBe("saved");
    expect(await store.posts.get(website, post.id)).toEqual(post);
  });

  test("a term is inserted once, saved from the version before it, deleted at its present version", async ({ store, website }) => {
    const term = buildTerm(1, { websiteId: website });
    expect(await store.terms.save(edited(term))).toBe("stale");
    expect(await store.terms.insert(term)).toBe("saved");
    expect(await store.terms.insert({ ...term, name: "Other" })).toBe("stale");
    expect(await store.terms.save({ ...term, name: "Other" })).toBe("stale");
    const renamed = edited(term, { name: "Renamed" });
    expect(await store.terms.save(renamed)).toBe("saved");
    expect(await store.terms.delete(website, term.id, 1)).toBe("stale");
    expect(await store.terms.get(website, term.id)).toEqual(renamed);
    expect(await store.terms.delete(website, term.id, 2)).toBe("saved");
    expect(await store.terms.delete(website, term.id, 2)).toBe("stale");
    expect(await store.terms.get(website, term.id)).toBeNull();
  });

  test("an image's record is inserted once, saved from the version before it, deleted at its present version", async ({
    store,
    website,
  }) => {
    const image = buildMedia(1, { websiteId: website });
    expect(await store.media.save(edited(image))).toBe("stale");
    expect(await store.media.insert(image)).toBe("saved");
    expect(await store.media.insert({ ...image, alt: "Other" })).toBe("stale");
    expect(await store.media.save({ ...image, alt: "Other" })).toBe("stale");
    const changed = edited(image, { alt: "Changed" });
    expect(await store.media.save(changed)).toBe("saved");
    expect(await store.media.delete(website, image.id, 1)).toBe("stale");
    expect(await store.media.get(website, image.id)).toEqual(changed);
    expect(await store.media.delete(website, image.id, 2)).toBe("saved");
    expect(await store.media.delete(website, image.id, 2)).toBe("stale");
    expect(await store.media.get(website, image.id)).toBeNull();
  });
}
