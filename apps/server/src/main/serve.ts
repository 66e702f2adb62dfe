import { createDocs } from "#http/docs/routes";
import { mayRunJobs } from "#domain/clock-offset";
import { setupToken } from "#operations/without-actor/setup";
import { createDispatcher } from "#http/dispatcher";
import { startHttpServer } from "#http/server";
import { runWorkers } from "#worker/run-workers";
import type { Command } from "./command.ts";
import { type Installation, openInstallation } from "./compose.ts";
import { readConfig } from "./config.ts";
import { openDashboard } from "./dashboard.ts";
import { buildDashboard } from "./dashboard-build.ts";
import { openDelivery } from "./delivery.ts";
import { checkImages } from "./images.ts";
import { logLibraryOutput } from "./log-library-output.ts";
import { createLog } from "./log.ts";
import { openMcp } from "./mcp.ts";
import { openOauth } from "./oauth.ts";
import { untilAskedToStop } from "./stop-signal.ts";

/** How long requests may take to finish when the service stops. */
const GRACE_MILLIS = 10_000;

/** `stet serve`: the service, until it is asked to stop. */
export const serve: Command = async () => {
  const stop = untilAskedToStop();
  const config = readConfig();
  const log = createLog(config.logLevel);
  logLibraryOutput(log);
  if (config.redisUrl !== null) log.warn("REDIS_URL is not used yet: each node counts rates for itself.");
  const installation = await openInstallation(config, log, {
    role: "service",
    report: (message) => log.info(message),
    onLost(error) {
      log.fatal({ err: error }, "The database is lost, so the service ends");
      process.exit(1);
    },
  });
  let stopping = false;
  try {
    const { publicUrl, host, port } = config;
    // The bucket may be slow, and nobody else has to wait for it.
    void tellOfBucket(installation);
    const delivery = openDelivery(installation);
    // A dashboard that cannot be built must not keep readers from their posts.
    await buildDashboard((message) => log.info(message)).catch((error: unknown) =>
      log.error(`${String(error)}\nAn older build is used if there is one.`),
    );
    const dashboard = openDashboard(installation);
    const oauth = openOauth(installation);
    const mcp = openMcp({ ...installation, tokens: oauth.accessTokens });
    const server = await startHttpServer({
      host,
      port,
      publicUrl,
      handle: createDispatcher({
        publicUrl,
        log,
        checks: installation.checks,
        isStopping: () => stopping,
        routes: [...delivery.routes, ...oauth.routes, ...mcp.routes, ...dashboard.routes],
        fallback: dashboard.fallback(createDocs(publicUrl)),
      }),
    });
    const stopWorkers = runWorkers(installation.services, { mayRun: () => mayRunJobs(installation.clock.offsetMillis()) });
    await welcome(installation);
    const signal = await stop;
    stopping = true;
    log.info(`Stopping (${signal}): finishing requests …`);
    oauth.endWaiting();
    await Promise.all([server.stop(GRACE_MILLIS), stopWorkers()]);
    await delivery.close();
    await mcp.close();
    await oauth.close();
  } finally {
    await installation.close();
  }
  log.info("Stopped.");
  return 0;
};

/** A bucket that does not work is told, and keeps nobody from posts, nor from images that lie elsewhere. */
async function tellOfBucket({ config, log, services }: Installation): Promise<void> {
  if (!config.mediaUrl) return;
  const fault = await checkImages(services.images.of("s3"));
  if (fault) log.error(`The bucket ${config.mediaUrl.bucket} at MEDIA_URL does not work, so images cannot be uploaded. ${fault}`);
  else log.info(`Images go to the bucket ${config.mediaUrl.bucket}.`);
}

/** The text that the operator reads when the service is up. The reader of the console of an empty install becomes its owner. */
async function welcome({ config, log, services }: Installation): Promise<void> {
  const { publicUrl } = config;
  log.info(`Stet is ready at ${publicUrl}`);
  log.info(`  API ${publicUrl}/v1   assistants ${publicUrl}/mcp   reference ${publicUrl}/docs   health ${publicUrl}/readyz`);
  log.info(`  data in ${config.dataFolder}`);
  if (await services.platform.workspaces.isEmptyInstall()) {
    log.info(`  Set it up: open ${publicUrl}/setup/${setupToken(services)} (works until there is an owner)`);
  }
}
