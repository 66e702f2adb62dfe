import type { Database } from "#adapters/postgres/database";
import { migrate } from "#adapters/postgres/migrate";
import type { ReadinessCheck } from "#http/health";
import type { Config } from "./config.ts";
import { openInstallDatabase, type ProcessRole } from "./database.ts";
import type { Log } from "./log.ts";
import { loadSecrets } from "./secret.ts";

/** Everything the processes of an install share, opened and migrated. */
export interface Installation {
  readonly config: Config;
  readonly log: Log;
  /** The current one first. */
  readonly secrets: readonly string[];
  readonly database: Database;
  /** What `/readyz` asks. */
  readonly checks: readonly ReadinessCheck[];
  close(): Promise<void>;
}

/** Opens the install: secret, database, schema. `report` tells whoever waits what takes time. */
export async function openInstallation(
  config: Config,
  log: Log,
  options: { role: ProcessRole; report: (message: string) => void; onLost?: (error: Error) => void },
): Promise<Installation> {
  const secrets = await loadSecrets(config);
  const opened = await openInstallDatabase(config, options);
  const { database } = opened;
  try {
    await migrate(database, (name) => options.report(`Migrating the database: ${name} …`));
  } catch (error) {
    await opened.close();
    throw error;
  }
  options.report(`Using ${opened.description}.`);
  return {
    config,
    log,
    secrets,
    database,
    checks: [{ name: "the database", run: async () => void (await database.query({ text: "SELECT 1" })) }],
    close: () => opened.close(),
  };
}
