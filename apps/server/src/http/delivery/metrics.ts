/** The read path's own counters since the start, for `/metrics`. */
export interface DeliveryMetrics {
  readonly requests: readonly { readonly route: string; readonly statusClass: number; readonly count: number }[];
  readonly cache: {
    readonly hits: number;
    readonly misses: number;
    /** Old answers given because a content store did not answer. */
    readonly stale: number;
    readonly responses: number;
    readonly bytes: number;
  };
  /** Refused for want of a token, by whose bucket was empty; `quota`: the month was spent. */
  readonly refusals: { readonly website: number; readonly address: number; readonly withoutKey: number; readonly quota: number };
  readonly keys: number;
}

const CLASSES = 6;

export function createTally(routes: readonly string[]) {
  const counts = new Float64Array(routes.length * CLASSES);
  const tally = {
    quotaRefusals: 0,
    count(route: number, status: number): void {
      counts[route * CLASSES + Math.floor(status / 100)]! += 1;
    },
    read(cache: DeliveryMetrics["cache"], refusals: Omit<DeliveryMetrics["refusals"], "quota">, keys: number): DeliveryMetrics {
      const requests = [...counts].flatMap((count, index) =>
        count === 0 ? [] : [{ route: routes[Math.floor(index / CLASSES)]!, statusClass: index % CLASSES, count }],
      );
      return { requests, cache, refusals: { ...refusals, quota: tally.quotaRefusals }, keys };
    },
  };
  return tally;
}
