import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { releaseReserve } from "#adapters/disk-space/reserve";
import { openEmbeddedPostgres } from "#adapters/embedded-postgres/open";
import { type Database, openDatabase } from "#adapters/postgres/database";
import type { Config } from "./config.ts";

const OLDEST_MAJOR = 15;

/** Whether this process is the service, which owns the data folder, or a command that may run beside it. */
export type ProcessRole = "service" | "command";

export interface OpenedDatabase {
  readonly database: Database;
  /** For people: what was opened. */
  readonly description: string;
  close(): Promise<void>;
}

/** The folder of the embedded server. */
export const postgresFolder = (config: Pick<Config, "dataFolder">): string => path.join(config.dataFolder, "postgres");

/** The database of the install: the operator's (DATABASE_URL), else the embedded one. */
export async function openInstallDatabase(
  config: Pick<Config, "databaseUrl" | "dataFolder">,
  options: { role: ProcessRole; report: (message: string) => void; onLost?: (error: Error) => void },
): Promise<OpenedDatabase> {
  if (config.databaseUrl) {
    const database = openDatabase({ url: config.databaseUrl });
    try {
      const version = await checkServer(database);
      return { database, description: `PostgreSQL ${version} at DATABASE_URL`, close: () => closePool(database) };
    } catch (error) {
      await database.close();
      throw error;
    }
  }
  const server = await openEmbeddedPostgres({
    folder: postgresFolder(config),
    role: options.role,
    report: options.report,
    onFullDisk: () => releaseReserve(config.dataFolder),
    ...(options.onLost ? { onLost: options.onLost } : {}),
  });
  const database = openDatabase(server.connection);
  return {
    database,
    description: server.found === "running" ? "the embedded PostgreSQL, which was running" : "the embedded PostgreSQL",
    async close() {
      await closePool(database);
      await server.close();
    },
  };
}

/** Refuses a server we cannot work with, in words. Answers its version. */
async function checkServer(database: Database): Promise<string> {
  const { rows } = await database
    .query<{ number: number; version: string; encoding: string }>({
      text: "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version, current_setting('server_encoding') AS encoding",
    })
    .catch((error: Error) => {
      throw new Error(
        `The database at DATABASE_URL cannot be used: ${error.message}. Check the address, the password, and that the server runs.`,
      );
    });
  const { number, version, encoding } = rows[0]!;
  if (number < OLDEST_MAJOR * 10_000) {
    throw new Error(
      `The database at DATABASE_URL is PostgreSQL ${version}. Stet needs ${OLDEST_MAJOR} or newer: upgrade the server, or leave DATABASE_URL out for the embedded one.`,
    );
  }
  if (encoding !== "UTF8") {
    throw new Error(
      `The database at DATABASE_URL is encoded in ${encoding}. Create one in UTF8: CREATE DATABASE stet ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
  return version;
}

/** A query that hangs must not keep the process from ending; what was committed is safe. */
async function closePool(database: Database): Promise<void> {
  await Promise.race([database.close(), sleep(5_000, undefined, { ref: false })]);
}
