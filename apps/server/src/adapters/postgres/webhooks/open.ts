import type { Webhooks } from "#ports/webhooks";
import type { Database } from "../database.ts";
import { deliveries } from "./deliveries.ts";
import { endpoints } from "./endpoints.ts";
import { queue } from "./queue.ts";

export const openPostgresWebhooks = (database: Database): Webhooks => ({
  ...endpoints(database),
  ...deliveries(database),
  ...queue(database),
});
