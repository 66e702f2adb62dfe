import { LRUCache } from "lru-cache";
import type { DeliveryServices, Signal } from "#delivery/services";
import { isApiKey } from "#domain/api-key";
import { inPool } from "#domain/pool";
import { endsAfter } from "#domain/lifetime";
import type { ApiKey, Website, Workspace } from "#domain/website";
import { type Limits, limitsOf } from "./limits.ts";
import type { Meter } from "#usage/meters";
import type { KeptBucket } from "#usage/rates/kept-bucket";
import type { Rates } from "#usage/rates/rates";
import type { Usage, UsageCounter } from "#usage/usage";
import { type Movable, movesUp } from "./move-up.ts";
import { isOutage } from "../shared/problem.ts";
import type { WebsiteState, WebsiteStates } from "./website-state.ts";

/** Everything that a request with this key needs to know. */
export interface KeyEntry extends Movable {
  readonly key: ApiKey;
  readonly website: Website;
  readonly workspace: Workspace;
  readonly search: boolean;
  readonly limits: Limits;
  readonly state: WebsiteState;
  readonly meter: Meter;
  /** Of a key with a cap of its own. */
  readonly keyMeter: Meter | null;
  readonly counter: UsageCounter;
  /** Something about the key, its website or its workspace changed since: it is looked up again, and used only while that is not possible. */
  isStale: boolean;
  /** It may have been closed since: it is not used before it was looked up again. */
  isClosed: boolean;
  /** Not looked up again before, in milliseconds, because the database does not answer. */
  retryAt: number;
  lastUsedMinute: number;
  /** The client that asked last, and its bucket. */
  lastAddress: string;
  lastBucket: KeptBucket | null;
  /** Origins that asked, and whether they may. Null: any may. */
  readonly origins: LRUCache<string, boolean> | null;
}

/** The result without waiting: the entry, that there is none, or that it must be looked up. */
type Known = KeyEntry | "refused" | "unknown";

export interface KeyCache {
  find(raw: string, at: number): Known;
  /** Null: there is no such key, or it was revoked, or its website is gone. Looked up once for many. */
  load(raw: string): Promise<KeyEntry | null>;
  /** Whether it was good before it changed: such a look-up is no guess. */
  wasKnown(raw: string): boolean;
  /** Whether somebody waits for it already: joining costs no query. */
  isLoading(raw: string): boolean;
  heard(signal: Signal | "everything"): void;
  readonly size: number;
}

/** Keys held, and refusals held: the first are as many as there are keys, the second as many as anybody likes to make up. */
const MOST_KEYS = 50_000;
const MOST_REFUSALS = 10_000;
const REFUSED_MILLIS = 10_000;
/** How long a database that does not answer is not asked again for a key that was good. */
const RETRY_MILLIS = 1_000;
/** At most 100 origins are remembered for each key. Not `max`, for which the map would take the memory right away, for every key. */
const ORIGINS = { maxSize: 100, sizeCalculation: () => 1 };

interface Loading {
  readonly entry: Promise<KeyEntry | null>;
  /** The changes that came while it was looked up, and those that closed something. */
  readonly changed: Set<string>;
  readonly closed: Set<string>;
  missedSome: boolean;
}

export function createKeyCache(services: DeliveryServices, states: WebsiteStates, usage: Usage, rates: Rates): KeyCache {
  const entries = new LRUCache<string, KeyEntry>({ max: MOST_KEYS, dispose: unlink });
  /** Which keys a change of a key, a website or a workspace concerns. */
  const keysOf = new Map<string, Set<string>>();
  const refusals = new LRUCache<string, true>({ max: MOST_REFUSALS, ...endsAfter(REFUSED_MILLIS, services.clock) });
  /** Those that a request may join, and all that are under way. */
  const joinable = new Map<string, Loading>();
  const underWay = new Set<Loading>();
  const now = () => services.clock().getTime();

  async function lookUp(raw: string): Promise<KeyEntry | null> {
    const { platform, keyring, plans } = services;
    let key: ApiKey | null = null;
    // Under every secret still accepted: a rotated secret does not kill keys.
    const [current, ...older] = keyring.macs("api-key", raw);
    for (const { hash } of [current!, ...older]) key ??= await platform.keys.findByHash(hash);
    if (!key || key.revokedAt !== null) return null;
    // Only a request with the key can have it hashed again. It does not wait for that, and a later one tries again.
    if (key.secretId !== current!.secretId) inPool("writes", () => platform.keys.moveTo(key!, current!)).catch(() => {});
    const website = await platform.websites.get(key.websiteId);
    const workspace = website && (await platform.workspaces.get(website.workspaceId));
    if (!website || !workspace) return null;
    const limits = limitsOf(plans[workspace.plan], key.monthlyCap);
    const { month } = usage.today(now());
    const state = states.of(website.id, workspace.id);
    const keyId = key.monthlyCap === null ? null : key.id;
    if (limits.website) state.bucket ??= rates.open("website", website.id, limits.website, now());
    const meter = await usage.meters.ofWorkspace(workspace.id, month);
    meter.quota = limits.quota;
    return {
      key,
      website,
      workspace,
      search: plans[workspace.plan].search,
      limits,
      state,
      meter,
      keyMeter: keyId && (await usage.meters.ofKey(website.id, keyId, month)),
      counter: keyId ? usage.counter({ workspaceId: workspace.id, websiteId: website.id, keyId }) : state.counter,
      isStale: false,
      isClosed: false,
      retryAt: 0,
      lastUsedMinute: 0,
      movedAt: 0,
      lastAddress: "",
      lastBucket: null,
      origins: key.origins.length === 0 ? null : new LRUCache(ORIGINS),
    };
  }

  function keep(raw: string, entry: KeyEntry | null, loading: Loading): void {
    if (entry) {
      const ids = idsOf(entry);
      entry.isClosed = ids.some((id) => loading.closed.has(id));
      entry.isStale = loading.missedSome || entry.isClosed || ids.some((id) => loading.changed.has(id));
      const before = entries.peek(raw);
      if (before) entry.lastUsedMinute = before.lastUsedMinute;
      entries.set(raw, entry);
      for (const id of ids) {
        const keys = keysOf.get(id);
        if (keys) keys.add(raw);
        else keysOf.set(id, new Set([raw]));
      }
      return;
    }
    entries.delete(raw);
    // A key that is being made while it is tried would otherwise be refused after it was shown.
    if (loading.missedSome || loading.changed.size > 0 || loading.closed.size > 0) return;
    refusals.set(raw, true);
  }

  /** Whenever an entry goes or is replaced. */
  function unlink(entry: KeyEntry, raw: string): void {
    for (const id of idsOf(entry)) {
      const keys = keysOf.get(id);
      keys?.delete(raw);
      if (keys?.size === 0) keysOf.delete(id);
    }
  }

  function markStale(raw: string, isClosed: boolean): void {
    const entry = entries.peek(raw);
    if (!entry) return;
    entry.isStale = true;
    entry.isClosed ||= isClosed;
  }

  /** While the database is away, a key is as good as it was, unless it may have been closed since. */
  function lastKnown(raw: string, error: unknown): KeyEntry {
    const entry = entries.peek(raw);
    if (!entry || entry.isClosed || !isOutage(error)) throw error;
    entry.retryAt = now() + RETRY_MILLIS;
    return entry;
  }

  /** Whether the entry is used without a look-up, because the database just failed. A longer wait means that the clock was set back since: it is ignored. */
  function isWaiting({ isClosed, retryAt }: KeyEntry): boolean {
    const wait = retryAt - now();
    return !isClosed && wait > 0 && wait <= RETRY_MILLIS;
  }

  return {
    find(raw, at) {
      const entry = entries.peek(raw);
      if (entry && movesUp(entry, at)) entries.get(raw);
      if (entry) return entry.isStale && !isWaiting(entry) ? "unknown" : entry;
      if (refusals.has(raw)) return "refused";
      // A mistyped key is refused without a look-up.
      return isApiKey(raw) ? "unknown" : "refused";
    },

    load(raw) {
      const running = joinable.get(raw);
      if (running) return running.entry.catch((error: unknown) => lastKnown(raw, error));
      const started: Loading = { entry: inPool("reads", () => lookUp(raw)), changed: new Set(), closed: new Set(), missedSome: false };
      joinable.set(raw, started);
      underWay.add(started);
      return started.entry
        .then(
          (entry) => {
            keep(raw, entry, started);
            return entry;
          },
          (error: unknown) => lastKnown(raw, error),
        )
        .finally(() => {
          underWay.delete(started);
          if (joinable.get(raw) === started) joinable.delete(raw);
        });
    },

    wasKnown: (raw) => entries.has(raw),
    isLoading: (raw) => joinable.has(raw),

    heard(signal) {
      if (signal !== "everything" && signal.topic !== "access" && signal.topic !== "closed") return;
      // A look-up that began before the change may have read what was before it: nobody else joins it.
      joinable.clear();
      refusals.clear();
      for (const loading of underWay) {
        if (signal === "everything") loading.missedSome = true;
        else (signal.topic === "closed" ? loading.closed : loading.changed).add(signal.id);
      }
      // Signals may have been lost, and one of them may have closed a key. Entries are marked stale and not closed all the same: while the
      // database does not answer, a key that was good stays usable, as in any outage.
      if (signal === "everything") for (const raw of entries.keys()) markStale(raw, false);
      else keysOf.get(signal.id)?.forEach((raw) => markStale(raw, signal.topic === "closed"));
    },

    get size() {
      return entries.size;
    },
  };
}

/** What a change can be about that concerns the key. */
const idsOf = ({ key, website, workspace }: KeyEntry): readonly string[] => [key.id, website.id, workspace.id];
