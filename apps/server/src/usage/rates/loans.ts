import { holdsToken, TOKEN } from "#domain/token-bucket";
import type { LedgerQuestion, RateLedger } from "#ports/rate-ledger";
import { askedOf, type KeptBucket, knownRemaining } from "./kept-bucket.ts";

/** The ledger is asked at most so often, for all buckets in one go. */
const TICK_MILLIS = 20;
/** A ledger that takes longer is lost, in milliseconds: requests wait for it. */
const PATIENCE_MILLIS = 1_000;
const MOST_QUESTIONS = 500;
/** Strangers choose the names of buckets, so what waits is bounded. Beyond it a node has its own part alone. */
const MOST_QUEUED = 5_000;
const MOST_WAITING = 2_000;
/** How long an empty ledger is left alone, in milliseconds. */
const EMPTY_MILLIS = { least: 50, most: 1_000 };
/** What a node knows of the ledger is asked for again after this, in milliseconds, for the headers. */
const STALE_MILLIS = 1_000;
/** What was borrowed longer ago has flowed in again, in milliseconds. */
const UNSPENT_MILLIS = 10_000;

export interface Loans {
  /** Resolves when the ledger has answered for all that have no token; null where it would have none, or too many wait. */
  waitFor(buckets: readonly KeptBucket[]): Promise<unknown> | null;
  /** Asks soon, and nobody waits for it. */
  askAhead(bucket: KeptBucket): void;
  /** The ledger's life from now on; null: it is not asked, and whoever waits is let go on. */
  use(life: string | null): void;
  /** Gives back what was borrowed lately and not spent. */
  returnAll(): Promise<void>;
  readonly tally: { calls: number; failures: number; waits: number };
}

interface Ask {
  readonly bucket: KeptBucket;
  waiting: number;
  readonly answered: Promise<void>;
  readonly resolve: () => void;
}

export function createLoans(options: {
  readonly ledger: RateLedger;
  readonly keyOf: (kind: string, name: string) => string;
  readonly onLost: (error: unknown) => void;
}): Loans {
  const { ledger, keyOf, onLost } = options;
  const queued = new Map<KeptBucket, Ask>();
  const tally = { calls: 0, failures: 0, waits: 0 };
  /** Borrowed lately, and when. */
  const borrowed = new Map<KeptBucket, number>();
  let life: string | null = null;
  let waiting = 0;
  let timer: NodeJS.Timeout | null = null;
  let isAsking = false;
  let lastTick = 0;

  function enqueue(bucket: KeptBucket): Ask | null {
    const known = queued.get(bucket);
    if (known) return known;
    if (life === null || queued.size >= MOST_QUEUED) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    const ask: Ask = { bucket, waiting: 0, answered: promise, resolve };
    queued.set(bucket, ask);
    if (timer === null && !isAsking) schedule();
    return ask;
  }

  function schedule(): void {
    timer = setTimeout(() => void tick(), Math.max(0, lastTick + TICK_MILLIS - performance.now()));
  }

  async function tick(): Promise<void> {
    timer = null;
    if (queued.size === 0) return;
    lastTick = performance.now();
    isAsking = true;
    const asks = [...queued.values()].slice(0, MOST_QUESTIONS);
    for (const { bucket } of asks) queued.delete(bucket);
    try {
      await answer(asks, life);
    } catch (error) {
      tally.failures += 1;
      onLost(error);
    } finally {
      for (const ask of asks) release(ask);
      isAsking = false;
      if (queued.size > 0) schedule();
    }
  }

  async function answer(asks: readonly Ask[], asked: string | null): Promise<void> {
    const questions = asks.map(questionOf);
    tally.calls += 1;
    const { life: present, answers } = await inTime(ledger.borrow(questions));
    // Meanwhile it was given up, or opened again: what this node knows has been converted, and the answer is not for it.
    if (asked === null || life !== asked) return;
    // A ledger that forgot everything believes that every bucket is full: what it says is not to be believed before it was told better.
    if (present !== asked) throw new Error("The rate ledger has lost its data");
    for (const [index, { bucket }] of asks.entries()) {
      const { granted, remaining } = answers[index]!;
      take(bucket, questions[index]!, granted * TOKEN, remaining * TOKEN);
    }
  }

  function questionOf({ bucket, waiting: requests }: Ask): LedgerQuestion {
    const { least, most } = askedOf(bucket, requests);
    const { loan, ledger: part } = bucket;
    const returned = (loan?.returned ?? 0) / TOKEN;
    if (loan) loan.returned = 0;
    const atMost = loan?.isUntold ? knownRemaining(bucket) / TOKEN : part.burst;
    return { key: keyOf(bucket.kind, bucket.name), ...part, least: least / TOKEN, most: most / TOKEN, atMost, returned };
  }

  function take(bucket: KeptBucket, { most, ratePerSecond }: LedgerQuestion, granted: number, remaining: number): void {
    if (bucket.division.life === null) return;
    bucket.thousandths += granted;
    // The longer, the more nodes wait for what flows in: nothing is lost, and most of a flood is refused without a question.
    const pause = Math.min(EMPTY_MILLIS.most, Math.max(EMPTY_MILLIS.least, (500 * bucket.division.nodes) / ratePerSecond));
    // Thousandths are compared, because sums of fractions are not exact.
    const isEmpty = Math.round(granted) < Math.round(most * TOKEN);
    bucket.loan = {
      remaining,
      at: bucket.at,
      emptyUntil: isEmpty ? bucket.at + pause : 0,
      isUntold: false,
      returned: bucket.loan?.returned ?? 0,
    };
    if (granted > 0) borrowed.set(bucket, performance.now());
    if (borrowed.size > MOST_QUEUED) forgetOld();
  }

  function forgetOld(): void {
    const oldest = performance.now() - UNSPENT_MILLIS;
    for (const [bucket, at] of borrowed) {
      if (at < oldest || bucket.isForgotten || borrowed.size > MOST_QUEUED) borrowed.delete(bucket);
    }
  }

  function release({ waiting: requests, resolve }: Ask): void {
    waiting -= requests;
    resolve();
  }

  const mayHaveMore = ({ division, loan, at }: KeptBucket): boolean => division.life !== null && !isKnownEmpty(loan, at);

  return {
    tally,

    waitFor(buckets) {
      const empty = buckets.filter((bucket) => !holdsToken(bucket));
      if (waiting + empty.length > MOST_WAITING || !empty.every(mayHaveMore)) return null;
      const answers: Promise<void>[] = [];
      for (const bucket of empty) {
        const ask = enqueue(bucket);
        if (!ask) return null;
        ask.waiting += 1;
        waiting += 1;
        answers.push(ask.answered);
      }
      tally.waits += 1;
      return answers.length === 1 ? answers[0]! : Promise.all(answers);
    },

    askAhead(bucket) {
      const { loan, at } = bucket;
      if (isKnownEmpty(loan, at) && loan?.returned === 0) return;
      enqueue(bucket);
    },

    use(next) {
      life = next;
      if (next !== null) return;
      for (const ask of queued.values()) release(ask);
      queued.clear();
    },

    async returnAll() {
      if (life === null) return;
      forgetOld();
      const questions = [...borrowed.keys()].flatMap((bucket) => {
        const returned = (bucket.thousandths + (bucket.loan?.returned ?? 0)) / TOKEN;
        if (bucket.division.life !== life || bucket.isForgotten || returned <= 0) return [];
        return [{ key: keyOf(bucket.kind, bucket.name), ...bucket.ledger, least: 0, most: 0, atMost: bucket.ledger.burst, returned }];
      });
      for (let from = 0; from < questions.length; from += MOST_QUESTIONS) {
        await inTime(ledger.borrow(questions.slice(from, from + MOST_QUESTIONS)));
      }
    },
  };
}

/** Whether the ledger said lately that it has nothing. A pause longer than the longest means that the clock was set back since: it is ignored. */
function isKnownEmpty(loan: KeptBucket["loan"], at: number): boolean {
  const pause = (loan?.emptyUntil ?? 0) - at;
  return pause > 0 && pause <= EMPTY_MILLIS.most;
}

/** Whether what is known of the ledger is too old for the headers. */
export const isStale = ({ loan, at }: KeptBucket): boolean => loan !== null && at - loan.at > STALE_MILLIS;

/** Rejects when it takes too long; what it answers later is nobody's. */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${PATIENCE_MILLIS} ms`)), PATIENCE_MILLIS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
