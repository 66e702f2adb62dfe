import type { IncomingMessage, ServerResponse } from "node:http";
import { noLongerThan } from "#domain/no-longer-than";
import { createDispatcher } from "#http/dispatcher";
import { createDocs } from "#http/docs/routes";
import { type HttpServer, startHttpServer } from "#http/server";
import type { Installation } from "./compose.ts";
import { openDashboard } from "./dashboard.ts";
import { openDelivery } from "./delivery.ts";
import { openMcp } from "./mcp.ts";
import { openOauth } from "./oauth.ts";
import { ENDING_MILLIS } from "./processes/messages.ts";
import { openRates } from "./rates.ts";

/** Everything that answers requests, listening. */
export interface HttpService {
  /** Takes no more connections and lets requests finish; what they left to be stored is stored. */
  stop(): Promise<void>;
}

export async function startHttpService(
  installation: Installation,
  options: {
    gatherMetrics?: Parameters<typeof openDelivery>[0]["gatherMetrics"];
    /** Called with every request, before anything is answered from memory. */
    beforeEach?: () => void;
  } = {},
): Promise<HttpService> {
  const { config, log } = installation;
  const { publicUrl, host, port } = config;
  const { gatherMetrics, beforeEach } = options;
  let isStopping = false;
  const rates = await openRates(installation);
  const delivery = openDelivery({ ...installation, rates, ...(gatherMetrics && { gatherMetrics }) });
  const dashboard = openDashboard({ ...installation, rates });
  const oauth = openOauth({ ...installation, rates });
  const mcp = openMcp({ ...installation, rates, tokens: oauth.accessTokens });
  const dispatch = createDispatcher({
    publicUrl,
    log,
    checks: installation.checks,
    isStopping: () => isStopping,
    routes: [...delivery.routes, ...oauth.routes, ...mcp.routes, ...dashboard.routes],
    fallback: dashboard.fallback(createDocs(publicUrl)),
  });
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    beforeEach?.();
    dispatch(request, response);
  };
  const server: HttpServer = await startHttpServer({ host, port, publicUrl, handle: beforeEach ? handle : dispatch }).catch(
    async (error: unknown) => {
      // Its connection would keep the process.
      await rates.close();
      throw error;
    },
  );
  return {
    async stop() {
      isStopping = true;
      oauth.endWaiting();
      await server.stop(config.drainMillis);
      const storing = async () => {
        await delivery.close();
        await mcp.close();
        await oauth.close();
        await rates.close();
      };
      if (!(await noLongerThan(ENDING_MILLIS, storing()))) log.error("The database does not answer: what was counted last is lost");
    },
  };
}
