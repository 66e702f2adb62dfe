import { addCounts, type HealthSample, healthKeptSince, spanOf } from "#domain/database-health";
import type { WebsiteId } from "#domain/ids";
import { type Clock, SECOND, timestamp } from "#domain/time";
import { createWriteBehind } from "#domain/write-behind";
import type { OwnDatabaseRecords } from "#ports/own-database-records";
import type { ClusterOutcome } from "#ports/own-databases";

/** How long outcomes are collected before they are written down, in milliseconds. */
const COLLECTED_MILLIS = 10 * SECOND;

interface Options {
  readonly records: Pick<OwnDatabaseRecords, "noteHealth">;
  readonly clock: Clock;
  onTrouble(message: string, error: unknown): void;
}

/**
 * Writes down how customers' databases do, summed up, so that their owners see it on any node. That one went away, or is back, is written at
 * once. Where an answer of PostgreSQL is lost a few outcomes are counted twice, which changes no picture.
 */
export function createHealthBook({ records, clock, onTrouble }: Options) {
  /** What this node found last; another node may have found something else meanwhile, so it is told with every sample all the same. */
  const last = new Map<WebsiteId, string | null>();
  const book = createWriteBehind<HealthSample>({
    write: (samples) => records.noteHealth(samples, healthKeptSince(clock())),
    merging: {
      keyOf: ({ websiteId, at }) => `${websiteId} ${at}`,
      merge: (earlier, later) => ({
        ...later,
        ...addCounts(earlier, later),
        error: later.error ?? earlier.error,
        errorAt: later.errorAt ?? earlier.errorAt,
      }),
    },
    everyMillis: COLLECTED_MILLIS,
    onLost: (error) => onTrouble("How customers' databases do was not written down", error),
  });

  return {
    note(websiteId: WebsiteId, outcome: ClusterOutcome): void {
      const now = clock();
      const error = outcome.kind === "failed" ? outcome.error : null;
      void book.add({
        websiteId,
        at: spanOf(now),
        answered: outcome.kind === "answered" ? 1 : 0,
        failed: outcome.kind === "failed" ? 1 : 0,
        timed: outcome.kind === "timed" ? 1 : 0,
        timedMillis: outcome.kind === "timed" ? Math.max(1, Math.round(outcome.millis)) : 0,
        error,
        errorAt: error === null ? null : timestamp(now),
        isAway: error !== null,
      });
      const isNews = last.get(websiteId) !== error && (error !== null || last.has(websiteId));
      if (error === null) last.delete(websiteId);
      else last.set(websiteId, error);
      if (isNews) void book.flush();
    },
    close: () => book.close(),
  };
}
