import type { PlanName } from "@stet/contract";

/** The limits of a plan. `null` = no limit. */
export interface PlanLimits {
  /** Counted requests of the workspace in a UTC month. */
  readonly requestsPerMonth: number | null;
  /** Requests a second that flow back into a website's token bucket. */
  readonly ratePerSecond: number | null;
  /** Requests the bucket holds. */
  readonly burst: number | null;
  /** Websites of the workspace. */
  readonly websites: number | null;
  /** Bytes of images, over all websites of the workspace. */
  readonly storageBytes: number | null;
  /** Live keys of one website. */
  readonly liveKeys: number | null;
  readonly search: boolean;
  readonly trafficPerEndpoint: boolean;
  readonly ownDatabase: boolean;
  readonly ownImageStore: boolean;
  /** Percent of the month's requests that are served: 100 = not one more. */
  readonly servedPercent: number;
}

const MB = 1_000_000;
const GB = 1_000 * MB;

/** The one table of plans. An operator overrides any value of it (STET_PLANS). */
export const PLAN_TABLE: Readonly<Record<PlanName, PlanLimits>> = {
  free: {
    requestsPerMonth: 10_000,
    ratePerSecond: 10,
    burst: 50,
    websites: 1,
    storageBytes: 100 * MB,
    liveKeys: 2,
    search: false,
    trafficPerEndpoint: false,
    ownDatabase: false,
    ownImageStore: false,
    servedPercent: 100,
  },
  starter: {
    requestsPerMonth: 100_000,
    ratePerSecond: 50,
    burst: 250,
    websites: 1,
    storageBytes: 1 * GB,
    liveKeys: null,
    search: true,
    trafficPerEndpoint: true,
    ownDatabase: true,
    ownImageStore: true,
    servedPercent: 120,
  },
  team: {
    requestsPerMonth: 500_000,
    ratePerSecond: 100,
    burst: 500,
    websites: 5,
    storageBytes: 20 * GB,
    liveKeys: null,
    search: true,
    trafficPerEndpoint: true,
    ownDatabase: true,
    ownImageStore: true,
    servedPercent: 120,
  },
  unlimited: {
    requestsPerMonth: null,
    ratePerSecond: null,
    burst: null,
    websites: null,
    storageBytes: null,
    liveKeys: null,
    search: true,
    trafficPerEndpoint: true,
    ownDatabase: true,
    ownImageStore: true,
    // Where the operator sets a number of requests, it is meant as written.
    servedPercent: 100,
  },
};
