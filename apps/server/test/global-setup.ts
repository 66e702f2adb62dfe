import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { openEmbeddedPostgres } from "#adapters/embedded-postgres/open";
import { openDatabase } from "#adapters/postgres/database";
import { migrate } from "#adapters/postgres/migrate";
import { copyInstallation, makeClusterTemplate } from "#test/cluster-template";
import { announce } from "#test/parts";
import { createDatabase, databaseUrl, dropDatabase } from "#test/postgres-databases";
import { makePartsReady } from "#test/ready-parts";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL server whose user may create databases. */
    postgresUrl: string;
    /** A migrated database on it, to copy: migrating each test file's own anew would take longer than most tests. */
    postgresTemplate: string;
  }
}

/** Real parts first, then one PostgreSQL for the whole run: the one you point to, else the embedded one, in a folder that is removed afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Many tests start whole services: what the first of them compiled, the others need not compile again.
  process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, "../../../.cache/compiled");
  await makePartsReady();
  const folder = await mkdtemp(path.join(tmpdir(), "stet-test-"));
  const clusterTemplate = path.join(folder, "template");
  await makeClusterTemplate(clusterTemplate);
  project.provide("clusterTemplate", clusterTemplate);
  const server = await openServer(folder, clusterTemplate);
  const template = await createDatabase(server.url, "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'");
  const database = openDatabase({ url: databaseUrl(server.url, template), connections: 1 });
  await migrate(database);
  await database.close();
  project.provide("postgresUrl", server.url);
  project.provide("postgresTemplate", template);
  return async () => {
    await dropDatabase(server.url, template);
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
}

async function openServer(folder: string, clusterTemplate: string): Promise<{ url: string; close: () => Promise<void> }> {
  const given = process.env.STET_TEST_POSTGRES;
  if (given) {
    announce("PostgreSQL", "at STET_TEST_POSTGRES");
    return { url: given, close: async () => {} };
  }
  await copyInstallation(folder, clusterTemplate);
  const server = await openEmbeddedPostgres({
    folder: path.join(folder, "postgres"),
    role: "service",
    // The files are thrown away afterwards, so nothing needs to survive a power cut. Every test file opens its own pool.
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" },
  });
  announce("PostgreSQL", "from npm, in a temporary folder");
  const { user, host } = server.connection;
  return { url: `postgres://${user}@localhost/postgres?host=${encodeURIComponent(host)}`, close: () => server.close() };
}
