import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { openEmbeddedPostgres } from "#adapters/embedded-postgres/open";
import { openDatabase } from "#adapters/postgres/database";
import { migrate } from "#adapters/postgres/migrate";
import { announce } from "#test/parts";
import { createDatabase, databaseUrl, dropDatabase } from "#test/postgres-databases";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL server whose user may create databases. */
    postgresUrl: string;
    /** A migrated database on it, to copy: migrating each test file's own anew would take longer than most tests. */
    postgresTemplate: string;
  }
}

/** One PostgreSQL for the whole run: the one you point to, else the embedded one, in a folder that is removed afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Many tests start whole services: what the first of them compiled, the others need not compile again.
  process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, "../../../.cache/compiled");
  const given = process.env.STET_TEST_POSTGRES;
  if (given) {
    announce("PostgreSQL", "found", "at STET_TEST_POSTGRES");
    const template = await provide(project, given);
    return () => dropDatabase(given, template);
  }
  const folder = await mkdtemp(path.join(tmpdir(), "stet-test-"));
  const server = await openEmbeddedPostgres({
    folder: path.join(folder, "postgres"),
    role: "service",
    // The files are thrown away afterwards, so nothing needs to survive a power cut. Every test file opens its own pool.
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" },
  });
  announce("PostgreSQL", "installed", "from npm, in a temporary folder");
  await provide(project, `postgres://${server.connection.user}@localhost/postgres?host=${encodeURIComponent(server.connection.host)}`);
  return async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}

async function provide(project: TestProject, url: string): Promise<string> {
  const template = await createDatabase(url, "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'");
  const database = openDatabase({ url: databaseUrl(url, template), connections: 1 });
  await migrate(database);
  await database.close();
  project.provide("postgresUrl", url);
  project.provide("postgresTemplate", template);
  return template;
}
