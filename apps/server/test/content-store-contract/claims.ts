import { expect } from "vitest";
import type { SlugClaim, SlugSpace } from "#ports/slug-claims";
import { at, testId } from "../builders.ts";
import { compareCodePoints } from "./reference.ts";
import type { Suite } from "./suite.ts";

const claim = (slug: string, owner: number, claimedAt = at(owner)): SlugClaim => ({ slug, ownerId: testId("post", owner), claimedAt });

export function claims({ test }: Suite): void {
  test("a free slug is taken once; claiming one's own again is not fresh", async ({ store, website }) => {
    expect(await store.claims.claim(website, "post", claim("hello", 1))).toEqual({ ownerId: testId("post", 1), fresh: true });
    expect(await store.claims.claim(website, "post", claim("hello", 2))).toEqual({ ownerId: testId("post", 1), fresh: false });
    expect(await store.claims.claim(website, "post", claim("hello", 1, at(99)))).toEqual({ ownerId: testId("post", 1), fresh: false });
  });

  test("one of 20 parallel claims wins, and every claimant is told the same owner", async ({ store, website }) => {
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => store.claims.claim(website, "post", claim(`contested-${round}`, n + 1))),
      );
      expect(answers.filter((answer) => answer.fresh)).toHaveLength(1);
      expect(new Set(answers.map((answer) => answer.ownerId)).size).toBe(1);
    }
  });

  test("posts and each kind of term have slugs of their own", async ({ store, website }) => {
    for (const space of ["post", "category", "tag", "author"] as const) {
      expect((await store.claims.claim(website, space, claim("same", 1))).fresh).toBe(true);
    }
    await store.claims.release(website, "tag", "same", testId("post", 1));
    expect((await store.claims.owners(website, "tag", ["same"])).size).toBe(0);
    expect((await store.claims.owners(website, "category", ["same"])).size).toBe(1);
  });

  test("owners names who has each slug and leaves free ones out", async ({ store, website }) => {
    await store.claims.claim(website, "post", claim("a", 1));
    await store.claims.claim(website, "post", claim("b", 2));
    const owners = await store.claims.owners(website, "post", ["b", "free", "a", "a"]);
    expect(Object.fromEntries(owners)).toEqual({ a: testId("post", 1), b: testId("post", 2) });
    expect((await store.claims.owners(website, "post", [])).size).toBe(0);
  });

  test("only its owner can release a slug; then it is free", async ({ store, website }) => {
    await store.claims.claim(website, "post", claim("mine", 1));
    await store.claims.release(website, "post", "mine", testId("post", 2));
    expect((await store.claims.owners(website, "post", ["mine"])).get("mine")).toBe(testId("post", 1));
    await store.claims.release(website, "post", "mine", testId("post", 1));
    await store.claims.release(website, "post", "mine", testId("post", 1));
    expect(await store.claims.claim(website, "post", claim("mine", 2))).toEqual({ ownerId: testId("post", 2), fresh: true });
  });

  test("claiming one's own again renews it; a release of what was claimed before a moment leaves what was renewed since", async ({
    store,
    website,
  }) => {
    const me = testId("post", 1);
    const has = async (slug: string) => (await store.claims.owners(website, "post", [slug])).has(slug);
    await store.claims.claim(website, "post", claim("old", 1, at(10)));
    await store.claims.claim(website, "post", claim("renewed", 1, at(10)));
    await store.claims.claim(website, "post", claim("renewed", 1, at(20)));
    // A claim that comes late, from a slower clock, does not make it older.
    await store.claims.claim(website, "post", claim("renewed", 1, at(5)));
    // A rival's claim renews nothing.
    await store.claims.claim(website, "post", claim("old", 2, at(99)));
    for (const slug of ["old", "renewed"]) {
      await store.claims.release(website, "post", slug, me, at(10));
      expect(await has(slug)).toBe(true);
      await store.claims.release(website, "post", slug, me, at(20));
    }
    expect([await has("old"), await has("renewed")]).toEqual([false, true]);
    await store.claims.release(website, "post", "renewed", me, at(21));
    expect(await has("renewed")).toBe(false);
  });

  test("a slug moves only from the owner it has", async ({ store, website }) => {
    await store.claims.claim(website, "post", claim("moves", 1));
    expect(await store.claims.move(website, "post", "moves", testId("post", 2), testId("post", 3))).toBe(false);
    expect(await store.claims.move(website, "post", "moves", testId("post", 1), testId("post", 3))).toBe(true);
    expect(await store.claims.move(website, "post", "moves", testId("post", 1), testId("post", 3))).toBe(false);
    expect(await store.claims.move(website, "post", "nothing", testId("post", 1), testId("post", 3))).toBe(false);
    expect((await store.claims.owners(website, "post", ["moves"])).get("moves")).toBe(testId("post", 3));
  });

  test("claims older than a moment are walked by website, space and slug, each once", async ({ store, website, otherWebsite }) => {
    const before = at(-1_000_000);
    const old = at(-1_000_001);
    const made: string[] = [];
    for (const websiteId of [website, otherWebsite]) {
      for (const space of ["post", "tag"] as const) {
        for (const slug of ["a", "b-1", "b", "z"]) {
          await store.claims.claim(websiteId, space, claim(slug, 1, old));
          made.push(`${websiteId} ${space} ${slug}`);
        }
      }
    }
    await store.claims.claim(website, "post", claim("too-young", 1, before));
    for (const limit of [1, 3, 100]) {
      const seen: string[] = [];
      let after: Parameters<typeof store.claims.listClaimedBefore>[1] = null;
      for (;;) {
        const rows = await store.claims.listClaimedBefore(before, after, limit);
        expect(rows.length).toBeLessThanOrEqual(limit);
        seen.push(...rows.map((row) => `${row.websiteId} ${row.space} ${row.slug}`));
        for (const row of rows) expect(row).toMatchObject({ ownerId: testId("post", 1), claimedAt: old });
        const last = rows.at(-1);
        if (!last) break;
        after = { websiteId: last.websiteId, space: last.space satisfies SlugSpace, slug: last.slug };
      }
      expect(seen).toEqual(made.toSorted(compareCodePoints));
    }
  });
}
