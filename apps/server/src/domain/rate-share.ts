import type { BucketRule } from "./token-bucket.ts";

/** How the nodes divide every limit. */
export interface Division {
  readonly nodes: number;
  /**
   * The id of the ledger's life (see RateLedger.open): most of each limit is in the ledger. Null: each node has its whole part of every limit, alone or while the ledger
   * is lost.
   */
  readonly life: string | null;
}

export const ALONE: Division = { nodes: 1, life: null };

/** What of every limit the nodes own between them while the rest lies in the ledger. */
const OWNED = 1 / 4;
const NOTHING: BucketRule = { ratePerSecond: 0, burst: 0 };

export interface Shares {
  /** Of this node alone. */
  readonly own: BucketRule;
  readonly ledger: BucketRule;
}

/** The parts of all nodes and of the ledger sum to the limit. */
export function sharesOf(rule: BucketRule, { nodes, life }: Division): Shares {
  if (life === null) {
    // At least one token: a limit that is small must not refuse everybody while the ledger is lost.
    const own =
      nodes === 1 ? rule : { ratePerSecond: rule.ratePerSecond / nodes, burst: Math.max(Math.min(1, rule.burst), rule.burst / nodes) };
    return { own, ledger: NOTHING };
  }
  // A part that can never hold a token would be lost: then all of it lies in the ledger.
  const owned = (OWNED * rule.burst) / nodes >= 1 ? OWNED : 0;
  return {
    own: { ratePerSecond: (owned * rule.ratePerSecond) / nodes, burst: (owned * rule.burst) / nodes },
    ledger: { ratePerSecond: (1 - owned) * rule.ratePerSecond, burst: (1 - owned) * rule.burst },
  };
}
