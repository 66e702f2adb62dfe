import { randomBytes } from "node:crypto";
import pg from "pg";

/** The address of another database on the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** A database with a name that nobody else has; `options` as CREATE DATABASE takes them. */
export async function createDatabase(server: string, options: string): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await onServer(server, `CREATE DATABASE ${name} ${options}`);
  return name;
}

export const dropDatabase = (server: string, name: string): Promise<void> =>
  onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);

/** One statement for the whole server. */
export async function onServer(server: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
