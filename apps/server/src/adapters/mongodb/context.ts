import type { Collection } from "mongodb";
import type { WebsiteId } from "#domain/ids";
import type { Clock } from "#domain/time";

/** A document as it lies in the database: `_id` is text that begins with the website's id; nothing else is trusted. */
export interface Stored {
  readonly _id: string;
  readonly [field: string]: unknown;
}

export interface Collections {
  readonly posts: Collection<Stored>;
  readonly claims: Collection<Stored>;
  readonly terms: Collection<Stored>;
  readonly media: Collection<Stored>;
  readonly revisions: Collection<Stored>;
  /** Suggestions, and what terms and images were. */
  readonly beside: Collection<Stored>;
  /** How many posts show each term. */
  readonly counts: Collection<Stored>;
  /** The sequence of each website, from which every write takes its number. */
  readonly counters: Collection<Stored>;
  /** The work that a write still has to do at its end, so that a sweep can finish it after a crash. */
  readonly intents: Collection<Stored>;
}

export interface Context extends Collections {
  /** Whether the server has `$text`. */
  readonly hasTextIndex: boolean;
  readonly clock: Clock;
  /** A new word that no other write has. */
  readonly newToken: () => string;
  /** Raises the content version of a website. */
  readonly onVisibleChange: (websiteId: WebsiteId) => Promise<void>;
  /** Told of each document that does not parse; it is then treated as absent. */
  readonly onBadDocument: (bad: BadDocument) => void;
  /** The one website this database may hold; sweeps see no other. Null: it is the install's own database. */
  readonly only: WebsiteId | null;
  /** Websites whose content moved away from the install's own database. */
  readonly listMoved: () => Promise<readonly WebsiteId[]>;
  /** Applied to HTML on its way to a reader: a person who can write to the database is not trusted with markup. */
  readonly sanitizeHtml: (html: string) => string;
}

export interface BadDocument {
  readonly collection: string;
  readonly id: string;
  readonly problem: string;
}

/**
 * The filter that keeps a sweep inside the one website of a customer's database, and in the install's own one away from the old copies of
 * websites that moved.
 */
export async function sweptWebsites({ only, listMoved }: Context): Promise<{ w?: WebsiteId | { $nin: WebsiteId[] } }> {
  if (only !== null) return { w: only };
  const moved = await listMoved();
  return moved.length === 0 ? {} : { w: { $nin: [...moved] } };
}
