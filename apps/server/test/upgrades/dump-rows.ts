import type { Database } from "#adapters/postgres/database";

/** Other tables refer to these. */
const FIRST = ["user", "workspaces", "websites", "webhooks", "connections"];
/** Written by triggers, and by the migrations themselves. */
const BY_THEMSELVES = ["post_counts", "facet_counts", "post_search", "signals", "stet_migrations", "install"];

/** The rows of a database as statements that put them into an empty one of the same version. */
export async function dumpRows(database: Database): Promise<string> {
  const { rows: tables } = await database.query<{ table: string; columns: string[] }>({
    text: `SELECT table_name AS table, array_agg(column_name::text ORDER BY ordinal_position) AS columns
           FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
           WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER' AND table_name <> ALL ($1)
           GROUP BY table_name ORDER BY array_position($2, table_name::text), table_name`,
    values: [BY_THEMSELVES, FIRST],
  });
  const statements: string[] = [];
  for (const { table, columns } of tables) {
    const values = columns.map((column) => `quote_nullable("${column}"::text)`).join(" || ', ' || ");
    const { rows } = await database.query<{ row: string }>({ text: `SELECT ${values} AS row FROM "${table}" ORDER BY 1` });
    if (rows.length === 0) continue;
    const names = columns.map((column) => `"${column}"`).join(", ");
    statements.push(`INSERT INTO "${table}" (${names}) VALUES\n${rows.map(({ row }) => `(${row})`).join(",\n")};\n`);
  }
  return statements.join("\n");
}
