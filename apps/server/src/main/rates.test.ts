import { expect, test } from "vitest";
import { openDatabase } from "#adapters/postgres/database";
import { inPool } from "#domain/pool";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { openRateLedger } from "./rates.ts";

test("the rate ledger answers while readers, writers and jobs have all their connections", async () => {
  const owner = closedAtEnd(await openTestDatabase());
  const database = closedAtEnd(openDatabase({ url: owner.url, connections: { reads: 1, writes: 1, jobs: 1 } }));
  const ledger = await openRateLedger({ redisUrl: null }, database, "an install");
  const question = { key: "a bucket", ratePerSecond: 1, burst: 10, least: 1, most: 1, atMost: 10, returned: 0 };
  const whileTaken = <T>(pools: readonly ("reads" | "writes" | "jobs")[], work: () => Promise<T>): Promise<T> =>
    pools.length === 0 ? work() : inPool(pools[0]!, () => database.transaction(() => whileTaken(pools.slice(1), work)));
  const answer = await whileTaken(["reads", "jobs", "writes"], async () => {
    await ledger.open();
    return ledger.borrow([question]);
  });
  expect(answer.answers).toEqual([{ granted: 1, remaining: 9 }]);
});
