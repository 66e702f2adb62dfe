import { expect, onTestFinished, test } from "vitest";
import { inPool, type PoolName } from "#domain/pool";
import { openBreakableProxy } from "#test/breakable-proxy";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { openDatabase } from "./database.ts";

const sizes = { reads: 1, writes: 1, jobs: 1 };
const owner = closedAtEnd(await openTestDatabase({ migrated: false }));
const database = closedAtEnd(openDatabase({ url: owner.url, connections: sizes }));

const one = async (pool: PoolName): Promise<number> =>
  (await inPool(pool, () => database.query<{ one: number }>({ text: "SELECT 1 AS one" }))).rows[0]!.one;

/** What is being run on the server for more than a moment. */
const sleeping = async (): Promise<number> =>
  (
    await owner.query<{ n: number }>({
      text: "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND query ~ '^SELECT pg_sleep'",
    })
  ).rows[0]!.n;
const sleep = (signal: AbortSignal) => inPool("reads", () => database.query({ text: "SELECT pg_sleep(60)" }), signal);

test("a pool whose connections are all taken keeps no other pool waiting", async () => {
  for (const busy of ["reads", "writes", "jobs", "limits"] as const) {
    await inPool(busy, () =>
      database.transaction(async () => {
        for (const pool of ["reads", "writes", "jobs", "limits"] as const) if (pool !== busy) expect(await one(pool)).toBe(1);
      }),
    );
  }
});

test("a statement that nobody waits for any more is cancelled in PostgreSQL, and its pool is free again", async () => {
  const gone = new AbortController();
  const slow = sleep(gone.signal);
  slow.catch(() => {});
  await expect.poll(sleeping).toBe(1);
  gone.abort(new Error("nobody waits"));
  await expect(slow).rejects.toThrow("nobody waits");
  await expect.poll(sleeping).toBe(0);
  expect(await one("reads")).toBe(1);
});

test("a statement that is given up on a connection that leads nowhere leaves its pool free", async () => {
  const proxy = await openBreakableProxy(owner.url);
  const beyond = openDatabase({ url: proxy.url, connections: sizes });
  onTestFinished(async () => {
    await proxy.close();
    await beyond.close();
  });
  const gone = new AbortController();
  const slow = inPool("reads", () => beyond.query({ text: "SELECT pg_sleep(60)" }), gone.signal);
  slow.catch(() => {});
  await expect.poll(sleeping).toBe(1);
  proxy.strand();
  gone.abort(new Error("nobody waits"));
  await expect(slow).rejects.toThrow("nobody waits");
  expect((await inPool("reads", () => beyond.query({ text: "SELECT 1" }))).rowCount).toBe(1);
});

test("what waited for a connection meanwhile is never asked, and what was given up before is not either", async () => {
  const first = new AbortController();
  const second = new AbortController();
  const slow = sleep(first.signal);
  const waiting = sleep(second.signal);
  for (const each of [slow, waiting]) each.catch(() => {});
  await expect.poll(sleeping).toBe(1);
  second.abort(new Error("gave up waiting"));
  first.abort(new Error("gave up"));
  await expect(waiting).rejects.toThrow("gave up waiting");
  await expect(slow).rejects.toThrow("gave up");
  await expect(sleep(first.signal)).rejects.toThrow("gave up");
  expect(await sleeping()).toBe(0);
});

test("a read that outlives its process is ended by PostgreSQL itself", async () => {
  const timeout = (pool: PoolName) => inPool(pool, () => database.query<{ statement_timeout: string }>({ text: "SHOW statement_timeout" }));
  expect((await timeout("reads")).rows).toEqual([{ statement_timeout: "30s" }]);
  expect((await timeout("writes")).rows).toEqual([{ statement_timeout: "0" }]);
});
