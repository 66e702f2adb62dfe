import type { HealthCounts, HealthSample } from "#domain/database-health";
import type { WebsiteId } from "#domain/ids";
import type { LeftDatabase, OwnDatabase } from "#domain/own-database";
import type { Timestamp } from "#domain/time";

/** The databases of websites on record. */
export interface OwnDatabaseRecords {
  /** Which install this is. */
  installId(): Promise<string>;
  get(websiteId: WebsiteId): Promise<OwnDatabase | null>;
  /** Adds it, or replaces what is there. */
  put(database: OwnDatabase): Promise<void>;
  setSwitches(websiteId: WebsiteId, switches: boolean): Promise<void>;
  /** The content comes to lie there about now. */
  setActivated(websiteId: WebsiteId, at: Timestamp): Promise<void>;
  remove(websiteId: WebsiteId): Promise<void>;
  /** Removes it as well, and remembers which one it was: it has what was not copied back. */
  leave(websiteId: WebsiteId, at: Timestamp): Promise<void>;
  /** The one that was left last; null: none was, or it was forgotten. */
  getLeft(websiteId: WebsiteId): Promise<LeftDatabase | null>;
  /** What the one that was left has was fetched, if that is this one. */
  setFetched(websiteId: WebsiteId, shown: string, at: Timestamp): Promise<void>;
  forgetLeft(websiteId: WebsiteId): Promise<void>;
  /** The websites that have one, of these. */
  having(websiteIds: readonly WebsiteId[]): Promise<ReadonlySet<WebsiteId>>;
  /** Adds to what is counted of each span, and forgets what lies before `keptSince`. */
  noteHealth(samples: readonly HealthSample[], keptSince: Timestamp): Promise<void>;
  health(websiteId: WebsiteId, since: Timestamp): Promise<readonly (HealthCounts & { readonly at: Timestamp })[]>;
  /** The websites whose database was timed, or did not answer, in the span that began then. */
  listProbed(span: Timestamp): Promise<ReadonlySet<WebsiteId>>;
}
