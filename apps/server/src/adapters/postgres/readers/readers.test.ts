import { beforeAll, expect, test } from "vitest";
import { newId, type PostId, type WebsiteId } from "#domain/ids";
import { MOST_REFERRERS } from "#domain/reader-rules";
import { MINUTE, timestamp } from "#domain/time";
import type { ReaderNumbers, View } from "#ports/reader-numbers";
import { closedAtEnd } from "#test/closed-at-end";
import { settle } from "#test/platform/records";
import { openTestDatabase } from "#test/postgres";
import { openDatabase } from "../database.ts";
import { openPostgresPlatform } from "../platform/platform.ts";
import { openPostgresReaders } from "./open.ts";

const database = closedAtEnd(await openTestDatabase());
let readers: ReaderNumbers;
beforeAll(async () => {
  readers = openPostgresReaders(database);
});

const NOON = Date.UTC(2026, 10, 15, 12);
const ids = () => ({ websiteId: newId("website"), postId: newId("post") });
const view = (where: { websiteId: WebsiteId; postId: PostId }, visitor: string, minutes = 0, more: Partial<View> = {}): View => ({
  ...where,
  at: timestamp(NOON + minutes * MINUTE),
  referrer: null,
  visitors: [visitor],
  ...more,
});
const total = async ({ websiteId, postId }: { websiteId: WebsiteId; postId: PostId }) =>
  (await readers.ofPost(websiteId, postId, [null]))[0];

test("one visitor is counted once per post in 30 minutes, and again when they are over", async () => {
  const where = ids();
  expect(await readers.add([view(where, "ann")])).toBe(1);
  expect(await readers.add([view(where, "ann", 0.1), view(where, "ann", 29.99)])).toBe(0);
  expect(await readers.add([view(where, "ann", 30)])).toBe(1);
  expect(await readers.add([view(where, "ann", 59)])).toBe(0);
  expect(await readers.add([view(where, "bob", 59)])).toBe(1);
  expect(await readers.add([view({ ...where, postId: newId("post") }, "ann", 59)])).toBe(1);
  expect(await total(where)).toBe(3);
});

test("a batch that waited for an hour counts what would have been counted meanwhile", async () => {
  const where = ids();
  const minutes = [45, 0, 10, 31, 29, 61];
  expect(await readers.add(minutes.map((minute) => view(where, "ann", minute)))).toBe(3);
});

test("a view that arrives after a later one was counted is no second one", async () => {
  const where = ids();
  expect(await readers.add([view(where, "ann", 10)])).toBe(1);
  expect(await readers.add([view(where, "ann", 5)])).toBe(0);
});

test("over midnight a visitor is still one, although the salt changed", async () => {
  const where = ids();
  expect(await readers.add([view(where, "old hash", 719)])).toBe(1);
  expect(await readers.add([view(where, "old hash", 725, { visitors: ["old hash", "new hash"] })])).toBe(0);
  expect(await readers.add([view(where, "", 749.5, { visitors: ["old hash", "new hash"] })])).toBe(1);
  // The old salt is gone; the half hour since the last count is not.
  expect(await readers.add([view(where, "new hash", 755)])).toBe(0);
  expect(await readers.add([view(where, "new hash", 780)])).toBe(1);
});

test("many nodes that see one visitor at the same moment count one view", async () => {
  const nodes = await Promise.all(Array.from({ length: 4 }, async () => openDatabase({ url: database.url, connections: 4 })));
  try {
    const where = ids();
    const batch = Array.from({ length: 20 }, (_, i) => view(where, `visitor ${i}`, 0, { referrer: `host-${i}.example` }));
    const counted = await Promise.all(
      Array.from({ length: 16 }, (_, i) => openPostgresReaders(nodes[i % 4]!).add(i % 2 ? batch : batch.toReversed())),
    );
    expect(counted.reduce((sum, count) => sum + count)).toBe(20);
    expect(await total(where)).toBe(20);
    expect(await readers.perDay(where.websiteId, "2026-11-15")).toEqual([{ day: "2026-11-15", views: 20 }]);
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
  }
});

test("views since a day include that day", async () => {
  const where = ids();
  for (const [visitor, day] of [
    ["a", 15],
    ["b", 14],
    ["c", 9],
    ["d", 8],
  ] as const) {
    await readers.add([view(where, visitor, 0, { at: timestamp(Date.UTC(2026, 10, day, 23, 59)) })]);
  }
  expect(await readers.ofPost(where.websiteId, where.postId, ["2026-11-15", "2026-11-09", null, "2026-11-16"])).toEqual([1, 3, 4, 0]);
});

test("the most read posts page by views, then id, and every post comes once", async () => {
  const websiteId = newId("website");
  const posts = Array.from({ length: 23 }, () => newId("post"));
  const views = posts.flatMap((postId, i) =>
    Array.from({ length: (i % 4) + 1 }, (_, visitor) => view({ websiteId, postId }, `v${visitor}`)),
  );
  await readers.add(views);
  await readers.add([view({ websiteId, postId: posts[0]! }, "long ago", 0, { at: timestamp(Date.UTC(2020, 0, 1)) })]);
  for (const since of [null, "2026-11-15"]) {
    const seen: { postId: string; views: number }[] = [];
    for (let after: { views: number; id: string } | null = null; ;) {
      const rows = await readers.mostRead(websiteId, since, after, 5);
      seen.push(...rows);
      const last = rows.at(-1);
      if (!last || rows.length < 5) break;
      after = { views: last.views, id: last.postId };
    }
    const expected = posts
      .map((postId, i) => ({ postId, views: (i % 4) + 1 + (since === null && i === 0 ? 1 : 0) }))
      .toSorted((a, b) => b.views - a.views || (a.postId < b.postId ? -1 : 1));
    expect(seen).toEqual(expected);
  }
});

test("at most 500 referrers a website and day; the rest is counted as other, also when nodes add at once", async () => {
  const where = ids();
  const from = (first: number, count: number) =>
    Array.from({ length: count }, (_, i) => view(where, `v${first + i}`, 0, { referrer: `h${first + i}.example` }));
  await Promise.all([readers.add(from(0, 300)), readers.add(from(300, 300)), readers.add(from(600, 100))]);
  await readers.add([view(where, "again", 0, { referrer: "h0.example" }), view(where, "next day", 24 * 60, { referrer: "new.example" })]);
  const { rows } = await database.query<{ day: string; hosts: number; views: number }>({
    text: "SELECT day::text AS day, count(*) AS hosts, sum(views)::bigint AS views FROM reader_referrers WHERE website_id = $1 GROUP BY day ORDER BY day",
    values: [where.websiteId],
  });
  expect(rows).toEqual([
    { day: "2026-11-15", hosts: MOST_REFERRERS + 1, views: 701 },
    { day: "2026-11-16", hosts: 1, views: 1 },
  ]);
  expect((await readers.referrers(where.websiteId, "2026-11-15", 2))[0]).toEqual({ referrer: "other", views: expect.closeTo(200, -1) });
});

test("the salt of a day is the same on every node, differs from day to day, and is gone when forgotten", async () => {
  const salts = await Promise.all(Array.from({ length: 8 }, () => openPostgresReaders(database).saltOf("2026-11-15")));
  expect(new Set(salts).size).toBe(1);
  expect(await readers.saltOf("2026-11-16")).not.toBe(salts[0]);
  expect(await readers.saltLeft("2026-11-15")).toBe(salts[0]);
  await readers.forget("2026-11-16", timestamp(0), 10);
  expect(await readers.saltLeft("2026-11-15")).toBeNull();
  expect(await readers.saltLeft("2026-11-16")).not.toBeNull();
  // Made anew it is another: yesterday's hashes can be tied to nobody.
  expect(await readers.saltOf("2026-11-15")).not.toBe(salts[0]);
});

test("visitors are forgotten in batches, the numbers stay", async () => {
  const where = ids();
  await readers.add(Array.from({ length: 5 }, (_, i) => view(where, `v${i}`, i)));
  const others = async () =>
    (
      await database.query<{ left: number }>({
        text: "SELECT count(*) AS left FROM reader_visitors WHERE website_id = $1",
        values: [where.websiteId],
      })
    ).rows[0]!.left;
  while ((await readers.forget("2000-01-01", timestamp(NOON + 3 * MINUTE), 2)) > 0);
  expect(await others()).toBe(2);
  expect(await total(where)).toBe(5);
});

test("what was read on days long past is forgotten website by website, a few at a time; what was ever read stays exact", async () => {
  const days = ["2025-09-01", "2025-09-02", "2025-10-11", "2026-11-15"];
  const [one, other] = [ids(), ids()];
  for (const where of [one, other]) {
    for (const [index, day] of days.entries()) {
      const at = timestamp(Date.parse(`${day}T12:00:00.000Z`));
      const more = { ...where, postId: newId("post") };
      await readers.add([
        view(where, `v${index}`, 0, { at, referrer: "a.example" }),
        view(more, `v${index}`, 0, { at, referrer: "b.example" }),
      ]);
    }
  }
  const forgotten: number[] = [];
  do forgotten.push(await readers.forgetDays("2025-10-11", 3));
  while (forgotten.at(-1)! > 0);
  expect(Math.max(...forgotten)).toBe(3);
  for (const where of [one, other]) {
    const { websiteId, postId } = where;
    const kept = days.slice(2).map((day) => ({ day, views: 2 }));
    expect(await readers.perDay(websiteId, "2000-01-01")).toEqual(kept);
    expect(await readers.perDayOfPost(websiteId, postId, "2000-01-01")).toEqual(kept.map(({ day }) => ({ day, views: 1 })));
    expect(await readers.referrers(websiteId, "2000-01-01", 9)).toEqual([
      { referrer: "a.example", views: 2 },
      { referrer: "b.example", views: 2 },
    ]);
    expect(await total(where)).toBe(4);
    expect(await readers.mostRead(websiteId, null, null, 9)).toHaveLength(5);
    await readers.add([view(where, "today")]);
    expect(await total(where)).toBe(5);
  }
});

test("an erased website leaves no reader number behind", async () => {
  const platform = openPostgresPlatform(database);
  const { website } = await settle(platform);
  const other = ids();
  await readers.add([
    view({ websiteId: website.id, postId: newId("post") }, "ann", 0, { referrer: "a.example" }),
    view(other, "ann", 0, { referrer: "a.example" }),
  ]);
  await platform.websites.erase(website.id);
  for (const table of ["reader_visitors", "reader_views", "reader_totals", "reader_days", "reader_referrers"]) {
    const { rows } = await database.query<{ id: string }>({
      text: `SELECT website_id AS id FROM ${table} WHERE website_id = ANY ($1)`,
      values: [[website.id, other.websiteId]],
    });
    expect(rows, table).toEqual([{ id: other.websiteId }]);
  }
});
