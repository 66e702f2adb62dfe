import type { Database } from "#adapters/postgres/database";

/** Every row of every table, as text: what a dump of the database holds. */
export async function everyRow(database: Database): Promise<string> {
  const { rows: tables } = await database.query<{ name: string }>({
    text: "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  });
  const dumps: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.query<{ row: string }>({ text: `SELECT t::text AS row FROM ${name} AS t` });
    dumps.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return dumps.join("\n");
}
