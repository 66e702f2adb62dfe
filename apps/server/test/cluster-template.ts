import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { inject } from "vitest";
import { openEmbeddedPostgres } from "#adapters/embedded-postgres/open";
import { openDatabase } from "#adapters/postgres/database";
import { migrate } from "#adapters/postgres/migrate";
import { execute } from "#test/built-parts";

declare module "vitest" {
  interface ProvidedContext {
    /** The files of a stopped PostgreSQL that holds a migrated, empty installation. */
    clusterTemplate: string;
  }
}

/** Makes the files once a run: `initdb` and every migration take seconds, copying their result takes a tenth of one. */
export async function makeClusterTemplate(folder: string): Promise<void> {
  const server = await openEmbeddedPostgres({ folder, role: "service", settings: { fsync: "off" } });
  const database = openDatabase({ ...server.connection, connections: 1 });
  await migrate(database);
  await database.close();
  await server.close();
  await rm(`${folder}.log`, { force: true });
}

/** An installation as `npm start` leaves it after the first start, in this data folder. */
export async function copyInstallation(dataFolder: string, template: string = inject("clusterTemplate")): Promise<void> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await execute("cp", ["-a", template, path.join(dataFolder, "postgres")]);
}
