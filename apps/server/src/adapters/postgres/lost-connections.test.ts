import { expect, onTestFinished, test } from "vitest";
import { openBreakableProxy } from "#test/breakable-proxy";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { type Database, openDatabase } from "./database.ts";

const WATCH_MILLIS = 100;
const owner = closedAtEnd(await openTestDatabase({ migrated: false }));

async function openBeyond() {
  const proxy = await openBreakableProxy(owner.url);
  const database = openDatabase({ url: proxy.url, connections: 2, watchMillis: WATCH_MILLIS });
  onTestFinished(async () => {
    await proxy.close();
    await database.close();
  });
  return { proxy, database };
}

const ONE = { text: "SELECT 1 AS one" };

test.each<[string, (database: Database, lose: () => void) => Promise<unknown>]>([
  [
    "a statement",
    async (database, lose) => {
      await database.query(ONE);
      lose();
      await database.query(ONE);
    },
  ],
  [
    "a transaction",
    (database, lose) =>
      database.transaction(async (connection) => {
        await connection.query(ONE);
        lose();
        await connection.query(ONE);
      }),
  ],
  [
    "statements of one commit",
    async (database, lose) => {
      await database.query(ONE);
      lose();
      await database.inOneCommit([ONE, ONE]);
    },
  ],
])("%s on a connection that leads nowhere fails once the server can be asked, and the next has another", async (_, work) => {
  const { proxy, database } = await openBeyond();
  await expect(work(database, proxy.strand)).rejects.toThrow("Connection terminated");
  expect((await database.query(ONE)).rowCount).toBe(1);
});

test("a statement that takes long, or waits for a lock, is left alone, however silent its connection is", async () => {
  const { database } = await openBeyond();
  const lock = { text: "SELECT pg_advisory_xact_lock(1)" };
  let waiting: Promise<unknown> = Promise.resolve();
  await database.transaction(async (connection) => {
    await connection.query(lock);
    waiting = database.query(lock);
    waiting.catch(() => {});
    await connection.query({ text: `SELECT pg_sleep(${(10 * WATCH_MILLIS) / 1_000})` });
  });
  await expect(waiting).resolves.toMatchObject({ rowCount: 1 });
});
