import { type Database, openDatabase, type Queryable } from "#adapters/postgres/database";
import type { Config } from "../config.ts";
import { type Finding, good, problem, warning } from "./finding.ts";

/** So far behind, a replica takes little work from the primary. */
const MOST_BEHIND_SECONDS = 30;

interface Place {
  readonly server: string;
  readonly follows: boolean;
  readonly wal: string;
}

/** Whether DATABASE_READ_URL is a replica of DATABASE_URL, and how far it is behind. */
export async function checkReplica(
  database: Database,
  { databaseReadUrl: url, databasePooled: pooled }: Pick<Config, "databaseReadUrl" | "databasePooled">,
): Promise<readonly Finding[]> {
  if (url === null) return [];
  const replica = openDatabase({ url, pooled, connections: 1, connectMillis: 5_000 });
  try {
    const [theirs, ours] = [await placeOf(replica), await placeOf(database)];
    if (theirs.server !== ours.server)
      return [
        problem("Replica: the server at DATABASE_READ_URL is not a copy of the one at DATABASE_URL. Set it to a replica, or leave it out."),
      ];
    if (!theirs.follows)
      return [warning("Replica: DATABASE_READ_URL leads to a server that takes writes. It works, and takes no work from DATABASE_URL.")];
    const { rows } = await replica.query<{ seconds: number }>({
      text: `SELECT CASE WHEN pg_last_wal_replay_lsn() >= $1::pg_lsn THEN 0
               ELSE extract(epoch FROM now() - pg_last_xact_replay_timestamp()) END::float8 AS seconds`,
      values: [ours.wal],
    });
    const seconds = Math.ceil(rows[0]?.seconds ?? 0);
    if (seconds > MOST_BEHIND_SECONDS)
      return [warning(`Replica: ${seconds} s behind DATABASE_URL, which is read instead after each change. Look at its network and load.`)];
    return [good(`Replica: follows DATABASE_URL${seconds > 0 ? `, ${seconds} s behind` : ""}.`)];
  } catch (error) {
    return [problem(`Replica: DATABASE_READ_URL cannot be used (${(error as Error).message}). Until it can, DATABASE_URL is read.`)];
  } finally {
    await replica.close();
  }
}

async function placeOf(database: Queryable): Promise<Place> {
  const { rows } = await database.query<Record<keyof Place, string | boolean> & Place>({
    text: `SELECT system_identifier::text AS server, pg_is_in_recovery() AS follows,
             CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END::text AS wal
           FROM pg_control_system()`,
  });
  return rows[0]!;
}
