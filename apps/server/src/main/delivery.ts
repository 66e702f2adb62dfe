import { createCollector } from "#delivery/collect";
import { contentEndpoints } from "#delivery/endpoints";
import type { DeliveryServices } from "#delivery/services";
import { createClientAddress } from "#http/client-address";
import { createAddressAdmission } from "#http/delivery/admit-address";
import { createBuckets } from "#http/delivery/buckets";
import { createCollectHandler } from "#http/delivery/collect";
import { createDelivery, DELIVERY_PATH } from "#http/delivery/delivery";
import { previewRoute } from "#http/delivery/preview";
import type { Route } from "#http/dispatcher";
import { createMetrics } from "#http/metrics";
import type { Installation } from "./compose.ts";
import { isLoopback } from "./config.ts";

/** Addresses whose readers are counted against a limit at a time. */
const MOST_READERS = 100_000;

/** The read path: what it answers and what it leaves to be stored when it closes. */
export function openDelivery({ config, services, log }: Installation): { readonly routes: readonly Route[]; close(): Promise<void> } {
  const reading: DeliveryServices = { ...services, publicUrl: config.publicUrl };
  const { trustedProxies } = config;
  const delivery = createDelivery({
    services: reading,
    endpoints: contentEndpoints,
    publicRoutes: [previewRoute({ ...reading, render: services.render })],
    log,
    trustedProxies,
  });
  const collector = createCollector(reading, { onTrouble: services.onTrouble });
  const collect = createCollectHandler({
    collector,
    addressOf: createClientAddress(trustedProxies),
    admit: createAddressAdmission(createBuckets(MOST_READERS), services.clock),
  });
  const metrics = { path: "/metrics", handle: createMetrics(delivery.metrics) };
  return {
    routes: [
      { path: `${DELIVERY_PATH}/collect`, handle: collect },
      { path: DELIVERY_PATH, handle: delivery, bare: true },
      // Numbers of the process are for whoever runs it: not on an address that others can reach.
      ...(isLoopback(config.host) && isLoopback(new URL(config.publicUrl).hostname) ? [metrics] : []),
    ],
    async close() {
      await Promise.all([collector.close(), delivery.close()]);
    },
  };
}
