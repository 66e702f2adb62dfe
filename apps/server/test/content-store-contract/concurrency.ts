import { expect } from "vitest";
import { buildContent, buildMedia, buildPost, buildTerm, edited } from "../builders.ts";
import type { Suite } from "./suite.ts";

const RIVALS = 20;
const rivals = Array.from({ length: RIVALS }, (_, index) => index);
const wins = (results: readonly string[]): number => results.filter((result) => result === "saved").length;

/** Needs a compare-and-set that the server itself makes atomic. */
export function concurrency({ test }: Suite): void {
  test("of parallel saves of a post from one version exactly one wins, and its content stays", async ({ store, website }) => {
    let post = buildPost(1, { websiteId: website });
    await store.posts.insert(post, { visible: false });
    for (let round = 0; round < 5; round++) {
      const saves = rivals.map((n) => edited(post, { working: buildContent(n, { title: `Rival ${round} ${n}` }) }));
      const results = await Promise.all(saves.map((save) => store.posts.save(save, { visible: save.working.title.length % 2 === 0 })));
      expect(wins(results)).toBe(1);
      post = saves[results.indexOf("saved")]!;
      expect(await store.posts.get(website, post.id)).toEqual(post);
    }
  });

  test("of parallel inserts of one post exactly one wins", async ({ store, website }) => {
    const inserts = rivals.map((n) => buildPost(1, { websiteId: website, working: buildContent(n) }));
    const results = await Promise.all(inserts.map((post) => store.posts.insert(post, { visible: false })));
    expect(wins(results)).toBe(1);
    expect(await store.posts.get(website, inserts[0]!.id)).toEqual(inserts[results.indexOf("saved")]);
  });

  test("of a parallel save and purge of one version exactly one wins", async ({ store, website }) => {
    for (let n = 0; n < 10; n++) {
      const post = buildPost(n, { websiteId: website });
      await store.posts.insert(post, { visible: false });
      const results = await Promise.all([
        store.posts.save(edited(post), { visible: false }),
        store.posts.purge(website, post.id, 1),
        store.posts.save(edited(post), { visible: false }),
      ]);
      expect(wins(results)).toBe(1);
      expect((await store.posts.get(website, post.id)) === null).toBe(results[1] === "saved");
    }
  });

  test("of parallel saves of a term or an image from one version exactly one wins", async ({ store, website }) => {
    const term = buildTerm(1, { websiteId: website });
    const image = buildMedia(1, { websiteId: website });
    await store.terms.insert(term);
    await store.media.insert(image);
    expect(wins(await Promise.all(rivals.map((n) => store.terms.save(edited(term, { name: `Rival ${n}` })))))).toBe(1);
    expect(wins(await Promise.all(rivals.map((n) => store.media.save(edited(image, { alt: `Rival ${n}` })))))).toBe(1);
  });

  test("writers on many posts of two websites at once never block each other for good", async ({ store, website, otherWebsite }) => {
    const posts = rivals.map((n) => buildPost(n, { websiteId: n % 2 ? website : otherWebsite }));
    await Promise.all(posts.map((post) => store.posts.insert(post, { visible: true })));
    for (let round = 0; round < 5; round++) {
      const saves = posts.map((post) => ({ ...post, version: round + 2 }));
      expect(wins(await Promise.all(saves.map((post) => store.posts.save(post, { visible: round % 2 === 0 }))))).toBe(RIVALS);
    }
  });
}
