import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openEmbeddedPostgres } from "#adapters/embedded-postgres/open";
import { openPostgresContent } from "#adapters/postgres/content/open";
import { openDatabase } from "#adapters/postgres/database";
import { migrate } from "#adapters/postgres/migrate";
import type { ContentStore } from "#ports/content-store";

/** A content store to measure, empty, on a server that keeps its promises about durability. */
export interface Engine {
  readonly name: string;
  /** How much slower page 400 may be than page 1; null = only reported. */
  readonly depthLimit: number | null;
  /** Null when this machine has no such server; it is then left out, and that is said. */
  open(): Promise<{ readonly store: ContentStore; close(): Promise<void> } | null>;
}

/** The embedded server as the service starts it, in a folder that is removed afterwards. */
export const postgres: Engine = {
  name: "PostgreSQL",
  depthLimit: 1.2,
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
