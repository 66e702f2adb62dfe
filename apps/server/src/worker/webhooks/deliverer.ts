import { newId } from "#domain/ids";
import { SECOND, timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";
import type { Lease } from "#ports/webhooks";
import { LEASE_SECONDS, type Serving, serveEndpoint } from "./serve-endpoint.ts";

/** A signal wakes it sooner; this is for signals that got lost, and for what becomes due. */
const POLL_MILLIS = 500;
/** Events of one website in one go. */
const EVENTS_AT_ONCE = 500;
/** Endpoints claimed in one go: few, so that several nodes that are woken at once each get some. */
const CLAIMED_AT_ONCE = 16;
/** Websites handed out before endpoints are looked at again. */
const HAND_OUTS = 20;
/** How long deliveries under way may take to finish when the process stops. */
const GRACE_MILLIS = 5 * SECOND;
/** An endpoint that keeps us longer than this gives its place in the quick lane to the next. */
const LINGER_MILLIS = 2 * SECOND;
/** And so many may linger at once. */
const MOST_LINGERING = 1_000;

/**
 * How many endpoints are served at once, and how many deliveries of each. What fails or answers slowly has a lane of its own: however
 * many there are of those, they wait for each other and for nobody else.
 */
const LANES = {
  quick: { endpoints: 128, atOnce: 8 },
  slow: { endpoints: 64, atOnce: 4 },
} as const;
type LaneName = keyof typeof LANES;

export interface Deliverer {
  /** Hands out events and sends what is due, until nothing is left to do at this moment. */
  drain(): Promise<void>;
  /** Goes on by itself: when it hears of an event, and twice a second. */
  start(): void;
  /** Finishes what is under way, gives all leases back. */
  stop(): Promise<void>;
}

export interface DelivererOptions {
  readonly random?: () => number;
  readonly graceMillis?: number;
  /** Asked before each round, while it goes on by itself. */
  readonly mayRun?: () => boolean;
}

/** Any number of these, in any number of processes, share the work: what one has claimed the others do not see. */
export function createDeliverer(services: Services, options: DelivererOptions = {}): Deliverer {
  const { random = Math.random, graceMillis = GRACE_MILLIS, mayRun = () => true } = options;
  const { webhooks, clock, signals, onTrouble } = services;
  const ending = new AbortController();
  const busy: Record<LaneName | "lingering", Set<Promise<void>>> = { quick: new Set(), slow: new Set(), lingering: new Set() };
  let stopping = false;
  let running: Promise<void> | null = null;
  let woken = false;
  let wakeUp = (): void => {};
  let unsubscribe = (): void => {};

  const wake = () => {
    woken = true;
    wakeUp();
  };

  function serve(lane: LaneName, lease: Lease): void {
    const serving: Serving = { services, random, atOnce: LANES[lane].atOnce, signal: ending.signal, isStopping: () => stopping };
    const task = serveEndpoint(serving, lease)
      // The lease runs out by itself, and someone takes it over.
      .catch((error: unknown) => onTrouble(`Deliveries to ${lease.webhookId} broke off; they go on later`, error))
      .finally(() => {
        clearTimeout(lingering);
        for (const tasks of Object.values(busy)) tasks.delete(task);
        // It may have moved to the other lane, or there may be more than one turn was enough for.
        wake();
      });
    busy[lane].add(task);
    // Many receivers that die at the same moment are not known to be slow yet; those who come after must not wait for their timeouts.
    const lingering = setTimeout(() => {
      if (lane !== "quick" || busy.lingering.size >= MOST_LINGERING) return;
      busy.quick.delete(task);
      busy.lingering.add(task);
      wake();
    }, LINGER_MILLIS);
  }

  async function fill(lane: LaneName): Promise<number> {
    const free = LANES[lane].endpoints - busy[lane].size;
    if (free === 0 || stopping) return 0;
    const leases = await webhooks.claim(lane, timestamp(clock()), LEASE_SECONDS, Math.min(free, CLAIMED_AT_ONCE));
    for (const lease of leases) serve(lane, lease);
    return leases.length;
  }

  /** Answers how much it found to do. */
  async function round(): Promise<number> {
    let found = 0;
    try {
      for (let i = 0; i < HAND_OUTS && !stopping; i++) {
        const events = await webhooks.handOut(timestamp(clock()), () => newId("delivery", clock().getTime()), EVENTS_AT_ONCE);
        if (events === null) break;
        found += 1;
      }
    } finally {
      // Also when the events of one website cannot be handed out: what is in line is sent.
      const [quick, slow] = await Promise.all([fill("quick"), fill("slow")]);
      found += quick + slow;
    }
    return found;
  }

  async function loop(): Promise<void> {
    let isFailing = false;
    while (!stopping) {
      woken = false;
      try {
        const found = mayRun() ? await round() : 0;
        isFailing = false;
        if (found > 0) continue;
      } catch (error) {
        if (!isFailing) onTrouble("Webhooks cannot be delivered; tried again", error);
        isFailing = true;
      }
      if (woken && !isFailing && mayRun()) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MILLIS);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  const underWay = () => Promise.all(Object.values(busy).flatMap((tasks) => [...tasks]));

  return {
    async drain() {
      for (;;) {
        const found = await round();
        await underWay();
        if (found === 0) return;
      }
    },

    start() {
      unsubscribe = signals.subscribe((signal) => {
        if (signal === "everything" || signal.topic === "event") wake();
      });
      running ??= loop();
    },

    async stop() {
      stopping = true;
      unsubscribe();
      wake();
      const timer = setTimeout(() => ending.abort(), graceMillis);
      await running;
      await underWay();
      clearTimeout(timer);
    },
  };
}
