import { expect, test } from "vitest";
import { openPostgresRateNodes } from "#adapters/postgres/rate-nodes";
import { closedAtEnd } from "#test/closed-at-end";
import { freePort } from "#test/free-port";
import { withPart } from "#test/parts";
import { openTestDatabase } from "#test/postgres";
import { findRedis } from "#test/redis";
import { checkLimits } from "./limits.ts";

const database = closedAtEnd(await openTestDatabase());

test("PostgreSQL keeps the limits unless there is a Redis, and one that does not answer is a problem", async () => {
  expect(await checkLimits(database, { redisUrl: null })).toEqual([
    { verdict: "good", message: "Limits: several nodes would share them in PostgreSQL." },
  ]);
  const [finding] = await checkLimits(database, { redisUrl: `redis://127.0.0.1:${await freePort()}` });
  expect(finding).toMatchObject({ verdict: "problem", message: expect.stringContaining("Check REDIS_URL") });
});

test("nodes that use different ledgers are told of", async () => {
  const nodes = openPostgresRateNodes(database);
  await nodes.beat("one", "PostgreSQL");
  expect(await nodes.beat("two", "Redis")).toEqual({ nodes: 2, elsewhere: 1 });
  const [, finding] = await checkLimits(database, { redisUrl: null });
  expect(finding).toMatchObject({ verdict: "warning", message: expect.stringContaining("1 with PostgreSQL, 1 with Redis") });
  await nodes.leave("two");
  expect(await nodes.beat("one", "PostgreSQL")).toEqual({ nodes: 1, elsewhere: 0 });
});

withPart("Redis", findRedis(), (start) => {
  test("a Redis that answers is good", async () => {
    const server = await start();
    try {
      expect((await checkLimits(database, { redisUrl: server.url }))[0]!.verdict).toBe("good");
    } finally {
      await server.close();
    }
  });
});
