import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { openPostgresRateLedger } from "#adapters/postgres/rate-ledger";
import { openPostgresRateNodes } from "#adapters/postgres/rate-nodes";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { openSharedRates, type SharedRates } from "#usage/rates/shared-rates";

const database = closedAtEnd(await openTestDatabase());
const TABLES = ["rate_buckets", "rate_nodes", "rate_ledger_life"];
const RULE = { ratePerSecond: 0.001, burst: 20 };

async function openNode(): Promise<SharedRates> {
  const rates = await openSharedRates({
    id: randomUUID(),
    nodes: openPostgresRateNodes(database),
    ledger: openPostgresRateLedger(database),
    keyOf: (kind, name) => `${kind} ${name}`,
    log: { info() {}, warn() {} },
    beatMillis: 50,
  });
  onTestFinished(() => rates.close());
  return rates;
}

/** How many of so many requests for a bucket that nobody has asked for are admitted. */
async function admitted(rates: SharedRates, count: number): Promise<number> {
  const bucket = rates.open("test", randomUUID(), RULE, performance.now());
  const taken = await Promise.all(Array.from({ length: count }, async () => (await rates.take([bucket])) === null));
  return taken.filter(Boolean).length;
}

test("a PostgreSQL that takes no more writes is a lost ledger: each node has its part by the number known last, and nobody is refused", async () => {
  const nodes = [await openNode(), await openNode()];
  const divisions = () => nodes.map(({ state }) => [state.division.nodes, state.division.life !== null]);
  await expect.poll(divisions).toEqual([
    [2, true],
    [2, true],
  ]);
  // As a full disk answers.
  await database.query({
    text: `CREATE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
  });
  for (const table of TABLES) {
    await database.query({ text: `CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION refuse_write()` });
  }
  // The first that asks notices it, and is not refused for that.
  for (const rates of nodes) expect(await admitted(rates, 1)).toBe(1);
  await expect.poll(async () => [await admitted(nodes[0]!, 20), await admitted(nodes[1]!, 20)]).toEqual([10, 10]);
  expect(divisions()).toEqual([
    [2, false],
    [2, false],
  ]);
  for (const table of TABLES) await database.query({ text: `DROP TRIGGER refuse ON ${table}` });
  await expect.poll(divisions).toEqual([
    [2, true],
    [2, true],
  ]);
});
