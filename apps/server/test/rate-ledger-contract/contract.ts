import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { BucketRule } from "#domain/token-bucket";
import type { LedgerQuestion, RateLedger, RateNodes } from "#ports/rate-ledger";
import type { KeptBucket } from "#usage/rates/kept-bucket";
import type { Rates } from "#usage/rates/rates";
import { openSharedRates, type SharedRates } from "#usage/rates/shared-rates";

/** A ledger of the kind that is tried, and what can happen to it. */
export interface TriedLedger {
  /** As one more node opens it. */
  open(most?: number): RateLedger;
  /** It loses all that it knows, as after a crash. */
  empty(): Promise<void>;
  /** Its clock was an hour ahead when the bucket was last asked. */
  noteAhead(key: string): Promise<void>;
  readonly nodes: RateNodes;
}

const RULE: BucketRule = { ratePerSecond: 100, burst: 100 };
const question = (key: string, asked: Partial<LedgerQuestion> = {}): LedgerQuestion => ({
  key,
  ratePerSecond: 1,
  burst: 10,
  least: 0,
  most: 0,
  atMost: 10,
  returned: 0,
  ...asked,
});

/** What every rate ledger does, alone and between nodes. */
export function rateLedgerContract(tried: TriedLedger): void {
  async function borrowOne(ledger: RateLedger, asked: LedgerQuestion) {
    return (await ledger.borrow([asked])).answers[0]!;
  }

  describe("the ledger", () => {
    test("a bucket that it does not know is full, and it lends what it has and nothing below the least", async () => {
      const ledger = tried.open();
      await ledger.open();
      const key = randomUUID();
      expect(await borrowOne(ledger, question(key, { least: 1, most: 4 }))).toMatchObject({ granted: 4 });
      expect((await borrowOne(ledger, question(key, { least: 1, most: 9 }))).granted).toBeCloseTo(6, 0);
      expect(await borrowOne(ledger, question(key, { least: 1, most: 9 }))).toMatchObject({ granted: 0 });
      await ledger.close();
    });

    test("fills by its own clock, believes that less is left, and takes back no more than it holds", async () => {
      const ledger = tried.open();
      await ledger.open();
      const key = randomUUID();
      expect((await borrowOne(ledger, question(key, { atMost: 0 }))).remaining).toBe(0);
      await expect.poll(async () => (await borrowOne(ledger, question(key, { ratePerSecond: 20 }))).remaining).toBeGreaterThan(1);
      expect((await borrowOne(ledger, question(key, { returned: 25 }))).remaining).toBe(10);
      // Another plan.
      expect((await borrowOne(ledger, question(key, { burst: 3 }))).remaining).toBe(3);
      await ledger.close();
    });

    test("fills again at once after its clock was ahead", async () => {
      const ledger = tried.open();
      await ledger.open();
      const key = randomUUID();
      const asked = question(key, { ratePerSecond: 20 });
      expect((await borrowOne(ledger, { ...asked, atMost: 0 })).remaining).toBe(0);
      await tried.noteAhead(key);
      await expect.poll(async () => (await borrowOne(ledger, asked)).remaining).toBeGreaterThan(1);
      await ledger.close();
    });

    test("many at once in any order get together what there is", async () => {
      const ledgers = Array.from({ length: 4 }, () => tried.open());
      for (const ledger of ledgers) await ledger.open();
      const keys = Array.from({ length: 20 }, () => randomUUID());
      const asks = keys.map((key) => question(key, { ratePerSecond: 1e-6, least: 1, most: 1 }));
      const rounds = Array.from({ length: 20 }, (_, n) => ledgers[n % 4]!.borrow(n % 2 === 0 ? asks : asks.toReversed()));
      const granted = (await Promise.all(rounds)).flatMap(({ answers }) => answers).reduce((sum, one) => sum + one.granted, 0);
      expect(granted).toBeCloseTo(10 * keys.length, 3);
      for (const ledger of ledgers) await ledger.close();
    });

    test("keeps a bounded number of buckets, and forgets those first that are nearest to full", async () => {
      await tried.empty();
      const ledger = tried.open(5);
      await ledger.open();
      const empty = randomUUID();
      await borrowOne(ledger, question(empty, { ratePerSecond: 0.001, most: 10 }));
      await ledger.borrow(Array.from({ length: 30 }, () => question(randomUUID(), { ratePerSecond: 0.1, most: 1 })));
      await ledger.sweep();
      expect((await borrowOne(ledger, question(empty, { ratePerSecond: 0.001 }))).remaining).toBeLessThan(1);
      await ledger.close();
    });

    test("has another life after it lost what it knew", async () => {
      const ledger = tried.open();
      const life = await ledger.open();
      expect(await ledger.open()).toBe(life);
      expect((await ledger.borrow([question(randomUUID())])).life).toBe(life);
      await tried.empty();
      expect((await ledger.borrow([question(randomUUID())])).life).toBeNull();
      expect(await ledger.open()).not.toBe(life);
      await ledger.close();
    });
  });

  describe("nodes that share it", () => {
    test("flooded, they admit the limit together and nothing beyond, also when it loses what it knew", async () => {
      const nodes = await startNodes(4);
      const first = await flood(nodes, randomUUID(), 700);
      expect(first.admitted / first.limit).toBeLessThanOrEqual(1);
      expect(first.admitted / first.due).toBeGreaterThan(0.85);
      const second = await flood(nodes, randomUUID(), 900, () => tried.empty());
      expect(second.admitted / second.limit).toBeLessThanOrEqual(1.1);
      expect(second.admitted / second.due).toBeGreaterThan(0.75);
    });

    test("without it they split the limit by the number that was known last, and refuse not everybody", async () => {
      const nodes = await startNodes(4);
      const name = randomUUID();
      const { admitted, limit, due } = await flood(nodes, name, 800, async () => nodes.forEach(({ ledger }) => ledger.lose()));
      expect(nodes.map(({ rates }) => rates.state.division)).toEqual(Array.from({ length: 4 }, () => ({ nodes: 4, life: null })));
      expect(admitted / limit).toBeLessThanOrEqual(1.1);
      expect(admitted / due).toBeGreaterThan(0.7);
      // A limit that is smaller than the number of nodes lets one through on each.
      const small: BucketRule = { ratePerSecond: 0.1, burst: 2 };
      for (const { rates } of nodes) expect(await takeOne(rates, randomUUID(), small)).toBe(true);
      for (const { ledger } of nodes) ledger.find();
      await expect.poll(() => nodes.every(({ rates }) => rates.state.division.life !== null)).toBe(true);
      const again = await flood(nodes, name, 300);
      expect(again.admitted).toBeLessThanOrEqual(again.limit - RULE.burst + 0.35 * RULE.burst);
    });

    test("one client at one node gets nearly the whole burst at once, and gives back what failed", async () => {
      const nodes = await startNodes(2);
      const [{ rates }] = nodes as [Node];
      const bucket = rates.open("test", randomUUID(), { ratePerSecond: 0.01, burst: 80 }, 0);
      expect(await takeMany(rates, bucket, 100)).toBe(70);
      const small = { ratePerSecond: 0.001, burst: 3 };
      const tries = rates.open("test", randomUUID(), small, 0);
      // It holds no token of its own: each comes from the ledger, and goes back there.
      for (let n = 0; n < 6; n++) {
        expect(await rates.take([tries])).toBeNull();
        rates.giveBack(tries);
      }
    });

    test("a node that joins finds what the first one spent alone, and a node alone asks nobody", async () => {
      const name = randomUUID();
      const slow = { ratePerSecond: 0.01, burst: 40 };
      const [first] = (await startNodes(1)) as [Node];
      const bucket = first.rates.open("test", name, slow, 0);
      for (let n = 0; n < 40; n++) expect(await first.rates.take([bucket])).toBeNull();
      expect(await first.rates.take([bucket])).toBe(bucket);
      expect(first.ledger.calls).toBe(0);
      const [second] = (await startNodes(1)) as [Node];
      await expect.poll(() => first.rates.state.division.nodes).toBe(2);
      first.rates.refill(bucket, slow, 1);
      expect(await first.rates.take([bucket])).toBe(bucket);
      const there = second.rates.open("test", name, slow, 0);
      // Its own part, which a node that joins adds once.
      expect(await takeMany(second.rates, there, 40)).toBe(5);
    });

    test("what a node borrowed and did not spend goes back when it ends", async () => {
      const name = randomUUID();
      const slow = { ratePerSecond: 0.01, burst: 80 };
      const nodes = await startNodes(2);
      const buckets = nodes.map(({ rates }) => rates.open("test", name, slow, 0));
      const takeAll = (n: number) => takeMany(nodes[n]!.rates, buckets[n]!, 80);
      // As if requests had gone away while they waited: their tokens stay on the node.
      await takeAll(0);
      for (let n = 0; n < 10; n++) nodes[0]!.rates.giveBack(buckets[0]!);
      await nodes[0]!.rates.close();
      expect(await takeAll(1)).toBe(20);
    });
  });

  interface Node {
    readonly rates: SharedRates;
    readonly buckets: Map<string, KeptBucket>;
    readonly ledger: { readonly calls: number; lose(): void; find(): void };
  }

  /** Ready when all of them know of each other. */
  async function startNodes(count: number): Promise<Node[]> {
    const nodes = await Promise.all(Array.from({ length: count }, startNode));
    if (count > 1) {
      await expect
        .poll(() => nodes.every(({ rates }) => rates.state.division.nodes === count && rates.state.division.life !== null))
        .toBe(true);
    }
    return nodes;
  }

  async function startNode(): Promise<Node> {
    const real = tried.open();
    let isLost = false;
    let calls = 0;
    const through = async <T>(work: () => Promise<T>): Promise<T> => {
      calls += 1;
      if (isLost) throw new Error("It does not answer");
      return work();
    };
    const ledger: RateLedger = { ...real, open: () => through(real.open), borrow: (asked) => through(() => real.borrow(asked)) };
    const rates = await openSharedRates({
      id: randomUUID(),
      nodes: tried.nodes,
      ledger,
      keyOf: (kind, name) => `${kind} ${name}`,
      log: { info() {}, warn() {} },
      beatMillis: 50,
    });
    onTestFinished(() => rates.close());
    return {
      rates,
      buckets: new Map(),
      ledger: {
        get calls() {
          return calls;
        },
        lose: () => void (isLost = true),
        find: () => void (isLost = false),
      },
    };
  }

  async function takeOne(rates: Rates, name: string, rule: BucketRule): Promise<boolean> {
    return (await rates.take([rates.open("test", name, rule, performance.now())])) === null;
  }

  /** So many at once, and how many of them were admitted. */
  async function takeMany(rates: Rates, bucket: KeptBucket, count: number): Promise<number> {
    const takeOnce = async () => (await rates.take([bucket])) === null;
    return (await Promise.all(Array.from({ length: count }, takeOnce))).filter(Boolean).length;
  }

  /** Every node is asked as fast as it answers, and something happens in the middle. The limit is that of the time it took. */
  async function flood(nodes: readonly Node[], name: string, millis: number, midway?: () => Promise<void>) {
    const started = performance.now();
    let admitted = 0;
    let asked = 0;
    const until = started + millis;
    const one = async ({ rates, buckets }: Node): Promise<void> => {
      if (!buckets.has(name)) buckets.set(name, rates.open("flood", name, RULE, performance.now()));
      const bucket = buckets.get(name)!;
      while (performance.now() < until) {
        rates.refill(bucket, RULE, performance.now());
        asked += 1;
        if ((await rates.take([bucket])) === null) admitted += 1;
        await sleep(1);
      }
    };
    const middle = midway && sleep(millis / 2).then(midway);
    await Promise.all([...nodes.flatMap((node) => [one(node), one(node), one(node)]), middle]);
    const limit = RULE.burst + (RULE.ratePerSecond * (performance.now() - started)) / 1_000;
    // On a busy machine fewer may have been asked than the limit.
    return { admitted, limit, due: Math.min(limit, asked) };
  }
}
