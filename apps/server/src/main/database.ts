import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { releaseReserve } from "#adapters/disk-space/reserve";
import { openEmbeddedPostgres } from "#adapters/embedded-postgres/open";
import { type Database, openDatabase } from "#adapters/postgres/database";
import { openHosts, splitHosts } from "#adapters/postgres/hosts";
import { type PoolOptions, type PoolSizes, SESSION_SETTINGS } from "#adapters/postgres/pools";
import type { Config } from "./config.ts";

const OLDEST_MAJOR = 15;
/** What poolers say to settings at the start of a connection. */
const REFUSED_OPTIONS = /unsupported startup parameter/;

/** Whether this process is the service, which owns the data folder, or a command that may run beside it. */
export type ProcessRole = "service" | "command";

export interface OpenedDatabase {
  readonly database: Database;
  /** How another process of this node reaches it. */
  readonly server: Omit<PoolOptions, "connections">;
  /** For people: what was opened. */
  readonly description: string;
  close(): Promise<void>;
}

/** The folder of the embedded server. */
export const postgresFolder = (config: Pick<Config, "dataFolder">): string => path.join(config.dataFolder, "postgres");

/** The database of the install: the operator's (DATABASE_URL), else the embedded one. */
export async function openInstallDatabase(
  config: Pick<Config, "databaseUrl" | "databasePooled" | "databaseDirectUrl" | "dataFolder" | "connections">,
  options: { role: ProcessRole; report: (message: string) => void; onLost?: (error: Error) => void },
): Promise<OpenedDatabase> {
  // A command does one thing after the other.
  const connections = options.role === "service" ? config.connections : config.connections.writes;
  if (config.databaseUrl) {
    const { databaseUrl: url, databasePooled: pooled, databaseDirectUrl: directUrl } = config;
    const server = { url, pooled, directUrl };
    const { database, close } = await openServer(server, connections).catch(refuseServer);
    try {
      const version = await checkServer(database);
      return { database, server, description: `PostgreSQL ${version} at DATABASE_URL${pooled ? ", behind a pooler" : ""}`, close };
    } catch (error) {
      await close();
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
  const database = openDatabase({ ...server.connection, connections });
  return {
    database,
    server: server.connection,
    description: server.found === "running" ? "the embedded PostgreSQL, which was running" : "the embedded PostgreSQL",
    async close() {
      await closePool(database);
      await server.close();
    },
  };
}

/** The database that the parent of this process has opened and prepared. */
export async function joinInstallDatabase(server: OpenedDatabase["server"], connections: PoolSizes): Promise<OpenedDatabase> {
  return { ...(await openServer(server, connections)), server, description: "the database of the parent process" };
}

/** Its address may name several servers. */
async function openServer(
  server: OpenedDatabase["server"],
  connections: number | PoolSizes,
): Promise<Pick<OpenedDatabase, "database" | "close">> {
  const urls = server.url === undefined ? [] : splitHosts(server.url);
  const hosts = urls.length > 1 ? await openHosts(urls) : null;
  const database = openDatabase({ ...server, ...(hosts && { hosts }), connections });
  return {
    database,
    async close() {
      hosts?.close();
      await closePool(database);
    },
  };
}

/** Refuses a server we cannot work with, in words. Answers its version. */
async function checkServer(database: Database): Promise<string> {
  const { rows } = await database
    .query<{ number: number; version: string; encoding: string; zone: string }>({
      text: "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version, current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone",
    })
    .catch(refuseServer);
  const { number, version, encoding, zone } = rows[0]!;
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
  // Some poolers forget it. Times would be read wrong.
  if (zone !== SESSION_SETTINGS.timezone)
    throw new Error(
      `The time zone of connections to DATABASE_URL is ${zone}, and the pooler does not let it be set. Run: ALTER ROLE … SET timezone = '${SESSION_SETTINGS.timezone}', with the role of DATABASE_URL, and restart the pooler.`,
    );
  return version;
}

function refuseServer(error: Error): never {
  const next = REFUSED_OPTIONS.test(error.message)
    ? "That is a pooler such as pgbouncer: set DATABASE_POOLER=transaction."
    : "Check the address, the password, and that the server runs.";
  throw new Error(`The database at DATABASE_URL cannot be used: ${error.message}. ${next}`);
}

/** A query that hangs must not keep the process from ending; what was committed is safe. */
async function closePool(database: Database): Promise<void> {
  await Promise.race([database.close(), sleep(5_000, undefined, { ref: false })]);
}
