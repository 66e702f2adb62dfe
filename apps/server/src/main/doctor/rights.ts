import type { Database } from "#adapters/postgres/database";
import { type Finding, good, problem } from "./finding.ts";

/** What a start or an upgrade does, each tried and taken back: what a server says about rights is not the whole truth. */
const STEPS: readonly (readonly [string, string])[] = [
  ["create tables", "CREATE TABLE stet_doctor (id text PRIMARY KEY, at timestamptz)"],
  ["create functions", "CREATE FUNCTION stet_doctor() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'"],
  ["create triggers", "CREATE TRIGGER stet_doctor BEFORE INSERT ON stet_doctor FOR EACH ROW EXECUTE FUNCTION stet_doctor()"],
  ...["unaccent", "pg_trgm", "btree_gin"].map((name) => ["create extensions", `CREATE EXTENSION IF NOT EXISTS ${name}`] as const),
  ["listen to changes of other nodes", "LISTEN stet_doctor"],
];

/** Whether the role of the service can do in the database what its start and its upgrades do. Nothing is left behind. */
export async function checkRights(database: Database): Promise<Finding> {
  const { rows } = await database.query<{ role: string; schema: string | null; others: number }>({
    text: `SELECT current_user AS role, current_schema() AS schema,
             (SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND NOT pg_has_role(current_user, tableowner, 'USAGE')) AS others`,
  });
  const { role, schema, others } = rows[0]!;
  if (schema === null) return problem(`Database rights: the role ${role} can use no schema. Its owner runs: ${grant("public", role)}`);
  const refusal = await firstRefusal(database);
  if (refusal) {
    const [step, text, reason] = refusal;
    const cure = text.startsWith("CREATE EXTENSION")
      ? `A superuser runs: ${text};`
      : `The owner of the database runs: ${grant(schema, role)}`;
    return problem(`Database rights: the role ${role} cannot ${step} (${reason}). ${cure}`);
  }
  if (others > 0) {
    return problem(
      `Database rights: ${others} tables of the schema ${schema} belong to another role, so that upgrades cannot change them. Connect as that role, or run: REASSIGN OWNED BY … TO ${quoted(role)};`,
    );
  }
  return good(`Database rights: the role ${role} can create and change tables.`);
}

/** The step that is refused first, its statement and why; null when all are allowed. */
async function firstRefusal(database: Database): Promise<readonly [string, string, string] | null> {
  let refusal: readonly [string, string, string] | null = null;
  const takenBack = new Error("Everything that was tried is taken back.");
  const trying = database.transaction(async (connection) => {
    for (const [step, text] of STEPS) {
      refusal = await connection.query({ text }).then(
        () => null,
        (error: Error) => [step, text, error.message] as const,
      );
      if (refusal) break;
    }
    throw takenBack;
  });
  await trying.catch((error: unknown) => {
    if (error !== takenBack) throw error;
  });
  return refusal;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const grant = (schema: string, role: string): string => `GRANT USAGE, CREATE ON SCHEMA ${quoted(schema)} TO ${quoted(role)};`;
