import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openEmbeddedPostgres } from "#adapters/embedded-postgres/open";
import { openMongoContent } from "#adapters/mongodb/open";
import { openPostgresContent } from "#adapters/postgres/content/open";
import { openDatabase } from "#adapters/postgres/database";
import { migrate } from "#adapters/postgres/migrate";
import type { ContentStore } from "#ports/content-store";
import { WEBSITE } from "#test/builders";
import { givenMongo, mongoJavaServer, testDatabaseName } from "#test/mongodb";

/** A content store to measure, empty, on a server that keeps its promises about durability. */
export interface Engine {
  readonly name: string;
  /** How much slower page 400 may be than page 1; null = only reported. */
  readonly depthLimit: number | null;
  /** The share of all saves and reads that is worth measuring, up to 1: a slow stand-in would take minutes to say nothing. */
  readonly effort: number;
  /** Null when this machine has no such server; it is then left out, and that is said. */
  open(): Promise<{ readonly store: ContentStore; close(): Promise<void> } | null>;
}

/** The embedded server as the service starts it, in a folder that is removed afterwards. */
export const postgres: Engine = {
  name: "PostgreSQL",
  depthLimit: 1.2,
  effort: 1,
  async open() {
    const folder = await mkdtemp(path.join(tmpdir(), "stet-bench-"));
    const server = await openEmbeddedPostgres({ folder: path.join(folder, "postgres"), role: "service" });
    const database = openDatabase({ ...server.connection, connections: 10 });
    await migrate(database);
    return {
      store: openPostgresContent(database),
      async close() {
        await database.close();
        await server.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

/**
 * The MongoDB that STET_TEST_MONGODB names, else mongo-java-server. That one keeps everything in memory and sorts every post
 * for every page, so its numbers are about the adapter's own work, not about MongoDB.
 */
export const mongodb: Engine = {
  name: process.env.STET_TEST_MONGODB ? "MongoDB" : "MongoDB protocol (mongo-java-server, in memory)",
  depthLimit: null,
  effort: process.env.STET_TEST_MONGODB ? 1 : 0.025,
  async open() {
    const found = givenMongo() ?? (await mongoJavaServer.prepare());
    if ("missing" in found) return null;
    const { url, stop } = await found.part.start();
    const database = testDatabaseName();
    const store = await openMongoContent({ url, database, onVisibleChange: async () => {} });
    return {
      store,
      async close() {
        while (!(await store.eraseWebsite(WEBSITE, 10_000)));
        await store.close();
        await stop();
      },
    };
  },
};
