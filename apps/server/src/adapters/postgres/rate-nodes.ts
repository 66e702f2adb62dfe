import type { RateNodes } from "#ports/rate-ledger";
import type { Queryable } from "./database.ts";

/** A node that was not heard of for this long is gone, in seconds; and its row goes later, because clocks of nodes have no say here. */
const GONE_AFTER = 5;
const FORGOTTEN_AFTER = 60;

/** The nodes of the install, each with a row that it renews. */
export function openPostgresRateNodes(database: Queryable): RateNodes {
  return {
    async beat(id, ledger) {
      const { rows } = await database.query<{ others: number; elsewhere: number }>({
        text: `WITH mine AS (
                 INSERT INTO rate_nodes (id, ledger, seen_at) VALUES ($1, $2, clock_timestamp())
                 ON CONFLICT (id) DO UPDATE SET ledger = excluded.ledger, seen_at = excluded.seen_at
               ), forgotten AS (
                 DELETE FROM rate_nodes WHERE id <> $1 AND seen_at < clock_timestamp() - interval '${FORGOTTEN_AFTER} seconds'
               )
               SELECT count(*)::int AS others, (count(*) FILTER (WHERE ledger <> $2))::int AS elsewhere FROM rate_nodes
               WHERE id <> $1 AND seen_at > clock_timestamp() - interval '${GONE_AFTER} seconds'`,
        values: [id, ledger],
      });
      return { nodes: rows[0]!.others + 1, elsewhere: rows[0]!.elsewhere };
    },

    async leave(id) {
      await database.query({ text: "DELETE FROM rate_nodes WHERE id = $1", values: [id] });
    },
  };
}
