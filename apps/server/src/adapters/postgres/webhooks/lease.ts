import type { Lease } from "#ports/webhooks";

/** The first three values of every statement that only the holder of a lease may run. */
export const HELD = "website_id = $1 AND id = $2 AND lease_holder = $3";
export const keyOf = ({ websiteId, webhookId, holder }: Lease): string[] => [websiteId, webhookId, holder];
