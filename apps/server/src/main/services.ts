import path from "node:path";
import { openAccounts } from "#adapters/accounts/accounts";
import { openDiskImages } from "#adapters/disk-images/disk-images";
import { openDiskVariants } from "#adapters/disk-variants/disk-variants";
import { openDiskSpace } from "#adapters/disk-space/disk-space";
import { createGuardedFetcher } from "#adapters/guarded-fetch/fetcher";
import { createGuardedSender } from "#adapters/guarded-fetch/sender";
import { openImageProcessor } from "#adapters/image-process/open-image-processor";
import { createKeyring } from "#adapters/keyring/keyring";
import { activityNotices } from "#adapters/notices/activity-notices";
import { mailedNotices } from "#adapters/notices/mailed-notices";
import { openPostgresOauthRecords } from "#adapters/postgres/connections/oauth-records";
import { openPostgresConnections } from "#adapters/postgres/connections/open";
import { openPostgresContent } from "#adapters/postgres/content/open";
import type { Database } from "#adapters/postgres/database";
import { openPostgresPlatform } from "#adapters/postgres/platform/platform";
import { openPostgresReaders } from "#adapters/postgres/readers/open";
import { openPostgresWebhooks } from "#adapters/postgres/webhooks/open";
import { openMailer } from "#adapters/smtp/mailer";
import { rememberRankings } from "#delivery/remembered-rankings";
import { storageFull } from "#domain/disk-space";
import { VARIANT_RECIPE } from "#domain/image-variant";
import { isOutage } from "#http/shared/problem";
import { disconnectAll } from "#operations/connections/helpers/disconnect-all";
import { createActivityLines } from "#operations/kernel/activity-lines";
import type { Services } from "#operations/kernel/services";
import { createWriteLines } from "#operations/kernel/write-lines";
import type { Clock } from "#domain/time";
import type { ContentStore } from "#ports/content-store";
import type { Signals } from "#ports/signals";
import type { Config } from "./config.ts";
import { createContentStores } from "./content-stores.ts";
import { createHealthBook } from "./database-health.ts";
import { imageStores, openBucket, withoutVariants } from "./images.ts";
import { ownContent } from "./own-content.ts";
import { openOwnDatabases } from "./own-databases.ts";
import { openOwnImages } from "./own-images.ts";
import { websiteImages } from "./website-images.ts";
import type { Log } from "./log.ts";
import { openReadReplica } from "./read-replica.ts";
import { createRenderer } from "./renderer.ts";
import { authSecrets } from "./secret-check.ts";

/** How loudly each level of the disk is logged. */
const DISK_LOG = { ok: "info", low: "warn", tight: "error", full: "error" } as const;

/** The services of operations, put together from the adapters. */
export function createServices(
  config: Config,
  secrets: readonly string[],
  database: Database,
  content: ContentStore,
  signals: Signals,
  clock: Clock,
  log: Log,
) {
  const keyring = createKeyring(secrets);
  const renderer = createRenderer();
  const platform = openPostgresPlatform(database);
  const sender = createGuardedSender({ privateTargets: config.privateTargets });
  const mailer = openMailer({ url: config.smtpUrl, from: config.mailFrom });
  const onTrouble = (message: string, error: unknown) => log.warn({ err: error }, message);
  const disk = openDiskSpace({
    folder: config.dataFolder,
    limits: config.diskLimits,
    checkpoint: config.databaseUrl === null ? async () => void (await database.query({ text: "CHECKPOINT" })) : null,
    report: (level, message) => log[DISK_LOG[level]](message),
  });
  const diskImages = openDiskImages(path.join(config.dataFolder, "media"), async (bytes) => {
    const { freeBytes, limits } = await disk.measure();
    if (freeBytes - bytes < limits.tight) throw storageFull("tight");
  });
  const bucket = config.mediaUrl && openBucket(config.mediaUrl, clock);
  const ownImages = openOwnImages({ privateTargets: config.privateTargets, clock });
  const healthBook = createHealthBook({ records: platform.ownDatabases, clock, onTrouble });
  const ownDatabases = openOwnDatabases({
    privateTargets: config.privateTargets,
    ownDatabasesOpen: config.ownDatabasesOpen,
    processes: config.processes,
    database,
    clock,
    onOutcome: healthBook.note,
    onBadDocument: (websiteId, bad) =>
      log.warn({ websiteId, bad }, "A document in a customer's database does not parse; it is treated as absent"),
  });
  const settings: Services["settings"] = {
    defaultPlan: config.defaultPlan,
    firstPlan: config.firstPlan,
    planChanges: config.planChanges,
    publicUrl: config.publicUrl,
    outgoingAddresses: config.outgoingAddresses,
  };
  const ofWebsite = websiteImages({ records: platform.ownImageStores, seals: keyring, own: ownImages, clock, onTrouble });
  const activityLines = createActivityLines(platform.activity, isOutage, onTrouble);
  const connections = openPostgresConnections(database);
  const accounts = openAccounts({
    pool: database.pool,
    lookUp: (statement) => database.query(statement),
    ...authSecrets(keyring),
    baseUrl: config.publicUrl,
    signups: config.signups === "open",
    mailer,
    disconnect: (userId) => disconnectAll({ connections, platform, clock, activityLines }, userId),
    onTrouble,
  });
  const replica = openReadReplica(config, onTrouble);
  const imageProcessor = openImageProcessor();
  const variantFiles = openDiskVariants({
    folder: path.join(config.dataFolder, "variants"),
    recipe: VARIANT_RECIPE,
    maxBytes: config.variantBytes,
    hasRoom: async (bytes) => {
      const { freeBytes, limits } = await disk.read();
      return freeBytes - bytes >= limits.low;
    },
    onTrouble,
  });
  const services: Services = {
    platform,
    activityLines,
    contents: createContentStores(
      content,
      ownContent({ platform, seals: keyring, settings, ownDatabases }),
      // An install's own MongoDB has no fence.
      config.contentUrl === null ? (mover) => openPostgresContent(database, { mover }) : null,
      replica,
    ),
    accounts,
    images: withoutVariants(imageStores(diskImages, bucket?.images ?? null, ofWebsite), variantFiles),
    ownImages,
    ownDatabases,
    imageProcessor,
    variantFiles,
    disk,
    keyring,
    seals: keyring,
    signals,
    lines: createWriteLines(),
    readers: rememberRankings(openPostgresReaders(database), clock),
    webhooks: openPostgresWebhooks(database),
    connections,
    oauthRecords: openPostgresOauthRecords(database),
    sender,
    fetcher: createGuardedFetcher({ privateTargets: config.privateTargets }),
    notices: mailedNotices(activityNotices(platform.activity), { platform, mailer, publicUrl: config.publicUrl }),
    mailer,
    render: renderer.render,
    clock,
    plans: config.plans,
    settings,
    onProgress: (message) => log.info(message),
    onTrouble: (message, error) => log.warn({ err: error }, message),
  };
  return {
    services,
    auth: accounts.auth,
    async close() {
      await activityLines.close();
      sender.close();
      bucket?.close();
      ownImages.close();
      await ownDatabases.close();
      await replica?.close();
      await healthBook.close();
      await imageProcessor.close();
      await variantFiles.close();
      await renderer.close();
    },
  };
}
