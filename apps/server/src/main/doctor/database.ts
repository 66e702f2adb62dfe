import { stat } from "node:fs/promises";
import { chooseAccount } from "#adapters/embedded-postgres/account";
import { findBinaries } from "#adapters/embedded-postgres/binaries";
import { openPostgresContent } from "#adapters/postgres/content/open";
import type { Database } from "#adapters/postgres/database";
import { openDatabaseClock } from "#adapters/postgres/database-clock";
import { newestUnknown, readMigrations } from "#adapters/postgres/migrate";
import { clockState, describeClock } from "#domain/clock-offset";
import type { Config } from "../config.ts";
import { openInstallDatabase, postgresFolder } from "../database.ts";
import { checkSecretsOf } from "./secrets.ts";
import { type Finding, good, problem, warning } from "./finding.ts";
import { checkFiles, checkOwnStores } from "./image-store.ts";
import { imageFindings, type NotStripped } from "./images.ts";
import { checkLimits } from "./limits.ts";
import { checkPlan } from "./plan.ts";
import { checkPooling } from "./pooling.ts";
import { checkReplica } from "./replica.ts";
import { checkRights } from "./rights.ts";

/** The server is asked as a command would: one that does not run is started for it and stopped again. */
export async function checkDatabase(config: Config): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const report = (message: string): void => void findings.push(warning(message));
  try {
    if (!config.databaseUrl) {
      const folder = postgresFolder(config);
      const { packageVersion } = await findBinaries(await chooseAccount(folder, report));
      findings.push(good(`PostgreSQL: the embedded ${packageVersion} runs on this machine.`));
      if (!(await stat(folder).catch(() => null))) {
        findings.push(good("Database: will be created at the first start."));
        return findings;
      }
    }
    const opened = await openInstallDatabase(config, { role: "command", report: () => {} });
    try {
      const { database, description } = opened;
      findings.push(good(`Database: ${description}.`), ...(config.databaseUrl ? await checkPooling(database, config) : []));
      findings.push(await checkRights(database), ...(await checkReplica(database, config)));
      findings.push(await checkMigrations(database), await checkClock(database));
      findings.push(...(await checkSecretsOf(database, config)), ...(await checkPlan(database, config)));
      findings.push(...(await checkFiles(database, config).catch(() => [])), ...(await checkOwnStores(database).catch(() => [])));
      findings.push(...(await checkLimits(database, config).catch(() => [])));
      // Before the first start of this version there is nothing to ask.
      if (!config.contentUrl) findings.push(...(await countsIn(database).then(imageFindings, () => [])));
    } finally {
      await opened.close();
    }
  } catch (error) {
    findings.push(problem(`Database: ${(error as Error).message}`));
  }
  return findings;
}

/** The install's time is the database's; what else runs on this machine follows the machine's. */
async function checkClock(database: Database): Promise<Finding> {
  const clock = await openDatabaseClock(database);
  clock.close();
  const offset = clock.offsetMillis();
  const finding = { right: good, off: warning, "far off": problem }[clockState(offset)];
  return finding(`Clock: ${describeClock(offset)}`);
}

const countsIn = (database: Database): Promise<NotStripped> => openPostgresContent(database).media.countNotStripped();

async function checkMigrations(database: Database): Promise<Finding> {
  const known = await readMigrations();
  const applied = await database
    .query<{ name: string; hash: string }>({ text: "SELECT name, hash FROM stet_migrations" })
    .then(({ rows }) => new Map(rows.map((row) => [row.name, row.hash])))
    .catch(() => new Map<string, string>());
  const newest = newestUnknown([...applied.keys()], known);
  if (newest !== undefined)
    return problem(`Schema: created by a newer Stet (${newest}). Start that version, or restore a backup from before.`);
  const edited = known.filter((migration) => applied.has(migration.name) && applied.get(migration.name) !== migration.hash);
  if (edited.length > 0)
    return problem(`Schema: ${edited.map(({ name }) => name).join(", ")} changed after it was applied. Restore the released file.`);
  const waiting = known.length - applied.size;
  return good(
    waiting === 0 ? `Schema: up to date (${known.length} migrations).` : `Schema: ${waiting} migrations will be applied at the next start.`,
  );
}
