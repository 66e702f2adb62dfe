import { randomBytes } from "node:crypto";
import { databaseUrl } from "#test/postgres-databases";
import type { TestPostgres } from "./servers.ts";

/** A database and the role that owns it, which has no other right: as the docs tell to make them. */
export async function makeOwnedDatabase(server: TestPostgres): Promise<{ readonly role: string; readonly url: string }> {
  const name = `stet_${randomBytes(4).toString("hex")}`;
  await server.ask(`CREATE USER ${name} PASSWORD 'password'`, `CREATE DATABASE ${name} OWNER ${name} ENCODING 'UTF8' TEMPLATE template0`);
  const url = new URL(databaseUrl(server.url, name));
  [url.username, url.password] = [name, "password"];
  return { role: name, url: url.href };
}
