import cluster from "node:cluster";
import { mayRunJobs } from "#domain/clock-offset";
import { inPool } from "#domain/pool";
import { setupToken } from "#operations/without-actor/setup";
import { runWorkers } from "#worker/run-workers";
import type { Command } from "./command.ts";
import { type Installation, openInstallation } from "./compose.ts";
import { readConfig } from "./config.ts";
import { buildDashboard } from "./dashboard-build.ts";
import { startHttpService } from "./http-service.ts";
import { checkImages } from "./images.ts";
import { logLibraryOutput } from "./log-library-output.ts";
import { createLog } from "./log.ts";
import { serveAsChild } from "./processes/child.ts";
import { startChildren } from "./processes/children.ts";
import { createHub, type Hub } from "./processes/hub.ts";
import { ENDING_MILLIS } from "./processes/messages.ts";
import { untilAskedToStop } from "./stop-signal.ts";

/** `stet serve`: the service, until it is asked to stop. */
export const serve: Command = async () => {
  if (cluster.isWorker) return serveAsChild();
  const stop = untilAskedToStop();
  const config = readConfig();
  const isAlone = config.processes === 1;
  const log = isAlone ? createLog(config.logLevel) : createLog(config.logLevel).child({ process: "parent" });
  logLibraryOutput(log);
  const installation = await openInstallation(config, log, {
    role: "service",
    report: (message) => log.info(message),
    onLost(error) {
      log.fatal({ err: error }, "The database is lost, so the service ends");
      process.exit(1);
    },
    ...(!isAlone && { signals: (outside) => createHub(outside) }),
  });
  try {
    // The bucket may be slow, and nobody else has to wait for it.
    void tellOfBucket(installation);
    // A dashboard that cannot be built must not keep readers from their posts.
    await buildDashboard((message) => log.info(message)).catch((error: unknown) =>
      log.error(`${String(error)}\nAn older build is used if there is one.`),
    );
    const serving = isAlone ? await startHttpService(installation) : await startProcesses(installation, stop);
    const stopWorkers = inPool("jobs", () =>
      runWorkers(installation.services, {
        mayRun: () => mayRunJobs(installation.clock.offsetMillis()),
        graceMillis: config.drainMillis,
      }),
    );
    // It serves already: a database that goes away in this moment must not leave it half open, nor deaf to a stop.
    void welcome(installation).catch((error: unknown) => log.warn({ err: error }, "Whether this install is set up could not be read"));
    const signal = await stop;
    log.info(`Stopping (${signal}): finishing requests …`);
    await Promise.all([serving.stop(), stopWorkers()]);
  } finally {
    await installation.close();
  }
  log.info("Stopped.");
  // A connection that leads nowhere would keep the process until the system gives up on it.
  setTimeout(() => process.exit(), ENDING_MILLIS).unref();
  return 0;
};

/** Requests are answered by processes of their own; this one has the database and the jobs. */
async function startProcesses(
  { config, log, server, secrets, signals }: Installation,
  askedToStop: Promise<unknown>,
): Promise<{ stop(): Promise<void> }> {
  const children = startChildren({ processes: config.processes, server, secrets }, signals as Hub, log);
  const stop = () => children.stop(config.drainMillis + ENDING_MILLIS);
  try {
    await Promise.race([children.ready, askedToStop]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

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
