import type { KeyId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { Platform, UsageRow } from "#ports/platform";

/** Requests of one month. */
interface MonthCount {
  /** The total of all nodes, when the database was last asked. */
  stored: number;
  /** The requests that this node counted since, not yet acknowledged. */
  unstored: number;
}

/** Requests that one workspace, or one key with a cap, has spent, by month. */
export interface Meter {
  /** Such as `2026-11`: the last that was asked for, and its count, at hand. */
  month: string;
  count: MonthCount;
  /** The last few: a clock that was wrong for a while finds its month again. */
  readonly months: Map<string, MonthCount>;
  /** Of a workspace: what its plan gives, so that its owner can be warned. */
  quota: number | null;
}

/** Months that a meter remembers beyond those that are not stored yet. */
const MOST_MONTHS = 3;

type UsageStore = Platform["usage"];

/** The meters of this node: read from the database once, then kept exact here and brought up to date with every flush. */
export interface Meters {
  ofWorkspace(id: WorkspaceId, month: string): Promise<Meter>;
  ofKey(websiteId: WebsiteId, id: KeyId, month: string): Promise<Meter>;
  /** Rows were stored; these are the totals of all nodes now. */
  acknowledge(month: string, rows: readonly UsageRow[], totals: Awaited<ReturnType<UsageStore["add"]>>): void;
  /** As it stands here, when it has been asked for before. */
  find(id: WorkspaceId): Meter | null;
}

export function createMeters(usage: UsageStore): Meters {
  const meters = new Map<string, Meter>();
  const loading = new Map<string, Promise<Meter>>();

  function load(id: string, month: string, read: () => Promise<number>): Promise<Meter> {
    const known = meters.get(id);
    if (known) return Promise.resolve(known);
    const running = loading.get(id);
    if (running) return running;
    const started = read()
      .then((stored) => {
        const count = { stored, unstored: 0 };
        const meter: Meter = { month, count, months: new Map([[month, count]]), quota: null };
        meters.set(id, meter);
        return meter;
      })
      .finally(() => loading.delete(id));
    loading.set(id, started);
    return started;
  }

  function settle(id: string, month: string, flushed: number, total: number): void {
    const count = meters.get(id)?.months.get(month);
    if (!count) return;
    count.stored = total;
    count.unstored -= flushed;
  }

  return {
    ofWorkspace: (id, month) => load(id, month, () => usage.requests(id, month)),
    ofKey: (websiteId, id, month) => load(id, month, () => usage.requestsOfKey(websiteId, id, month)),
    acknowledge(month, rows, totals) {
      const flushed = new Map<string, number>();
      for (const { workspaceId, keyId, counted } of rows) {
        flushed.set(workspaceId, (flushed.get(workspaceId) ?? 0) + counted);
        if (keyId) flushed.set(keyId, (flushed.get(keyId) ?? 0) + counted);
      }
      for (const [id, total] of totals.workspaces) settle(id, month, flushed.get(id) ?? 0, total);
      for (const [id, total] of totals.keys) settle(id, month, flushed.get(id) ?? 0, total);
    },
    find: (id) => meters.get(id) ?? null,
  };
}

/** The requests spent in `month`. A month that is new here starts at 0; the requests of other nodes come with the next flush. */
export function spent(meter: Meter, month: string): number {
  const { stored, unstored } = countOf(meter, month);
  return stored + unstored;
}

function countOf(meter: Meter, month: string): MonthCount {
  if (meter.month === month) return meter.count;
  let count = meter.months.get(month);
  if (!count) {
    for (const [old, { unstored }] of meter.months) {
      if (meter.months.size < MOST_MONTHS) break;
      if (unstored === 0) meter.months.delete(old);
    }
    count = { stored: 0, unstored: 0 };
    meter.months.set(month, count);
  }
  meter.month = month;
  meter.count = count;
  return count;
}

/** Requests a month. `null` = no limit. */
interface MonthLimits {
  /** Of the workspace, as they are served. */
  readonly served: number | null;
  /** Of the key. */
  readonly cap: number | null;
}

/** Whether an answer that counts may still be given. */
export function hasRequestsLeft(limits: MonthLimits, workspace: Meter, key: Meter | null, month: string): boolean {
  if (limits.served !== null && spent(workspace, month) >= limits.served) return false;
  return limits.cap === null || key === null || spent(key, month) < limits.cap;
}

/** One answer that counts, right after `hasRequestsLeft`. */
export function spendOne(workspace: Meter, key: Meter | null, month: string): void {
  countOf(workspace, month).unstored += 1;
  if (key) countOf(key, month).unstored += 1;
}
