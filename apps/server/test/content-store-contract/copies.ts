import { expect } from "vitest";
import type { Post } from "#domain/post";
import {
  buildContent,
  buildEvent,
  buildMedia,
  buildPublishedPost,
  buildRecordBeside,
  buildRevision,
  buildTerm,
  testId,
} from "../builders.ts";
import type { Suite } from "./suite.ts";

export function copies({ test, testVersion }: Suite): void {
  test("a copy goes from any older version to any newer one, replaces an equal one, and leaves a newer one alone", async ({
    store,
    website: websiteId,
  }) => {
    const at = (version: number, name = `version ${version}`) => ({ websiteId, version, name });
    const post = ({ version, name }: ReturnType<typeof at>): Post => {
      const working = buildContent(1, { title: name, tagIds: [testId("tag", version)], slug: `slug-${version}` });
      const built = buildPublishedPost(1, { websiteId, version, working, pastSlugs: ["before"] });
      return { ...built, pendingEvents: [buildEvent(version, built)] };
    };
    const term = ({ version, name }: ReturnType<typeof at>) => buildTerm(1, { websiteId, version, name });
    const media = ({ version, name }: ReturnType<typeof at>) => buildMedia(1, { websiteId, version, alt: name });
    const beside = ({ version, name }: ReturnType<typeof at>) => buildRecordBeside(1, { websiteId, version, data: { name } });
    const revision = (state: ReturnType<typeof at>) => buildRevision(1, post(state), { version: state.version });
    const { posts, terms, revisions } = store;
    const kinds = [
      { put: (state: ReturnType<typeof at>) => posts.putIfNewer(post(state)), read: () => posts.get(websiteId, post(at(1)).id), of: post },
      { put: (state: ReturnType<typeof at>) => terms.putIfNewer(term(state)), read: () => terms.get(websiteId, term(at(1)).id), of: term },
      {
        put: (state: ReturnType<typeof at>) => store.media.putIfNewer(media(state)),
        read: () => store.media.get(websiteId, media(at(1)).id),
        of: media,
      },
      {
        put: (state: ReturnType<typeof at>) => store.beside.putIfNewer(beside(state)),
        read: () => store.beside.get(websiteId, beside(at(1)).id),
        of: beside,
      },
      {
        put: (state: ReturnType<typeof at>) => revisions.putIfNewer(revision(state)),
        read: () => revisions.get(websiteId, post(at(1)).id, revision(at(1)).id),
        of: revision,
      },
    ];
    for (const { put, read, of } of kinds) {
      for (const state of [at(3), at(7), at(7, "settled since")]) {
        expect(await put(state)).toBe("saved");
        expect(await read()).toEqual(of(state));
      }
      for (const older of [at(3), at(6)]) expect(await put(older)).toBe("stale");
      expect(await read()).toEqual(of(at(7, "settled since")));
    }
    // What lists are narrowed by follows.
    const showing = async (version: number) => (await posts.countLiveByFacet(websiteId, [[testId("tag", version)]]))[0];
    expect([await showing(3), await showing(7)]).toEqual([0, 1]);
    const { changes } = await store.feed.read(websiteId, null, 99);
    expect([...new Set(changes.map(({ kind }) => kind))].toSorted()).toEqual(["beside", "media", "post", "revision", "term"]);
  });

  test("what was removed is written again by a copy of any version", async ({ store, website: websiteId }) => {
    const post = buildPublishedPost(1, { websiteId, version: 4 });
    const term = buildTerm(1, { websiteId, version: 4 });
    await store.posts.putIfNewer(post);
    await store.terms.putIfNewer(term);
    await store.posts.purge(websiteId, post.id, 4);
    await store.terms.delete(websiteId, term.id, 4);
    expect(await store.posts.putIfNewer({ ...post, version: 2 })).toBe("saved");
    expect(await store.terms.putIfNewer({ ...term, version: 2 })).toBe("saved");
    expect(await store.posts.get(websiteId, post.id)).toEqual({ ...post, version: 2 });
    expect(await store.terms.get(websiteId, term.id)).toEqual({ ...term, version: 2 });
  });

  testVersion("a copy raises no content version", async ({ store, website: websiteId, contentVersion }) => {
    const before = await contentVersion();
    await store.posts.putIfNewer(buildPublishedPost(1, { websiteId, version: 4 }));
    await store.posts.putIfNewer(buildPublishedPost(1, { websiteId, version: 5 }));
    await store.terms.putIfNewer(buildTerm(1, { websiteId }));
    await store.media.putIfNewer(buildMedia(1, { websiteId }));
    expect(await contentVersion()).toBe(before);
  });
}
