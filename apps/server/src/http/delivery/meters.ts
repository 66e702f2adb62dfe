import type { DeliveryServices, UsageRow } from "#delivery/services";
import type { KeyId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { Limits } from "./limits.ts";

/** Requests that one workspace, or one key with a cap, has spent in a month. */
export interface Meter {
  /** Such as `2026-11`. */
  month: string;
  /** What the database knew when it was last asked, of all nodes. */
  stored: number;
  /** What this node counted since, and has not been acknowledged. */
  unstored: number;
  /** Of a workspace: what its plan gives, so that its owner can be warned. */
  quota: number | null;
}

type UsageStore = DeliveryServices["platform"]["usage"];

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
        const meter: Meter = { month, stored, unstored: 0, quota: null };
        meters.set(id, meter);
        return meter;
      })
      .finally(() => loading.delete(id));
    loading.set(id, started);
    return started;
  }

  function settle(id: string, month: string, flushed: number, total: number): void {
    const meter = meters.get(id);
    if (!meter || meter.month !== month) return;
    meter.stored = total;
    meter.unstored -= flushed;
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

/**
 * What was spent in `month`. A new month begins at nothing here; what other nodes spent of it comes with the next flush. Of a month
 * that is over nothing is known any more: what was asked before midnight and is answered after it is served.
 */
export function spent(meter: Meter, month: string): number {
  if (meter.month > month) return 0;
  if (meter.month < month) {
    meter.month = month;
    meter.stored = 0;
    meter.unstored = 0;
  }
  return meter.stored + meter.unstored;
}

/** Whether an answer that counts may still be given. */
export function hasRequestsLeft(limits: Limits, workspace: Meter, key: Meter | null, month: string): boolean {
  if (limits.served !== null && spent(workspace, month) >= limits.served) return false;
  return limits.cap === null || key === null || spent(key, month) < limits.cap;
}

/** One answer that counts, right after `hasRequestsLeft`. */
export function spendOne(workspace: Meter, key: Meter | null, month: string): void {
  spend(workspace, month);
  if (key) spend(key, month);
}

function spend(meter: Meter, month: string): void {
  spent(meter, month);
  // What belongs to a month that is over must not be taken from this one.
  if (meter.month === month) meter.unstored += 1;
}
