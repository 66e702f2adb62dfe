import { ALONE, type Division } from "#domain/rate-share";
import type { RateLedger, RateNodes } from "#ports/rate-ledger";
import { createLoans, inTime } from "./loans.ts";
import { createRates, type Rates } from "./rates.ts";

/** How often a node says that it is there, in milliseconds. */
const BEAT_MILLIS = 1_000;
/** A node that was one of several keeps the ledger for this long, in milliseconds: the others may only be restarting, and buckets fill meanwhile. */
const ALONE_AFTER_MILLIS = 60_000;
const SWEEP_EVERY_BEATS = 30;

export interface SharedRatesOptions {
  readonly id: string;
  readonly nodes: RateNodes;
  readonly ledger: RateLedger;
  /** The name of a bucket as the ledger keeps it. */
  readonly keyOf: (kind: string, name: string) => string;
  readonly log: { info(message: string): void; warn(facts: object, message: string): void };
  readonly beatMillis?: number;
  readonly aloneAfterMillis?: number;
}

export interface SharedRates extends Rates {
  /** Gives back what was borrowed, and tells the others that they are one less. */
  close(): Promise<void>;
}

/**
 * The limits of the install, split between its nodes. A node alone counts for itself and asks nobody; with others it borrows from the
 * ledger; without the ledger each has its part of every limit by the number of nodes that was known last.
 */
export async function openSharedRates(options: SharedRatesOptions): Promise<SharedRates> {
  const { id, nodes, ledger, keyOf, log, beatMillis = BEAT_MILLIS, aloneAfterMillis = ALONE_AFTER_MILLIS } = options;
  let division: Division = ALONE;
  let isTroubled = false;
  let elsewhere = 0;
  let beats = 0;
  /** When another node was last seen, by the steady clock. */
  let lastCompany = -Infinity;

  const loans = createLoans({
    ledger,
    keyOf,
    onLost(error) {
      const { nodes: count } = division;
      lose(error, count);
      // It may only have been restarted: whoever waits is let go on meanwhile.
      void join(count);
    },
  });

  function divideBy(count: number, life: string | null): void {
    if (division.nodes === count && division.life === life) return;
    if (division.nodes !== count) {
      log.info(count === 1 ? "This node is the only one: its limits are the whole limits." : `${count} nodes share the limits.`);
    }
    division = { nodes: count, life };
  }

  function lose(error: unknown, count: number): void {
    loans.use(null);
    divideBy(count, null);
    if (isTroubled) return;
    isTroubled = true;
    log.warn(
      { err: error },
      `${ledger.name}, the rate ledger, does not answer. Until it does, each of ${division.nodes} nodes applies its own part of every limit.`,
    );
  }

  /** Where several nodes are there, the ledger is opened and used. One that was alone goes from the whole limit to its part in one step. */
  async function join(count: number): Promise<void> {
    if (division.life !== null || count === 1) return divideBy(count, division.life);
    try {
      const life = await inTime(ledger.open());
      loans.use(life);
      divideBy(count, life);
      if (isTroubled) log.info(`${ledger.name}, the rate ledger, answers again.`);
      isTroubled = false;
    } catch (error) {
      lose(error, count);
    }
  }

  async function beat(): Promise<void> {
    let { nodes: count } = division;
    try {
      const seen = await inTime(nodes.beat(id, ledger.name));
      if (seen.elsewhere > 0 && elsewhere === 0) {
        log.warn(
          { nodes: seen.elsewhere },
          "Other nodes of this install use another rate ledger: give every node the same REDIS_URL, or none.",
        );
      }
      ({ elsewhere } = seen);
      if (seen.nodes > 1) lastCompany = performance.now();
      count = seen.nodes;
      if (count === 1 && performance.now() - lastCompany > aloneAfterMillis) {
        loans.use(null);
        divideBy(1, null);
      }
    } catch {
      // The number that was known last holds. Those who need the database report that it does not answer.
    }
    await join(count);
    beats += 1;
    if (division.life !== null && beats % SWEEP_EVERY_BEATS === 0) await inTime(ledger.sweep()).catch(() => {});
  }

  await beat();
  let beating: Promise<void> | null = null;
  const timer = setInterval(() => {
    beating ??= beat().finally(() => (beating = null));
  }, beatMillis);
  timer.unref();

  return Object.assign(createRates({ ledger: ledger.name, loans, division: () => division }), {
    async close() {
      clearInterval(timer);
      await beating;
      // The others notice in a few seconds by themselves what cannot be said now.
      await loans.returnAll().catch(() => {});
      loans.use(null);
      await inTime(nodes.leave(id)).catch(() => {});
      await ledger.close();
    },
  });
}
