import { randomUUID } from "node:crypto";
import type { RateLedger } from "#ports/rate-ledger";
import type { Queryable } from "./database.ts";

/** Strangers choose the names, so the number of rows is bounded; some 100 bytes each. */
const MOST_ROWS = 200_000;

/** Filled up to now, as far as nodes do not know better. */
const REFILLED = "b.tokens + excluded.rate * GREATEST(0, excluded.at - b.at)";
const AVAILABLE = `LEAST(excluded.burst, LEAST(${REFILLED}, excluded.at_most) + excluded.returned)`;
const grantedOf = (of: string, question: string): string =>
  `CASE WHEN ${of} < ${question}.asked_least - 1e-9 THEN 0 ELSE LEAST(${question}.asked_most, ${of}) END`;

/** A moment that is ahead was noted by a clock that went wrong: nothing would flow in until the right one comes to it. */
const NOTED_AT = "CASE WHEN b.at > excluded.at + 1 THEN excluded.at ELSE GREATEST(b.at, excluded.at) END";

const FULL_AT = "(b.at + (b.burst - b.tokens) / GREATEST(b.rate, 1e-9))";

/**
 * In the order of the keys, so that two nodes never wait for each other. An upsert works on the row as it is when it gets hold of it, so nothing is
 * granted twice; and it needs no session.
 */
const BORROW = `
WITH asked AS (
  SELECT q.*, extract(epoch FROM clock_timestamp())::float8 AS at, LEAST(q.burst, q.at_most + q.returned) AS available
  FROM unnest($1::text[], $2::float8[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[])
    AS q (key, rate, burst, asked_least, asked_most, at_most, returned)
), written AS (
  INSERT INTO rate_buckets AS b (key, rate, burst, tokens, at, asked_least, asked_most, at_most, returned, granted)
  SELECT key, rate, burst, available - ${grantedOf("available", "asked")}, at, asked_least, asked_most, at_most, returned,
    ${grantedOf("available", "asked")}
  FROM asked ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    rate = excluded.rate, burst = excluded.burst,
    asked_least = excluded.asked_least, asked_most = excluded.asked_most,
    at_most = excluded.at_most, returned = excluded.returned,
    tokens = ${AVAILABLE} - ${grantedOf(AVAILABLE, "excluded")},
    granted = ${grantedOf(AVAILABLE, "excluded")},
    at = ${NOTED_AT}
  RETURNING key, granted, tokens
)
SELECT key, granted, tokens, (SELECT life FROM rate_ledger_life) AS life FROM written`;

/** The rate ledger in the database of the install. */
export function openPostgresRateLedger(database: Queryable, mostRows = MOST_ROWS): RateLedger {
  return {
    name: "PostgreSQL",

    async open() {
      const { rows } = await database.query<{ life: string }>({
        text: "INSERT INTO rate_ledger_life (life) VALUES ($1) ON CONFLICT (is_only) DO UPDATE SET life = rate_ledger_life.life RETURNING life",
        values: [randomUUID()],
      });
      return rows[0]!.life;
    },

    async borrow(questions) {
      const columns = (["key", "ratePerSecond", "burst", "least", "most", "atMost", "returned"] as const).map((name) =>
        questions.map((one) => one[name]),
      );
      const { rows } = await database.query<{ key: string; granted: number; tokens: number; life: string | null }>({
        text: BORROW,
        values: columns,
        keepPlan: true,
      });
      const byKey = new Map(rows.map((row) => [row.key, row]));
      return {
        life: rows[0]?.life ?? null,
        answers: questions.map(({ key }) => ({ granted: byKey.get(key)!.granted, remaining: byKey.get(key)!.tokens })),
      };
    },

    async sweep() {
      await database.query({
        // Rows that a node is borrowing of are left alone: the sweep never waits, so nobody waits for it in a circle.
        text: `WITH bound AS (SELECT ${FULL_AT} AS full_at FROM rate_buckets b ORDER BY 1 DESC OFFSET $1 LIMIT 1),
                    gone AS (SELECT b.key FROM rate_buckets b
                             WHERE ${FULL_AT} <= GREATEST(extract(epoch FROM clock_timestamp()), (SELECT full_at FROM bound))
                             FOR UPDATE OF b SKIP LOCKED)
               DELETE FROM rate_buckets b USING gone WHERE b.key = gone.key`,
        values: [mostRows],
      });
    },

    async close() {},
  };
}
