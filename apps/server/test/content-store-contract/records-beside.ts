import { expect } from "vitest";
import type { RecordBeside } from "#ports/records-beside";
import { at, buildRecordBeside, testId } from "../builders.ts";
import { walk } from "./reference.ts";
import type { Suite } from "./suite.ts";

const idsOf = (records: readonly Pick<RecordBeside, "id">[]) => records.map(({ id }) => id);

export function recordsBeside({ test }: Suite): void {
  test("a record beside content comes back as it was written, and only the next version replaces it", async ({
    store,
    website,
    otherWebsite,
  }) => {
    const record = buildRecordBeside(1, { websiteId: website, data: { "a.b": "$x", deep: { list: [1, null, "é\u2028"] }, z: 1, a: 2 } });
    expect(await store.beside.insert(record)).toBe("saved");
    expect(await store.beside.insert(record)).toBe("stale");
    expect(await store.beside.get(website, record.id)).toEqual(record);
    expect(Object.keys((await store.beside.get(website, record.id))!.data)).toEqual(["a.b", "deep", "z", "a"]);
    expect(await store.beside.get(otherWebsite, record.id)).toBeNull();
    const decided = { ...record, version: 2, open: false, data: { decided: true } };
    expect(await store.beside.save({ ...decided, websiteId: otherWebsite })).toBe("stale");
    expect(await store.beside.save(decided)).toBe("saved");
    expect(await store.beside.save(decided)).toBe("stale");
    expect(await store.beside.get(website, record.id)).toEqual(decided);
  });

  test("records beside content are listed newest first, by target and by what is open, and counted", async ({
    store,
    website,
    otherWebsite,
  }) => {
    const made = [1, 2, 3, 4, 5, 6].map((n) =>
      buildRecordBeside(n, {
        websiteId: website,
        at: at(Math.ceil(n / 2)),
        targetId: testId("post", n % 2),
        open: n !== 3,
        kind: n === 6 ? "change" : "suggestion",
      }),
    );
    for (const record of made) await store.beside.insert(record);
    await store.beside.insert(buildRecordBeside(9, { websiteId: otherWebsite, targetId: testId("post", 1) }));
    const [one, two, three, four, five, six] = idsOf(made);
    for (const limit of [1, 2, 9]) {
      const all = (await walk((after) => store.beside.list(website, { kind: "suggestion", after, limit }))).flatMap(({ rows }) => rows);
      expect(idsOf(all)).toEqual([five, four, three, two, one]);
    }
    const ofTarget = { kind: "suggestion", targetId: testId("post", 1), after: null, limit: 9 } as const;
    expect(idsOf((await store.beside.list(website, ofTarget)).rows)).toEqual([five, three, one]);
    expect(idsOf((await store.beside.list(website, { ...ofTarget, open: true })).rows)).toEqual([five, one]);
    expect(idsOf((await store.beside.list(website, { kind: "change", after: null, limit: 9 })).rows)).toEqual([six]);
    expect(await store.beside.countOpen(website, "suggestion")).toBe(4);
    expect(await store.beside.countOpen(website, "change")).toBe(1);
  });

  test("records beside content are removed by id within their website, and the feed tells of all of it", async ({
    store,
    website,
    otherWebsite,
  }) => {
    const [one, two] = [buildRecordBeside(1, { websiteId: website }), buildRecordBeside(2, { websiteId: website })];
    for (const record of [one, two, { ...one, websiteId: otherWebsite }]) await store.beside.insert(record);
    const before = await store.feed.read(website, null, 99);
    expect(before.changes).toEqual([one, two].map(({ id }) => ({ kind: "beside", id, removed: false })));
    await store.beside.delete(website, [one.id, "sug_unknown"]);
    await store.beside.delete(website, []);
    expect(await store.beside.get(website, one.id)).toBeNull();
    expect(idsOf((await store.beside.list(website, { kind: "suggestion", after: null, limit: 9 })).rows)).toEqual([two.id]);
    expect(await store.beside.get(otherWebsite, one.id)).not.toBeNull();
    expect((await store.feed.read(website, before.cursor, 99)).changes).toEqual([{ kind: "beside", id: one.id, removed: true }]);
    expect(await store.beside.insert(one)).toBe("saved");
  });

  test("the sweep is given closed records from before a moment, oldest first", async ({ store, website }) => {
    const records = [1, 2, 3, 4].map((n) => buildRecordBeside(n, { websiteId: website, at: at(n), open: n === 1 }));
    for (const record of records.toReversed()) await store.beside.insert(record);
    const found = await store.beside.listClosedBefore(at(4), 1_000);
    expect(found.filter((record) => record.websiteId === website)).toEqual(
      [2, 3].map((n) => ({ websiteId: website, id: records[n - 1]!.id })),
    );
    expect(await store.beside.listClosedBefore(at(4), 1)).toHaveLength(1);
  });
}
