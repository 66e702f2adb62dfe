import type { Auth } from "#adapters/accounts/auth";
import type { Database } from "#adapters/postgres/database";
import { type DatabaseClock, openDatabaseClock } from "#adapters/postgres/database-clock";
import { migrate } from "#adapters/postgres/migrate";
import { openPostgresSignals } from "#adapters/postgres/signals/signals";
import { type ClockState, clockState, describeClock } from "#domain/clock-offset";
import { noLongerThan } from "#domain/no-longer-than";
import type { ReadinessCheck } from "#http/health";
import type { Services } from "#operations/kernel/services";
import type { ContentStore } from "#ports/content-store";
import type { Signals } from "#ports/signals";
import type { Config } from "./config.ts";
import { openContent } from "./content.ts";
import { joinInstallDatabase, type OpenedDatabase, openInstallDatabase, type ProcessRole } from "./database.ts";
import type { Log } from "./log.ts";
import { readSecrets } from "./secret.ts";
import { requireRightSecrets, recordSecrets } from "./secret-check.ts";
import { createServices } from "./services.ts";

/** How long closing may take before it goes on without what does not answer, in milliseconds. */
const CLOSING_MILLIS = 5_000;

/** Everything the processes of an install share, opened and migrated. */
export interface Installation {
  readonly config: Config;
  readonly log: Log;
  /** The current one first. */
  readonly secrets: readonly string[];
  readonly database: Database;
  /** How another process of this node reaches the database. */
  readonly server: OpenedDatabase["server"];
  readonly signals: Signals;
  /** The time of the install, which `services.clock` tells. */
  readonly clock: DatabaseClock;
  readonly services: Services;
  /** Sessions and everything around signing in. */
  readonly auth: Auth;
  /** The checks of `/readyz`. */
  readonly checks: readonly ReadinessCheck[];
  close(): Promise<void>;
}

/** Opens the install: secret, database, schema. Changes nothing when the secret is not this database's. `report` tells whoever waits what takes time. */
export async function openInstallation(
  config: Config,
  log: Log,
  options: {
    role: ProcessRole;
    report: (message: string) => void;
    onLost?: (error: Error) => void;
    /** Changes as this process hears of them, where it is not alone; made from what the database tells. */
    signals?: (outside: Signals) => Signals;
  },
): Promise<Installation> {
  const given = await readSecrets(config);
  const opened = await openInstallDatabase(config, options);
  const { database } = opened;
  let outside: Signals | null = null;
  try {
    await requireRightSecrets(database, given, config);
    const migrations = await migrate(database, {
      onMigration: (name) => log.debug({ name }, "Migrating the database"),
      onWait: () => options.report("Another node is preparing the database. Waiting for it …"),
    });
    if (migrations > 0) options.report("Prepared the database.");
    const secrets = await recordSecrets(database, given, config);
    outside = await openPostgresSignals(database, (message, error) => log.warn({ err: error }, message));
    const installation = await openOn(opened, config, log, secrets, options.signals?.(outside) ?? outside);
    options.report(`Using ${opened.description}.`);
    return installation;
  } catch (error) {
    // The connection that it listens on would keep the process, which then neither serves nor ends.
    await outside?.close().catch(() => {});
    await opened.close();
    throw error;
  }
}

/** The same for a process whose parent has opened it: there is nothing to prepare, and the parent tells of changes. */
export async function joinInstallation(
  config: Config,
  log: Log,
  { server, secrets }: Pick<Installation, "server" | "secrets">,
  signals: Signals,
): Promise<Installation> {
  const opened = await joinInstallDatabase(server, config.connections);
  try {
    return await openOn(opened, config, log, secrets, signals);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Everything above a database that is ready. */
async function openOn(
  opened: OpenedDatabase,
  config: Config,
  log: Log,
  secrets: readonly string[],
  signals: Signals,
): Promise<Installation> {
  const { database } = opened;
  const clock = await openDatabaseClock(database, { onMeasured: tellOfClock(log) });
  const content = await openContent(config.contentUrl, database, clock.now, log);
  const { services, auth, close } = createServices(config, secrets, database, content, signals, clock.now, log);
  return {
    config,
    log,
    secrets,
    database,
    server: opened.server,
    signals,
    clock,
    services,
    auth,
    checks: [
      { name: "the database", run: () => services.platform.ping() },
      { name: "the content store", run: () => answers(content) },
    ],
    async close() {
      const closing = async () => {
        await close();
        await signals.close();
        clock.close();
        await content.close();
      };
      // Whatever does not answer any more, in our network or a customer's: what was committed is safe.
      await noLongerThan(CLOSING_MILLIS, closing());
      await opened.close();
    },
  };
}

/** Told when it changes, not each time it is measured. */
function tellOfClock(log: Log): (offsetMillis: number) => void {
  let told: ClockState = "right";
  return (offsetMillis) => {
    const state = clockState(offsetMillis);
    if (state === told) return;
    told = state;
    log[state === "right" ? "info" : "warn"]({ offsetMillis: Math.round(offsetMillis) }, describeClock(offsetMillis));
  };
}

/** A question that costs nothing and needs no website. */
async function answers(content: ContentStore): Promise<void> {
  await content.posts.listPending(1);
}
