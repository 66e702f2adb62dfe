import { inject } from "vitest";
import { type Database, openDatabase } from "#adapters/postgres/database";
import { migrate } from "#adapters/postgres/migrate";
import { createDatabase, databaseUrl } from "#test/postgres-databases";

const BY_CODE_POINT = "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'";

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
  const isOrdinary = options.migrated !== false && options.icuLocale === undefined;
  const locale = options.icuLocale ? ` LOCALE_PROVIDER icu ICU_LOCALE '${options.icuLocale}'` : "";
  const name = await createDatabase(server, isOrdinary ? `TEMPLATE ${inject("postgresTemplate")}` : BY_CODE_POINT + locale);
  const url = databaseUrl(server, name);
  const pooler = process.env.STET_TEST_POOLER;
  const database = openDatabase({
    ...(pooler ? { url: url.replace(new URL(url).host, pooler), pooled: true, directUrl: url } : { url }),
    connections: options.connections ?? 10,
  });
  if (!isOrdinary && options.migrated !== false) await migrate(database);
  return { ...database, url };
}
