import { type GrantId, newId } from "#domain/ids";
import { millis, type Timestamp } from "#domain/time";
import type { Connections } from "#ports/connections";
import type { Database, Queryable } from "../database.ts";

type Spends = Pick<Connections, "spend" | "giveBack" | "countSpent">;

const COUNTED = "FROM connection_spends WHERE connection_id = $1 AND effect = $2 AND at > $3";

export const spends = (database: Database): Spends => ({
  spend: (id, effect, { at, since, limit }) =>
    database.transaction(async (transaction) => {
      // Locked in a statement of its own, so that the next one sees what others spent until now. Not the strongest lock: writes under way hold
      // the row too (in-force.ts).
      await transaction.query({ text: "SELECT FROM connections WHERE id = $1 FOR NO KEY UPDATE", values: [id] });
      const { rows } = await transaction.query<{ at: Timestamp }>({
        text: `SELECT at ${COUNTED} ORDER BY at`,
        values: [id, effect, since],
      });
      // The one after which there is room again.
      if (rows.length >= limit) return { spent: null, freeAfter: rows[rows.length - limit]?.at ?? null };
      return { spent: await add(transaction, id, effect, at), freeAfter: null };
    }),

  async giveBack(id, effect, spent) {
    await database.query({
      text: "DELETE FROM connection_spends WHERE connection_id = $1 AND effect = $2 AND at = $3 AND id = $4",
      values: [id, effect, spent.at, spent.id],
    });
  },

  async countSpent(id, effect, since) {
    const { rows } = await database.query<{ count: string }>({ text: `SELECT count(*) ${COUNTED}`, values: [id, effect, since] });
    return Number(rows[0]?.count ?? 0);
  },
});

async function add(transaction: Queryable, connectionId: GrantId, effect: string, at: Timestamp): Promise<{ id: string; at: Timestamp }> {
  const id = newId("change", millis(at));
  await transaction.query({ text: "INSERT INTO connection_spends VALUES ($1, $2, $3, $4)", values: [connectionId, effect, at, id] });
  return { id, at };
}
