import { randomUUID } from "node:crypto";
import { openPostgresRateLedger } from "#adapters/postgres/rate-ledger";
import { openPostgresRateNodes } from "#adapters/postgres/rate-nodes";
import type { Database, Queryable } from "#adapters/postgres/database";
import { inPool } from "#domain/pool";
import type { RateLedger } from "#ports/rate-ledger";
import { openSharedRates, type SharedRates } from "#usage/rates/shared-rates";
import type { Installation } from "./compose.ts";
import type { Config } from "./config.ts";

/** Enough of a hash to tell buckets apart. */
const KEY_LENGTH = 24;

/** The limits of this node, shared with the other nodes of the install. */
export async function openRates({ config, database, services, log }: Installation): Promise<SharedRates> {
  return openSharedRates({
    id: randomUUID(),
    nodes: openPostgresRateNodes(inLine(database)),
    ledger: await openRateLedger(config, database, await services.platform.ownDatabases.installId()),
    keyOf: (kind, name) => services.keyring.mac("rate-bucket", `${kind} ${name}`).hash.slice(0, KEY_LENGTH),
    log,
  });
}

/** In Redis where there is one, else in the database. The client is loaded only where it is used. */
export async function openRateLedger({ redisUrl }: Pick<Config, "redisUrl">, database: Database, installId: string): Promise<RateLedger> {
  if (redisUrl === null) return openPostgresRateLedger(inLine(database));
  const { openRedisRateLedger } = await import("#adapters/redis/rate-ledger");
  return openRedisRateLedger({ url: redisUrl, installId });
}

/** Its statements wait for no others: a flood of writers would make it seem lost. */
const inLine = (database: Queryable): Queryable => ({ query: (statement) => inPool("limits", () => database.query(statement)) });
