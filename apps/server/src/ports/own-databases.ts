import type { ContentMarker } from "#domain/content-marker";
import type { WebsiteId } from "#domain/ids";
import type { ContentStore } from "./content-store.ts";

/** How a customer's database is reached. It holds a password: it is sealed at rest, never logged and never shown again. */
export interface OwnDatabaseConnection {
  readonly url: string;
  /** Pasted certificates of the authorities to trust, in PEM; null: those that everybody trusts. */
  readonly ca: string | null;
}

/** What can be shown of a connection. */
interface OwnDatabaseFacts {
  /** The hosts and the database, without user and password. */
  readonly shown: string;
  readonly database: string;
  /** What its owner runs there to create a user that can do just what is needed. */
  readonly leastPrivileges: string;
}

/** What was tried, in this order. "storage": the server takes no more data. */
export type TestStep = "name" | "tcp" | "tls" | "authentication" | "version" | "marker" | "privileges" | "storage";

export type TestReport =
  | {
      readonly passed: true;
      readonly serverVersion: string;
      readonly latencyMillis: number;
      /** Why nothing is written to it all the same until a person has seen to it, in words; null: it can be used. */
      readonly readOnly: string | null;
    }
  /** The message says what is wrong and what to do next. */
  | { readonly passed: false; readonly step: TestStep; readonly message: string };

/** A customer's database while it is held open. */
export interface Cluster {
  readonly content: ContentStore;
  /** Creates what this version's documents need, such as indexes. `from`: the version that is there; null: none is. Done twice, it ends the same. */
  bringUpToDate(from: number | null): Promise<void>;
  readMarker(): Promise<ContentMarker | "unreadable" | null>;
  writeMarker(marker: ContentMarker): Promise<void>;
}

export interface ClusterHealth {
  readonly state: "closed" | "open" | "down";
  /** Why it was last not reached, in words; null after it answered. */
  readonly lastError: string | null;
}

/** What became of a work with a database, or how long it took to answer one question. */
export type ClusterOutcome =
  | { readonly kind: "answered" }
  /** Why, in words. */
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "timed"; readonly millis: number };

/**
 * The databases of customers. None is trusted: each is reached through the gate, with bounded time, memory and connections, and none can
 * slow another down.
 */
export interface OwnDatabases {
  /** Which indexes and fields documents have that this version writes. */
  readonly schemaVersion: number;
  /** Refuses an address or certificate that cannot be used (`VALIDATION_FAILED`), and returns what can be shown. */
  read(connection: OwnDatabaseConnection): OwnDatabaseFacts;
  /**
   * Tries everything that a website needs of it, within 10 seconds, and leaves nothing behind. `isInUse`: the content of the website lies
   * in its own database.
   */
  test(connection: OwnDatabaseConnection, ours: ContentMarker, isInUse: boolean): Promise<TestReport>;
  /**
   * Runs work with the database of a website; it stays open until the work is done. Not to be nested for one website: a slot is held.
   * `CONTENT_STORE_UNAVAILABLE` when it cannot be reached: right away if that was found out a moment ago.
   */
  withCluster<T>(websiteId: WebsiteId, connection: OwnDatabaseConnection, work: (cluster: Cluster) => Promise<T>): Promise<T>;
  health(websiteId: WebsiteId): ClusterHealth;
  /** Closes the database of a website when its last work is done. */
  forget(websiteId: WebsiteId): void;
  close(): Promise<void>;
}
