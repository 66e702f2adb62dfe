import { expect, test } from "vitest";
import { newId, type TermId, type WebsiteId } from "#domain/ids";
import type { Term } from "#domain/term";
import type { ContentStore } from "#ports/content-store";
import { buildTerm, testId } from "#test/builders";
import { rememberRecords } from "./remembered-records.ts";

const website = newId("website");
const other = newId("website");
const [red, blue, gone] = [1, 2, 3].map((n) => testId("tag", n)) as [TermId, TermId, TermId];

/** A store with two terms, and what was asked of it. */
function storeWith(name: string) {
  const asked: (readonly TermId[])[] = [];
  const terms = [red, blue].map((id, n): Term => ({ ...buildTerm(n + 1, { websiteId: website, kind: "tag" }), id, name }));
  const getMany = async (websiteId: WebsiteId, ids: readonly TermId[]) => {
    asked.push(ids);
    return websiteId === website ? terms.filter(({ id }) => ids.includes(id)) : [];
  };
  return { asked, content: { terms: { getMany }, media: { getMany: async () => [] } } as unknown as ContentStore };
}

const namesIn = async (content: ContentStore, ids: readonly TermId[], of = website) =>
  (await content.terms.getMany(of, ids)).map(({ id, name }) => `${id} ${name}`).toSorted();

test("a record is asked for once in a state of the content, also one that is not there; another state asks anew", async () => {
  const records = rememberRecords();
  const before = storeWith("before");
  const first = { contentVersion: 7, storeEpoch: 0 };
  const here = records.remembered(before.content, first);
  expect(await namesIn(here, [red])).toEqual([`${red} before`]);
  expect(await namesIn(here, [red, blue, gone])).toEqual([`${red} before`, `${blue} before`].toSorted());
  expect(await namesIn(records.remembered(before.content, first), [blue, gone])).toEqual([`${blue} before`]);
  expect(before.asked).toEqual([[red], [blue, gone]]);

  const after = storeWith("after");
  for (const state of [
    { contentVersion: 8, storeEpoch: 0 },
    { contentVersion: 8, storeEpoch: 1 },
  ]) {
    expect(await namesIn(records.remembered(after.content, state), [red])).toEqual([`${red} after`]);
  }
  expect(after.asked).toEqual([[red], [red]]);
});

test("a website never has the record of another, and what is forgotten is asked for again, also what was under way", async () => {
  const records = rememberRecords();
  const state = { contentVersion: 1, storeEpoch: 0 };
  const store = storeWith("old");
  const here = records.remembered(store.content, state);
  await namesIn(here, [red]);
  expect(await namesIn(here, [red], other)).toEqual([]);
  const underWay = namesIn(here, [blue]);
  records.forgetAll();
  expect(await underWay).toEqual([`${blue} old`]);
  const now = storeWith("new");
  expect(await namesIn(records.remembered(now.content, state), [red, blue])).toEqual([`${red} new`, `${blue} new`].toSorted());
});
