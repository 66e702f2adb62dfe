import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { startSession } from "#adapters/accounts/sessions";
import { readRoutes } from "#delivery/read-routes";
import type { UserId } from "#domain/ids";
import { inPool } from "#domain/pool";
import { createDelivery, DELIVERY_PATH } from "#http/delivery/delivery";
import { createDispatcher, type Route } from "#http/dispatcher";
import { startHttpServer } from "#http/server";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { openDashboard } from "#main/dashboard";
import { openDelivery } from "#main/delivery";
import { createLog } from "#main/log";
import { runWorkers } from "#worker/run-workers";
import { type Served, usage } from "./shared.ts";

/** The service as `stet serve` puts it together, and beside it the same read path without a memory. */
const config = readConfig();
// As it is written in production, but only faults are shown.
const log = createLog("info", { write: (line) => void (line.startsWith('{"level":"info"') || process.stderr.write(line)) });
const installation = await openInstallation(config, log, { role: "service", report: () => {} });
const delivery = openDelivery(installation);
const stopWorkers = inPool("jobs", () => runWorkers(installation.services));
const cold = createDelivery({
  services: { ...installation.services, publicUrl: config.publicUrl },
  readRoutes: readRoutes.map((readRoute) => ({ ...readRoute, cached: false })),
  log,
});

const listen = (routes: readonly Route[]) =>
  startHttpServer({
    host: "127.0.0.1",
    port: 0,
    publicUrl: config.publicUrl,
    handle: createDispatcher({
      publicUrl: config.publicUrl,
      log,
      checks: [],
      isStopping: () => false,
      routes,
      fallback: (_request, response) => void response.writeHead(404).end(),
    }),
  });
const hotServer = await listen([...delivery.routes, ...openDashboard(installation).routes]);
const coldServer = await listen([{ path: DELIVERY_PATH, handle: cold, bare: true }]);

process.once("disconnect", () => void stop());
process.on("message", (message: "usage" | "living" | { readonly signIn: UserId }) => {
  // What nobody holds any more is not counted as living.
  if (message === "living") collectGarbage();
  if (message === "usage" || message === "living") process.send?.(usage());
  else void startSession(installation.auth, message.signIn).then((cookie) => process.send?.(cookie.slice(0, cookie.indexOf(";"))));
});
const served: Served = { origin: new URL(config.publicUrl).origin, port: hotServer.port, coldPort: coldServer.port };
process.send?.(served);

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

async function stop(): Promise<void> {
  await Promise.all([hotServer.stop(0), coldServer.stop(0), stopWorkers()]);
  await Promise.all([delivery.close(), cold.close()]);
  await installation.close();
}
