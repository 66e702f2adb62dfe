import type { WebsiteId } from "#domain/ids";
import type { Timestamp } from "#domain/time";

/** The database in which a website keeps its content if not with the install, or will. Whether it does says the website's home. */
export interface OwnDatabase {
  readonly websiteId: WebsiteId;
  /** Sealed. Empty: the secret that sealed it is lost. */
  readonly connection: string;
  /** The hosts and the database, without user and password: two addresses of the same place lead to the same content. */
  readonly shown: string;
  readonly serverVersion: string;
  /** The content moves there as soon as everything was copied and compared. */
  readonly switches: boolean;
  readonly connectedAt: Timestamp;
  /** When the content came to lie there; null before. */
  readonly activatedAt: Timestamp | null;
  /** Why it did not answer when it last did not, in words; null: it always did. */
  readonly error: string | null;
  readonly errorAt: Timestamp | null;
  /** It did not answer the last time that it was asked. */
  readonly isAway: boolean;
}

/** A database that a website left without copying back. */
export interface LeftDatabase {
  /** As of an own database. */
  readonly shown: string;
  readonly leftAt: Timestamp;
  /** When what it has was fetched; null: not yet. */
  readonly fetchedAt: Timestamp | null;
}

/** One that was just tested and connected. */
export const NO_TROUBLE = { error: null, errorAt: null, isAway: false } as const;

/** What the connection is sealed for: copied to another website, or into another table, it does not open. */
export const databaseSealContextOf = (websiteId: WebsiteId): string => `content of ${websiteId}`;
