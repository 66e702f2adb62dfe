import { beforeAll, expect, test } from "vitest";
import { openPostgresReaders } from "#adapters/postgres/readers/open";
import { newId } from "#domain/ids";
import { MINUTE, timestamp } from "#domain/time";
import type { ReaderNumbers } from "#ports/reader-numbers";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { rememberRankings } from "./remembered-rankings.ts";

const database = closedAtEnd(await openTestDatabase());
let readers: ReaderNumbers;
let asked = 0;
beforeAll(async () => {
  const stored = openPostgresReaders(database);
  readers = {
    ...stored,
    mostRead(...question) {
      asked += 1;
      return stored.mostRead(...question);
    },
  };
});

const NOON = Date.UTC(2026, 10, 15, 12);

test("every page of a ranking is what the database would answer, and it is asked once a minute for all of them", async () => {
  const websiteId = newId("website");
  const posts = Array.from({ length: 40 }, () => newId("post"));
  const views = (from: number, count: number) =>
    posts.flatMap((postId, i) =>
      Array.from({ length: (i * 7) % count }, (_, visitor) => ({
        websiteId,
        postId,
        at: timestamp(NOON),
        referrer: null,
        visitors: [`${from} ${visitor}`] as const,
      })),
    );
  await readers.add(views(0, 6));
  let now = NOON;
  const remembered = rememberRankings(readers, () => new Date(now));
  asked = 0;
  const walk = async (source: ReaderNumbers) => {
    const seen: unknown[] = [];
    for (let after: { views: number; id: string } | null = null; ;) {
      const rows = await source.mostRead(websiteId, "2026-11-15", after, 7);
      seen.push(...rows);
      const last = rows.at(-1);
      if (!last) return seen;
      after = { views: last.views, id: last.postId };
    }
  };
  const [first] = await Promise.all([walk(remembered), walk(remembered)]);
  expect(asked).toBe(1);
  expect(first).toEqual(await walk(readers));
  await readers.add(views(1, 5));
  expect(await walk(remembered)).toEqual(first);
  now += MINUTE;
  expect(await walk(remembered)).toEqual(await walk(readers));
});

test("all time is asked directly, and a failure is not remembered", async () => {
  const websiteId = newId("website");
  let down = true;
  const remembered = rememberRankings(
    { ...readers, mostRead: (...q) => (down ? Promise.reject(new Error("down")) : readers.mostRead(...q)) },
    () => new Date(NOON),
  );
  await expect(remembered.mostRead(websiteId, "2026-11-15", null, 5)).rejects.toThrow("down");
  down = false;
  expect(await remembered.mostRead(websiteId, "2026-11-15", null, 5)).toEqual([]);
  asked = 0;
  await remembered.mostRead(websiteId, null, null, 5);
  await remembered.mostRead(websiteId, null, null, 5);
  expect(asked).toBe(2);
});
