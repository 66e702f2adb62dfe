import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "#adapters/postgres/database";
import { migrate } from "#adapters/postgres/migrate";

/** A migrated database of its own for one test file, on the server that test/global-setup.ts started. */
export async function openTestDatabase(
  options: {
    migrated?: boolean;
    connections?: number;
    /** Default order of text in the database, such as `en-US`; without it, by code point. */
    icuLocale?: string;
  } = {},
): Promise<Database & { url: string }> {
  const server = inject("postgresUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  const locale = options.icuLocale ? `LOCALE_PROVIDER icu ICU_LOCALE '${options.icuLocale}'` : "";
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' ${locale}`);
  await admin.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = openDatabase({ url: url.href, connections: options.connections ?? 10 });
  if (options.migrated !== false) await migrate(database);
  return { ...database, url: url.href };
}
