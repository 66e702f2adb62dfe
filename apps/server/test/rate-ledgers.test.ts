import { randomUUID } from "node:crypto";
import { createClient } from "@redis/client";
import { describe } from "vitest";
import { openPostgresRateLedger } from "#adapters/postgres/rate-ledger";
import { openPostgresRateNodes } from "#adapters/postgres/rate-nodes";
import { openRedisRateLedger } from "#adapters/redis/rate-ledger";
import { closedAtEnd } from "#test/closed-at-end";
import { withPart } from "#test/parts";
import { openTestDatabase } from "#test/postgres";
import { rateLedgerContract } from "#test/rate-ledger-contract/contract";
import { findRedis } from "#test/redis";

const database = closedAtEnd(await openTestDatabase());
const nodes = openPostgresRateNodes(database);

describe("with PostgreSQL", () => {
  rateLedgerContract({
    nodes,
    open: (most) => openPostgresRateLedger(database, most),
    // What a crash leaves of unlogged tables.
    empty: async () => void (await database.query({ text: "TRUNCATE rate_buckets, rate_ledger_life, rate_nodes" })),
    noteAhead: async (key) => void (await database.query({ text: "UPDATE rate_buckets SET at = at + 3600 WHERE key = $1", values: [key] })),
  });
});

const found = findRedis();
const server = "missing" in found ? null : closedAtEnd(await found.part());
withPart("Redis", found, () => {
  const installId = randomUUID();
  rateLedgerContract({
    nodes,
    open: (most) => openRedisRateLedger({ url: server!.url, installId, ...(most !== undefined && { mostBuckets: most }) }),
    async empty() {
      const client = await createClient({ url: server!.url }).connect();
      await client.flushAll();
      client.destroy();
    },
    async noteAhead(key) {
      const client = await createClient({ url: server!.url }).connect();
      const buckets = `stet:{${installId}}:buckets`;
      const [tokens, at] = (await client.hGet(buckets, key))!.split(" ");
      await client.hSet(buckets, key, `${tokens} ${Number(at) + 3_600}`);
      client.destroy();
    },
  });
});
