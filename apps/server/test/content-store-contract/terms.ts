import { expect } from "vitest";
import { fold } from "#domain/fold";
import type { Term } from "#domain/term";
import { buildContent, buildLive, buildPost, buildPublishedPost, buildTerm, edited, testId } from "../builders.ts";
import { idsOf, inOrder, rowsOf, walk } from "./reference.ts";
import type { Suite } from "./suite.ts";

const NAMES = ["b", "B", "á", "a", "A b", "a-b", "😀", "\uE000", "", "Zoë", "zoe", "10", "9"];

export function terms({ test }: Suite): void {
  test("terms of a kind come by folded name, code point by code point, then id; every limit gives each once", async ({
    store,
    website,
  }) => {
    const made: Term[] = NAMES.map((name, n) => buildTerm(n, { websiteId: website, kind: "tag", name }));
    for (const term of made.toReversed()) await store.terms.insert(term);
    await store.terms.insert(buildTerm(50, { websiteId: website, kind: "category", name: "a category" }));
    const expected = inOrder(made, "name", (term) => fold(term.name));
    for (const limit of [1, 4, NAMES.length, 100]) {
      const pages = await walk((after) => store.terms.list(website, { kind: "tag", after, limit }));
      expect(rowsOf(pages)).toEqual(expected);
      expect(pages).toHaveLength(Math.ceil(NAMES.length / limit));
    }
    const first = await store.terms.list(website, { kind: "tag", after: null, limit: 3 });
    expect(first.next).toEqual({ key: fold(expected[2]!.name), id: expected[2]!.id });
  });

  test("a renamed term takes its new place", async ({ store, website }) => {
    const [one, two] = [buildTerm(1, { websiteId: website, name: "a" }), buildTerm(2, { websiteId: website, name: "b" })];
    await store.terms.insert(one);
    await store.terms.insert(two);
    await store.terms.save(edited(one, { name: "c" }));
    expect(idsOf((await store.terms.list(website, { kind: "category", after: null, limit: 9 })).rows)).toEqual([two.id, one.id]);
  });

  test("a part of the name is found folded, and its signs mean themselves", async ({ store, website }) => {
    for (const [n, name] of ["Crème", "50%", "a.b", "a_b"].entries()) await store.terms.insert(buildTerm(n, { websiteId: website, name }));
    const find = async (nameContains: string) =>
      (await store.terms.list(website, { kind: "category", nameContains, after: null, limit: 9 })).rows.map((term) => term.name);
    expect(await find("CREM")).toEqual(["Crème"]);
    expect(await find("%")).toEqual(["50%"]);
    expect(await find(".")).toEqual(["a.b"]);
    expect(await find("_")).toEqual(["a_b"]);
  });

  test("merged terms are left out of lists and counts, and found by their target", async ({ store, website }) => {
    const target = buildTerm(1, { websiteId: website, kind: "tag" });
    const merged = [3, 2].map((n) => buildTerm(n, { websiteId: website, kind: "tag", mergedInto: target.id }));
    for (const term of [target, ...merged]) await store.terms.insert(term);
    await store.terms.insert(buildTerm(1, { websiteId: website, kind: "author" }));
    expect(idsOf((await store.terms.list(website, { kind: "tag", after: null, limit: 9 })).rows)).toEqual([target.id]);
    expect((await store.terms.listMergedInto(website, target.id)).toSorted()).toEqual([testId("tag", 2), testId("tag", 3)]);
    expect(await store.terms.listMergedInto(website, testId("tag", 2))).toEqual([]);
    expect(await store.terms.facetGroups(website, [testId("tag", 9), target.id, testId("tag", 2)])).toEqual([
      [testId("tag", 9)],
      [target.id, testId("tag", 2), testId("tag", 3)],
      [testId("tag", 2)],
    ]);
    expect(await store.terms.facetGroups(website, [])).toEqual([]);
    expect(await store.terms.count(website)).toEqual({ category: 0, tag: 1, author: 1 });
    expect(await store.terms.get(website, testId("tag", 2))).toMatchObject({ mergedInto: target.id });
  });

  test("only live: terms a published post shows in its live copy; a merged one counts for its target", async ({ store, website }) => {
    const tag = (n: number, overrides: Partial<Term> = {}) => buildTerm(n, { websiteId: website, kind: "tag", ...overrides });
    const [shown, draftOnly, workingOnly, target, wasLive] = [1, 2, 3, 4, 5].map((n) => tag(n)) as [Term, Term, Term, Term, Term];
    const merged = tag(6, { mergedInto: target.id });
    for (const term of [shown, draftOnly, workingOnly, target, wasLive, merged]) await store.terms.insert(term);
    const tagged = (n: number, term: Term) => buildContent(n, { tagIds: [term.id] });
    await store.posts.insert(buildPublishedPost(1, { websiteId: website, working: tagged(1, shown) }), { visible: true });
    await store.posts.insert(buildPost(2, { websiteId: website, working: tagged(2, draftOnly) }), { visible: false });
    await store.posts.insert(
      buildPublishedPost(3, { websiteId: website, working: tagged(3, workingOnly), live: buildLive(tagged(3, shown)) }),
      { visible: true },
    );
    await store.posts.insert(buildPublishedPost(4, { websiteId: website, working: tagged(4, merged) }), { visible: true });
    const off = buildPublishedPost(5, { websiteId: website, working: tagged(5, wasLive), status: "unpublished" });
    await store.posts.insert(off, { visible: true });
    for (const limit of [1, 9]) {
      const pages = await walk((after) => store.terms.list(website, { kind: "tag", onlyLive: true, after, limit }));
      expect(idsOf(rowsOf(pages))).toEqual([shown.id, target.id]);
    }
  });
}
