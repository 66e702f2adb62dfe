import type { GrantId } from "#domain/ids";
import type { Connections, ConnectionStanding } from "#ports/connections";
import { type Fragment, sql, statementOf } from "../content/sql.ts";
import type { Database } from "../database.ts";
import { oneAtATime } from "../platform/one-at-a-time.ts";

/**
 * One row if the standing is in force, which it then stays until the transaction ends. The weakest lock suffices: it lets counters of the
 * connection be written, and keeps `untilWritesEnd` and the removal of the member waiting. A row that was changed meanwhile is judged as it
 * is now, not as the statement found it when it began.
 */
export const inForce = ({ connectionId, userId, workspaceId, role, allowDelete }: ConnectionStanding): Fragment => sql`
  SELECT FROM connections JOIN members ON members.user_id = connections.user_id AND members.workspace_id = ${workspaceId}
  WHERE connections.user_id = ${userId} AND connections.id = ${connectionId} AND connections.revoked_at IS NULL
    AND (connections.workspace_id IS NULL OR connections.workspace_id = ${workspaceId})
    AND (connections.allow_delete OR NOT ${allowDelete}::boolean) AND members.role = ${role}
  FOR KEY SHARE OF connections, members`;

/** How long Disconnect waits for a write under way, as PostgreSQL writes it: a store that hangs must not keep a person from disconnecting. */
const PATIENCE = "10s";
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Waits for writes that hold the connection. Called after it was ended or narrowed: a write that comes later is refused, so a tool that
 * writes without a pause cannot put this off.
 */
export async function untilWritesEnd(database: Database, id: GrantId): Promise<void> {
  try {
    await database.transaction(async (connection) => {
      await connection.query({ text: `SET LOCAL lock_timeout = '${PATIENCE}'` });
      await connection.query({ text: "SELECT FROM connections WHERE id = $1 FOR UPDATE", values: [id] });
    });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE)) throw error;
  }
}

export function standings(database: Database): Pick<Connections, "isInForce" | "whileInForce"> {
  // The work needs a connection of its own, and so may whoever holds the workspace around it: a quarter of the pool is for these.
  const turns = oneAtATime(Math.max(1, Math.floor(database.sizes.writes / 4)));
  return {
    async isInForce(standing) {
      const { rowCount } = await database.query(statementOf(inForce(standing)));
      return rowCount === 1;
    },

    whileInForce: (standing, work) =>
      turns(standing.connectionId, () =>
        database.transaction(async (connection) => {
          const { rowCount } = await connection.query({ ...statementOf(inForce(standing)), keepPlan: true });
          return rowCount === 1 ? work() : null;
        }),
      ),
  };
}
