import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { type EmbeddedPostgres, openEmbeddedPostgres } from "#adapters/embedded-postgres/open";

/** What happens to a PostgreSQL: a power cut, a restart by its operator, a failover's end of all connections. */
export const KILLS = ["killed", "restarted", "backends ended"] as const;
export type Kill = (typeof KILLS)[number];

/** A PostgreSQL that is taken away from the service on purpose. */
export interface KillablePostgres {
  /** How the service is told where it is. */
  readonly settings: Record<string, string>;
  /** A service brings an embedded one back itself; one at DATABASE_URL comes back as its operator would bring it back. */
  kill(how: Kill): Promise<void>;
  close(): Promise<void>;
}

const USER = "stet";
const urlOf = (folder: string, database: string) => `postgres://${USER}@localhost/${database}?host=${encodeURIComponent(folder)}`;

/** In the data folder, where the service starts it; or beside it, started here, where the service reaches it by its address. */
export async function openKillablePostgres(mode: "embedded" | "DATABASE_URL", data: string): Promise<KillablePostgres> {
  const isEmbedded = mode === "embedded";
  const folder = path.join(data, isEmbedded ? "postgres" : "server");
  const start = (): Promise<EmbeddedPostgres> => openEmbeddedPostgres({ folder, role: "command" });
  let server = isEmbedded ? null : await start();
  return {
    settings: isEmbedded ? {} : { DATABASE_URL: urlOf(folder, USER) },
    async kill(how) {
      if (how === "backends ended") {
        const admin = new pg.Client({ connectionString: urlOf(folder, "postgres") });
        await admin.connect();
        await admin.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
        );
        await admin.end();
      } else {
        const [pid] = (await readFile(path.join(folder, "postmaster.pid"), "utf8")).split("\n");
        process.kill(Number(pid), how === "killed" ? "SIGKILL" : "SIGINT");
      }
      if (server === null) return;
      await server.close();
      server = await start();
    },
    close: async () => server?.close(),
  };
}
