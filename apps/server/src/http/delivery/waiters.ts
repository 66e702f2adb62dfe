import type { ServerResponse } from "node:http";

/** How long work goes on when the last one has gone, in milliseconds: a client that tries again finds it under way. */
const GRACE_MILLIS = 1_000;

/** The requests that wait for the same work. */
export interface Waiters {
  /** Aborted when nobody has waited for a moment, or when it took too long. */
  readonly signal: AbortSignal;
  join(response: ServerResponse): void;
  giveUp(reason: unknown): void;
  /** The work is done. */
  settled(): void;
}

/** Counts those who wait; work whose last one has gone is given up. */
export function createWaiters(graceMillis = GRACE_MILLIS): Waiters {
  const controller = new AbortController();
  let waiting = 0;
  let isSettled = false;
  let timer: NodeJS.Timeout | undefined;
  const leave = (): void => {
    waiting -= 1;
    // Most leave with their answer.
    if (waiting > 0 || isSettled) return;
    timer = setTimeout(() => controller.abort(), graceMillis);
    timer.unref();
  };
  return {
    signal: controller.signal,
    join(response) {
      clearTimeout(timer);
      waiting += 1;
      response.once("close", leave);
    },
    giveUp: (reason) => controller.abort(reason),
    settled() {
      isSettled = true;
      clearTimeout(timer);
    },
  };
}
