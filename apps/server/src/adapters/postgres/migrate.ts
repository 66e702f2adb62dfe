import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { Database, Queryable } from "./database.ts";

const FOLDER = new URL("./migrations/", import.meta.url);
/** Any number; the same in every version, so that nodes of one install wait for each other. */
const LOCK = 7_383_511;
/** How long a migration waits for a table in use: nodes that serve stand in line behind it. */
const TABLE_WAIT_MILLIS = 10_000;
const LOCK_NOT_AVAILABLE = "55P03";

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
}

export interface MigrateOptions {
  /** Before each one that is applied. */
  readonly onMigration?: (name: string) => void;
  /** Another node is at it. */
  readonly onWait?: () => void;
  readonly tableWaitMillis?: number;
}

/** Numbered files, forward only. What was released is never edited: the hash is compared at every start. */
export async function readMigrations(folder: URL = FOLDER): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), "utf8");
      return { name, sql, hash: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** Brings the schema up to date. Safe when several nodes start at once: one works, the others wait and find it done. */
export async function migrate(
  database: Database,
  { onMigration, onWait, tableWaitMillis = TABLE_WAIT_MILLIS }: MigrateOptions = {},
  migrations?: readonly Migration[],
): Promise<number> {
  const wanted = migrations ?? (await readMigrations());
  return database.transaction(async (connection) => {
    await takeTurn(connection, onWait);
    await connection.query({
      text: "CREATE TABLE IF NOT EXISTS stet_migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
    });
    const done = await connection.query<{ name: string; hash: string }>({ text: "SELECT name, hash FROM stet_migrations" });
    const hashes = new Map(done.rows.map((row) => [row.name, row.hash]));
    const newest = newestUnknown([...hashes.keys()], wanted);
    if (newest !== undefined)
      throw new Error(`The database was migrated by a newer Stet (${newest}). Start that version, or restore a backup from before.`);
    await connection.query({ text: `SET LOCAL lock_timeout = ${tableWaitMillis}` });
    let applied = 0;
    for (const migration of wanted) {
      const before = hashes.get(migration.name);
      if (before === migration.hash) continue;
      if (before !== undefined)
        throw new Error(`The migration ${migration.name} was edited after it was applied. Migrations are forward only: add a new one.`);
      onMigration?.(migration.name);
      await connection.query({ text: migration.sql }).catch((error: Error & { code?: string }) => {
        const why =
          error.code === LOCK_NOT_AVAILABLE
            ? "something else uses a table it changes, such as a backup or a long query. Start again when that is done."
            : error.message;
        throw new Error(`The migration ${migration.name} failed, and nothing was changed: ${why}`, { cause: error });
      });
      await connection.query({
        text: "INSERT INTO stet_migrations (name, hash) VALUES ($1, $2)",
        values: [migration.name, migration.hash],
      });
      applied += 1;
    }
    return applied;
  });
}

/** The last of the applied migrations that are not known here: the database is a newer version's. */
export const newestUnknown = (applied: readonly string[], known: readonly Migration[]): string | undefined =>
  applied
    .filter((name) => !known.some((migration) => migration.name === name))
    .toSorted()
    .at(-1);

/** One node at a time, until its transaction ends. However long that takes: limits that an operator set for requests are not meant for it. */
async function takeTurn(connection: Queryable, onWait?: () => void): Promise<void> {
  await connection.query({ text: "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0" });
  const { rows } = await connection.query<{ mine: boolean }>({ text: "SELECT pg_try_advisory_xact_lock($1) AS mine", values: [LOCK] });
  if (rows[0]?.mine) return;
  onWait?.();
  await connection.query({ text: "SELECT pg_advisory_xact_lock($1)", values: [LOCK] });
}
