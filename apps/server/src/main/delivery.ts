import { createCollector } from "#delivery/collect";
import { readRoutes } from "#delivery/read-routes";
import { createPreview } from "#delivery/preview";
import type { DeliveryServices } from "#delivery/services";
import { collectRoute } from "#http/delivery/collect";
import { createDelivery, DELIVERY_PATH } from "#http/delivery/delivery";
import { openapiRoute } from "#http/delivery/openapi";
import { previewRoute } from "#http/delivery/preview";
import type { Route } from "#http/dispatcher";
import { createMetrics } from "#http/metrics";
import type { Installation } from "./compose.ts";

/** The read path: what it answers and what it leaves to be stored when it closes. */
export function openDelivery({
  config,
  services,
  log,
  clock,
}: Pick<Installation, "config" | "services" | "log"> & Partial<Pick<Installation, "clock">>): {
  readonly routes: readonly Route[];
  close(): Promise<void>;
} {
  const reading: DeliveryServices = { ...services, publicUrl: config.publicUrl };
  const collector = createCollector(reading, { onTrouble: services.onTrouble });
  const delivery = createDelivery({
    services: reading,
    readRoutes,
    publicRoutes: [
      openapiRoute(config.publicUrl),
      previewRoute(createPreview({ ...services, publicUrl: config.publicUrl })),
      collectRoute(collector),
    ],
    log,
    trustedProxies: config.trustedProxies,
  });
  return {
    routes: [
      { path: DELIVERY_PATH, handle: delivery, bare: true },
      ...(config.metrics
        ? [
            {
              path: "/metrics",
              exact: true,
              handle: createMetrics({
                delivery: delivery.metrics,
                disk: services.disk.read,
                clockOffsetMillis: clock?.offsetMillis ?? (() => 0),
              }),
            },
          ]
        : []),
    ],
    async close() {
      await Promise.all([collector.close(), delivery.close()]);
    },
  };
}
