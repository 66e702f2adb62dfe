import type { Db } from "mongodb";
import { isRefusedThere } from "#domain/content-home";
import { Failure, fail } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import type { ContentStore } from "#ports/content-store";
import type { Cluster, ClusterHealth, ClusterOutcome, OwnDatabaseConnection } from "#ports/own-databases";
import { type Breaker, createBreaker } from "./breaker.ts";
import type { OpenedClient } from "./driver.ts";
import { createLine } from "./line.ts";
import { readMarker, writeMarker } from "./marker.ts";
import { createSlots, type Slots } from "./slots.ts";

/** What documents of this version need, and how a database gets there from an earlier one. */
export interface ContentSchema {
  readonly version: number;
  bringUpToDate(database: Db, from: number | null): Promise<unknown>;
}

export interface ClustersOptions {
  /** Opens a client; it connects when it is first asked for something. */
  readonly open: (connection: OwnDatabaseConnection) => Promise<{ readonly opened: OpenedClient; readonly database: Db }>;
  readonly contentOn: (database: Db, websiteId: WebsiteId) => ContentStore;
  readonly schema: ContentSchema;
  /** Clients that are open at once. */
  readonly most: number;
  readonly idleMillis: number;
  /** Calls of one website that run at the same time; five times as many can wait. */
  readonly inFlight: number;
  readonly patienceMillis: number;
  /** Told of what was asked of a database, not of what was kept away from it. */
  readonly onOutcome?: (websiteId: WebsiteId, outcome: ClusterOutcome) => void;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

interface Entry {
  readonly connection: OwnDatabaseConnection;
  readonly opening: Promise<{ opened: OpenedClient; cluster: Cluster }>;
  users: number;
  usedAt: number;
  isRetired: boolean;
}

interface Site {
  readonly breaker: Breaker;
  readonly slots: Slots;
  entry: Entry | null;
  lastError: string | null;
}

const unavailable = (cause?: unknown): Failure => {
  const failure = fail("CONTENT_STORE_UNAVAILABLE", "The content database is not responding. Nothing was lost; try again in a moment.");
  failure.cause = cause;
  return failure;
};

/** One in so many clients at most is for databases that were last found dead. */
const PROBING_SHARE = 4;

/** We are busy: that says nothing about the database. */
class Busy extends Error {}

const isUnavailable = (error: unknown): boolean => error instanceof Failure && error.code === "CONTENT_STORE_UNAVAILABLE";

/** Whatever keeps the driver from doing it. */
async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Failure ? error : unavailable(error);
  }
}

/** What the gate said is in words; the driver only knows that a connection ended. */
async function reasonOf(entry: Entry | null, error: unknown): Promise<string> {
  const opened = await entry?.opening.catch(() => null);
  const { cause } = error as Failure;
  return (
    opened?.opened.lastRefusal()?.message ??
    (cause instanceof Error && cause.name === "DialFailure" ? cause.message : "The database did not answer in time.")
  );
}

export interface Clusters {
  withCluster<T>(websiteId: WebsiteId, connection: OwnDatabaseConnection, work: (cluster: Cluster) => Promise<T>): Promise<T>;
  health(websiteId: WebsiteId): ClusterHealth;
  forget(websiteId: WebsiteId): void;
  readonly openCount: number;
  close(): Promise<void>;
}

/** The open clients of customers' databases, at most so many. A client is never closed while it is in use. */
export function createClusters(options: ClustersOptions): Clusters {
  const sites = new Map<WebsiteId, Site>();
  const entries = new Set<Entry>();
  const closing = new Set<Promise<void>>();
  const freed = createLine();
  /** Databases that were dead and are tried again: however many there are, they leave the clients of others open. */
  let probes = 0;
  /** What fails from then on says nothing about the database, and nothing is opened that nobody would close. */
  let isClosed = false;
  const mostProbes = Math.ceil(options.most / PROBING_SHARE);

  const siteOf = (websiteId: WebsiteId): Site => {
    const found = sites.get(websiteId);
    if (found) return found;
    const slots = createSlots({ most: options.inFlight, line: options.inFlight * 5, patienceMillis: options.patienceMillis });
    const site: Site = { breaker: createBreaker(options.now), slots, entry: null, lastError: null };
    sites.set(websiteId, site);
    return site;
  };
  const closeNow = (entry: Entry) => {
    entries.delete(entry);
    const done = entry.opening
      .then(({ opened }) => opened.close())
      .catch(() => {})
      .finally(() => closing.delete(done));
    closing.add(done);
  };
  const retire = (entry: Entry) => {
    entry.isRetired = true;
    if (entry.users === 0) closeNow(entry);
  };
  const dropUnused = (site: Site) => {
    if (site.entry) retire(site.entry);
    site.entry = null;
  };
  const tidy = () => {
    const idleSince = options.now() - options.idleMillis;
    for (const [websiteId, site] of sites) {
      if (site.entry && site.entry.users === 0 && site.entry.usedAt <= idleSince) dropUnused(site);
      if (!site.entry && site.slots.isIdle && !site.breaker.isOpen) sites.delete(websiteId);
    }
  };
  const timer = setInterval(tidy, Math.max(100, options.idleMillis / 6)).unref();

  /** Makes room for one more by closing the one that was used the longest time ago; false where all are in use. */
  const makeRoom = (): boolean => {
    if (entries.size < options.most) return true;
    let oldest: Site | null = null;
    for (const site of sites.values())
      if (site.entry?.users === 0 && (!oldest?.entry || site.entry.usedAt < oldest.entry.usedAt)) oldest = site;
    if (oldest) dropUnused(oldest);
    return oldest !== null;
  };
  /** The client of a website, counted as used. Where all are in use it waits for its turn; null: that took too long. */
  const enter = async (websiteId: WebsiteId, site: Site, connection: OwnDatabaseConnection): Promise<Entry | null> => {
    const until = options.now() + options.patienceMillis;
    while (!isClosed) {
      const current = site.entry;
      const isSame = current && current.connection.url === connection.url && current.connection.ca === connection.ca;
      if (!isSame) dropUnused(site);
      const entry = isSame ? current : makeRoom() ? openEntry(websiteId, site, connection) : null;
      if (entry) {
        entry.users += 1;
        return entry;
      }
      const left = until - options.now();
      if (left <= 0 || !(await freed.wait(left))) break;
    }
    return null;
  };
  const openEntry = (websiteId: WebsiteId, site: Site, connection: OwnDatabaseConnection): Entry => {
    const opening = options.open(connection).then(({ opened, database }) => ({ opened, cluster: clusterOn(database, websiteId) }));
    const entry: Entry = { connection, opening, users: 0, usedAt: options.now(), isRetired: false };
    // Who waits for it hears of it; the next one opens another.
    opening.catch(() => {
      entries.delete(entry);
      if (site.entry === entry) site.entry = null;
    });
    entries.add(entry);
    site.entry = entry;
    return entry;
  };
  const clusterOn = (database: Db, websiteId: WebsiteId): Cluster => {
    // The first answer comes with opening a connection, which is not how long a reader waits.
    let isWarm = false;
    return {
      content: options.contentOn(database, websiteId),
      bringUpToDate: async (from) => void (await options.schema.bringUpToDate(database, from)),
      async readMarker() {
        const asked = options.now();
        const found = await orUnavailable(() => readMarker(database));
        if (isWarm) options.onOutcome?.(websiteId, { kind: "timed", millis: options.now() - asked });
        isWarm = true;
        return found;
      },
      writeMarker: (marker) => orUnavailable(() => writeMarker(database, marker)),
    };
  };

  return {
    async withCluster(websiteId, connection, work) {
      if (isClosed) throw unavailable(new Error("The service stops."));
      const site = siteOf(websiteId);
      const attempt = site.breaker.enter();
      if (!attempt) throw unavailable(new Error(site.lastError ?? "It was not reached a moment ago."));
      const release = await site.slots.take();
      let entry: Entry | null = null;
      if (attempt.isProbe) probes += 1;
      try {
        if (attempt.isProbe && probes > mostProbes) throw new Busy(site.lastError ?? "It was not reached a moment ago.");
        if (!release) throw new Busy("Too much is under way on this database.");
        // A caller that was waiting when the database was found dead does not try it too.
        if (attempt.isOver) throw new Busy(site.lastError ?? "It was not reached a moment ago.");
        entry = await enter(websiteId, site, connection);
        if (!entry) throw new Busy("All clients of customers' databases are in use.");
        const { cluster } = await entry.opening.catch((error: unknown) => Promise.reject(unavailable(error)));
        const result = await work(cluster);
        attempt.succeeded();
        site.lastError = null;
        options.onOutcome?.(websiteId, { kind: "answered" });
        return result;
      } catch (error) {
        if (isRefusedThere(error)) {
          // It answers: what it does not let us do keeps nobody from reading.
          attempt.succeeded();
          site.lastError = (error as Failure).message;
        } else if (isUnavailable(error)) {
          attempt.failed();
          // The next one opens another: a driver whose first connection failed stays closed, and the hosts may have changed.
          if (entry && site.entry === entry) dropUnused(site);
          site.lastError = await reasonOf(entry, error);
          if (!isClosed) options.onOutcome?.(websiteId, { kind: "failed", error: site.lastError });
        } else if (error instanceof Failure) attempt.succeeded();
        else attempt.left();
        throw error instanceof Busy ? unavailable(error) : error;
      } finally {
        release?.();
        if (attempt.isProbe) probes -= 1;
        if (entry) {
          entry.users -= 1;
          entry.usedAt = options.now();
          if (entry.isRetired && entry.users === 0) closeNow(entry);
          // Whoever waited while the website was forgotten has opened it once more, and nobody tidies it.
          else if (site.entry === entry && sites.get(websiteId) !== site) dropUnused(site);
          if (entry.users === 0) freed.wakeOne();
        }
      }
    },
    health(websiteId) {
      const site = sites.get(websiteId);
      const state = site?.breaker.isOpen ? "down" : site?.entry ? "open" : "closed";
      return { state, lastError: site?.lastError ?? null };
    },
    forget(websiteId) {
      const site = sites.get(websiteId);
      if (site) dropUnused(site);
      sites.delete(websiteId);
    },
    get openCount() {
      return entries.size;
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      for (const site of sites.values()) site.entry = null;
      for (const entry of entries) closeNow(entry);
      await Promise.all(closing);
    },
  };
}
