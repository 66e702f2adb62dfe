/** One bucket's question to the ledger. Amounts are tokens, and not always whole ones. */
export interface LedgerQuestion {
  /** The bucket's name, the same on every node; a hash, because names hold addresses of people. */
  readonly key: string;
  /** The part of the limit that lies in the ledger: how fast it fills, and how much it holds. */
  readonly ratePerSecond: number;
  readonly burst: number;
  /** What is borrowed: nothing when there is not the least, else up to the most. Both 0: it is only asked what is left. */
  readonly least: number;
  readonly most: number;
  /** Before that: no more than this is left, because so much was spent without the ledger. */
  readonly atMost: number;
  /** Before that: given back by the node. */
  readonly returned: number;
}

export interface LedgerAnswer {
  readonly granted: number;
  /** What is left there now. */
  readonly remaining: number;
}

/**
 * The part of every limit that all nodes share. It counts by a clock of its own. A bucket that it does not know is full, so one that is full
 * again can be forgotten; how many it keeps is bounded.
 */
export interface RateLedger {
  /** For people, such as `Redis`. */
  readonly name: string;
  /** The id of its current life. It changes when the ledger loses its data. */
  open(): Promise<string>;
  /** All buckets in one go, each at most once. `life` is null or another one when it lost what it knew. */
  borrow(questions: readonly LedgerQuestion[]): Promise<{ readonly life: string | null; readonly answers: readonly LedgerAnswer[] }>;
  /** Forgets what is full, and beyond the bound what is nearest to it. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** Which nodes are there: the limits are split between them. */
export interface RateNodes {
  /** This node is there, for the next few seconds. Answers how many are, and how many of them borrow from another ledger. */
  beat(id: string, ledger: string): Promise<{ readonly nodes: number; readonly elsewhere: number }>;
  leave(id: string): Promise<void>;
}
