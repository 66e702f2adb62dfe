import { once } from "node:events";
import pg from "pg";
import type { Database } from "#adapters/postgres/database";
import { SESSION_SETTINGS } from "#adapters/postgres/pools";
import type { Config } from "../config.ts";
import { type Finding, good, problem, warning } from "./finding.ts";

/** A pooler with a single connection keeps us waiting for ourselves. */
const PATIENCE_MILLIS = 2_000;
/** Poolers choose sessions in different orders. */
const ROUNDS = 3;

/** Whether a pooler is between us and the server, found out by using two connections, and whether the settings say so. */
export async function checkPooling(
  database: Database,
  { databasePooled, databaseDirectUrl }: Pick<Config, "databasePooled" | "databaseDirectUrl">,
): Promise<readonly Finding[]> {
  const isPooled = await sharesSessions(database);
  if (!databasePooled)
    return isPooled
      ? [
          problem(
            "Pooling: a pooler in transaction mode is in front of DATABASE_URL, so that statements fail. Set DATABASE_POOLER=transaction.",
          ),
        ]
      : [];
  if (!isPooled) return [warning("Pooling: no pooler was found at DATABASE_URL. Leave DATABASE_POOLER out: it makes statements slower.")];
  const direct = databaseDirectUrl === null ? good(`Pooling: in transaction mode. ${LOOKING}`) : await checkDirect(database);
  return [direct, ...(await checkSession(database))];
}

const LOOKING = "Changes of other nodes are looked for twice a second; with DATABASE_DIRECT_URL they are heard at once.";

/** True when one session of the server serves both of two connections, or two sessions serve one of them. */
async function sharesSessions({ pool }: Database): Promise<boolean> {
  const [here, there] = await Promise.all([pool.connect(), pool.connect()]);
  try {
    const [ours, theirs] = [await sessionOf(here), await sessionOf(there)];
    for (let round = 0; round < ROUNDS; round++) {
      const asked = await sessionOf(here);
      await there.query("BEGIN");
      const held = await sessionOf(there);
      // While the other one holds its session, a pooler has to find another one for us.
      const waited = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MILLIS, null).unref());
      const meanwhile = await Promise.race([sessionOf(here), waited]);
      if (asked !== ours || held !== theirs || meanwhile !== ours || ours === theirs) return true;
      await there.query("COMMIT");
    }
    return false;
  } finally {
    for (const client of [here, there]) client.release(true);
  }
}

const sessionOf = async (client: pg.ClientBase): Promise<number> =>
  (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]!.pid;

/** Tells something through the pooler and waits to hear it past the pooler. */
async function checkDirect(database: Database): Promise<Finding> {
  const client = new pg.Client({ ...database.listening!, connectionTimeoutMillis: PATIENCE_MILLIS });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("LISTEN stet_doctor");
    const heard = once(client, "notification", { signal: AbortSignal.timeout(PATIENCE_MILLIS) });
    heard.catch(() => {});
    await database.query({ text: "NOTIFY stet_doctor" });
    await heard;
    return good("Pooling: in transaction mode; changes of other nodes are heard at DATABASE_DIRECT_URL.");
  } catch (error) {
    const why = (error as Error).name === "AbortError" ? "what is told through DATABASE_URL is not heard there" : (error as Error).message;
    return problem(`Pooling: DATABASE_DIRECT_URL cannot be used (${why}). It must lead to the same database, past the pooler.`);
  } finally {
    await client.end().catch(() => {});
  }
}

/** A pooler takes no settings from us, so that they belong to the role. */
async function checkSession(database: Database): Promise<readonly Finding[]> {
  const names = Object.keys(SESSION_SETTINGS);
  const { rows } = await database.query<{ role: string; found: string[] }>({
    text: "SELECT current_user AS role, array_agg(current_setting(name) ORDER BY nth) AS found FROM unnest($1::text[]) WITH ORDINALITY AS asked (name, nth)",
    values: [names],
  });
  const { role, found } = rows[0]!;
  const wrong = Object.entries(SESSION_SETTINGS).filter(([, value], nth) => found[nth] !== value);
  if (wrong.length === 0) return [];
  const statements = wrong.map(([name, value]) => `ALTER ROLE "${role.replaceAll('"', '""')}" SET ${name} = '${value}';`).join(" ");
  return [warning(`Pooling: lists and searches are slower than they could be. Run: ${statements} Then restart the pooler.`)];
}
