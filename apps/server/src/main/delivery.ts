import { createCollector } from "#delivery/collect";
import { readRoutes } from "#delivery/read-routes";
import { createPreview } from "#delivery/preview";
import type { DeliveryServices } from "#delivery/services";
import { collectRoute } from "#http/delivery/collect";
import { createDelivery, DELIVERY_PATH } from "#http/delivery/delivery";
import { openapiRoute } from "#http/delivery/openapi";
import { previewRoute } from "#http/delivery/preview";
import { viewJsRoute } from "#http/delivery/view-js";
import type { Route } from "#http/dispatcher";
import { createMetrics, createMetricsText } from "#http/metrics";
import { createRates, type Rates } from "#usage/rates/rates";
import type { Installation } from "./compose.ts";

/** The read path: what it answers and what it leaves to be stored when it closes. */
export function openDelivery({
  config,
  services,
  log,
  clock,
  rates = createRates(),
  gatherMetrics,
}: Pick<Installation, "config" | "services" | "log"> &
  Partial<Pick<Installation, "clock">> & {
    rates?: Rates;
    /** Where several processes serve: their numbers as one, made from how this one tells its own. */
    gatherMetrics?: (own: () => Promise<string>) => () => Promise<string>;
  }): {
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
      viewJsRoute(),
    ],
    log,
    trustedProxies: config.trustedProxies,
    cacheBytes: config.cacheBytes,
    rates,
  });
  const ownMetrics = createMetricsText({
    delivery: delivery.metrics,
    disk: services.disk.read,
    clockOffsetMillis: clock?.offsetMillis ?? (() => 0),
    rates: () => rates.state,
  });
  const metrics = gatherMetrics?.(ownMetrics) ?? ownMetrics;
  return {
    routes: [
      { path: DELIVERY_PATH, handle: delivery, bare: true },
      ...(config.metrics ? [{ path: "/metrics", exact: true, handle: createMetrics(metrics) }] : []),
    ],
    async close() {
      await Promise.all([collector.close(), delivery.close()]);
    },
  };
}
