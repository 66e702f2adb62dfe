import { type Division, sharesOf } from "#domain/rate-share";
import { type BucketRule, fullBucket, refill, secondsToToken, TOKEN, type TokenBucket } from "#domain/token-bucket";

/** Borrowed at a time: what flows in during so many milliseconds, and at least one token. */
const LOAN_MILLIS = 50;

/** A bucket on this node: what it holds can be spent without asking anybody. */
export interface KeptBucket extends TokenBucket {
  /** Its name on every node: what kind of limit, and whose. */
  readonly kind: string;
  readonly name: string;
  /** The whole limit. */
  rule: BucketRule;
  division: Division;
  /** The part of the limit by which it fills here. */
  own: BucketRule;
  /** The part that lies in the ledger. */
  ledger: BucketRule;
  /** In thousandths: with less than this, more is borrowed ahead. 0: never. */
  lowWater: number;
  /** Null while the ledger was not asked for it. */
  loan: Loan | null;
  /** Whoever remembers it must look it up again. */
  isForgotten: boolean;
}

/** What is known of the part in the ledger. Times are those of the bucket. */
interface Loan {
  /** Left in the ledger, in thousandths, and when it said so. */
  remaining: number;
  at: number;
  /** Until then it is not asked again: it had nothing. */
  emptyUntil: number;
  /** This node knows it better than the ledger, which has yet to be told: tokens were spent without it. */
  isUntold: boolean;
  /** Given back, which the ledger has yet to be told too, in thousandths. */
  returned: number;
}

export function fullKept(kind: string, name: string, rule: BucketRule, division: Division, now: number): KeptBucket {
  const { own, ledger } = sharesOf(rule, division);
  const kept = { kind, name, rule, division, own, ledger, lowWater: 0, loan: null, isForgotten: false };
  return divide({ ...fullBucket(own, now), ...kept }, rule, division);
}

/** Brings it up to `now` under the rule and the division that hold now. */
export function bringUp(bucket: KeptBucket, rule: BucketRule, division: Division, now: number): void {
  refill(bucket, bucket.own, now);
  if (bucket.rule === rule && bucket.division === division) return;
  if (bucket.rule.ratePerSecond !== rule.ratePerSecond || bucket.rule.burst !== rule.burst) changeRule(bucket, rule);
  else bucket.rule = rule;
  if (bucket.division !== division) changeDivision(bucket, division);
}

function divide(bucket: KeptBucket, rule: BucketRule, division: Division): KeptBucket {
  const { own, ledger } = sharesOf(rule, division);
  const mostOwn = own.burst * TOKEN;
  return Object.assign(bucket, { rule, division, own, ledger, lowWater: division.life !== null ? Math.min(loanOf(rule), mostOwn) : 0 });
}

/** Another plan: what is held stays, as far as it fits. */
function changeRule(bucket: KeptBucket, rule: BucketRule): void {
  divide(bucket, rule, bucket.division);
  bucket.thousandths = Math.min(bucket.thousandths, bucket.own.burst * TOKEN);
}

/**
 * Other nodes, or a ledger that is lost or back: what was spent stays spent. Without the ledger a node has its part of what is left in it; with it
 * again, it tells the ledger how little can be left.
 */
function changeDivision(bucket: KeptBucket, division: Division): void {
  const before = bucket.division;
  const wasLost = before.life !== null && division.life !== null && before.life !== division.life;
  if (wasLost) changeDivision(bucket, { nodes: before.nodes, life: null });
  const { nodes, life } = bucket.division;
  const known = knownRemaining(bucket);
  divide(bucket, bucket.rule, division);
  const mostOwn = bucket.own.burst * TOKEN;
  if (life !== null && division.life === null) {
    bucket.loan = null;
    bucket.thousandths = Math.min(mostOwn, bucket.thousandths + known / division.nodes);
  } else if (life === null && division.life !== null) {
    const kept = Math.min(bucket.thousandths, mostOwn);
    const inLedger = bucket.ledger.burst * TOKEN;
    // The others have spent as much as this node has, as far as it knows. Every node reports this total; the ledger takes it as an upper bound and does not add the reports up.
    const remaining = nodes * (bucket.thousandths - kept);
    bucket.thousandths = kept;
    bucket.loan = remaining < inLedger ? { remaining, at: bucket.at, emptyUntil: 0, isUntold: true, returned: 0 } : null;
  } else if (life === null) bucket.thousandths = Math.min(mostOwn, (bucket.thousandths * nodes) / division.nodes);
  else bucket.thousandths = Math.min(bucket.thousandths, mostOwn);
}

/** What is left in the ledger as far as this node knows, in thousandths. */
export function knownRemaining({ loan, ledger, at }: KeptBucket): number {
  const most = ledger.burst * TOKEN;
  if (!loan) return most;
  const filled = loan.remaining + Math.max(0, at - loan.at) * ledger.ratePerSecond;
  return Math.min(most, filled + loan.returned);
}

const loanOf = (rule: BucketRule): number => Math.max(TOKEN, LOAN_MILLIS * rule.ratePerSecond);

/** What to ask the ledger for, so many requests waiting, in thousandths. */
export function askedOf(bucket: KeptBucket, waiting: number): { least: number; most: number } {
  const { thousandths, own, lowWater, rule } = bucket;
  // Never more than its own part holds, so that the parts still sum to the limit; those that wait take theirs at once.
  const ahead = Math.max(0, Math.min(own.burst * TOKEN, lowWater + loanOf(rule)) - thousandths);
  const most = Math.max(waiting * TOKEN - thousandths, lowWater > 0 ? ahead : 0, 0);
  return { most, least: Math.min(most, waiting > 0 ? Math.max(0, TOKEN - thousandths) : TOKEN) };
}

/** One token back, as far as there is room; the rest goes to the ledger. */
export function putBack(bucket: KeptBucket): void {
  bucket.thousandths += TOKEN;
  const beyond = bucket.thousandths - bucket.own.burst * TOKEN;
  if (beyond <= 0) return;
  bucket.thousandths -= beyond;
  if (bucket.division.life === null) return;
  bucket.loan ??= { remaining: bucket.ledger.burst * TOKEN, at: bucket.at, emptyUntil: 0, isUntold: false, returned: 0 };
  bucket.loan.returned += beyond;
}

/** What is left of the whole limit, as far as this node knows: for the headers. */
export function wholeOf(bucket: KeptBucket): TokenBucket {
  if (bucket.division.life === null) return bucket;
  return { thousandths: Math.min(bucket.rule.burst * TOKEN, bucket.thousandths + knownRemaining(bucket)), at: bucket.at };
}

/** When to come again, in seconds. */
export const secondsToNext = (bucket: KeptBucket): number =>
  secondsToToken(wholeOf(bucket), bucket.division.life === null ? bucket.own : bucket.rule);
