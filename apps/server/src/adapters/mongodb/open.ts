import { randomUUID } from "node:crypto";
import { type Db, MongoClient } from "mongodb";
import type { WebsiteId } from "#domain/ids";
import type { Clock } from "#domain/time";
import type { ContentStore } from "#ports/content-store";
import { mongoClaims } from "./claims.ts";
import type { BadDocument, Collections, Context, Stored } from "./context.ts";
import { eraseWebsite } from "./erase-website.ts";
import { translateOutages, translateOutage } from "./failures.ts";
import { mongoFeed } from "./feed.ts";
import { ensureIndexes, ensureTextIndex } from "./indexes.ts";
import { mongoMedia } from "./media.ts";
import { mongoPosts } from "./posts.ts";
import { mongoRecordsBeside } from "./records-beside.ts";
import { mongoRevisions } from "./revisions.ts";
import { mongoSearch } from "./search.ts";
import { mongoTerms } from "./terms.ts";

export interface MongoContentOptions extends ContentOptions {
  readonly url: string;
  /** Overrides the database in the address; without either it is `stet`. */
  readonly database?: string;
}

interface ContentOptions {
  /** Raises the content version of a website; called after a visible write, and again where a crash may have lost it. */
  readonly onVisibleChange: (websiteId: WebsiteId) => Promise<void>;
  readonly clock?: Clock;
  /** The one website a customer's own database may hold. Without it the database is the install's and sweeps see all. */
  readonly only?: WebsiteId;
  /** Websites whose content moved away from here: sweeps leave alone what stayed behind. */
  readonly listMoved?: () => Promise<readonly WebsiteId[]>;
  /** Applied to HTML of a live post: the database is not trusted with markup. */
  readonly sanitizeHtml?: (html: string) => string;
  /** Told of each document that does not parse; it is treated as absent. */
  readonly onBadDocument?: (bad: BadDocument) => void;
}

const DEFAULT_DATABASE = "stet";

/** Opens a content store on anything that speaks the MongoDB protocol, and creates the indexes it lacks. */
export async function openMongoContent(options: MongoContentOptions): Promise<ContentStore> {
  const client = new MongoClient(options.url, {
    appName: "stet",
    serverSelectionTimeoutMS: 5_000,
    connectTimeoutMS: 5_000,
    // How long a server may stay silent on a request: the feed counts on a write being over then.
    socketTimeoutMS: 20_000,
    maxPoolSize: 20,
    // Not every server has the driver's own retries of writes; ours (writes.ts) work with all of them.
    retryWrites: false,
    readPreference: "primary",
    writeConcern: { w: "majority" },
    ignoreUndefined: true,
  });
  try {
    await translateOutage(() => client.connect());
    const database = client.db(databaseOf(options));
    const { hasTextIndex } = await ensureContentIndexes(database);
    return { ...mongoContentOn(database, { ...options, hasTextIndex }), close: () => client.close() };
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
}

/** The database that content lies in. */
export const databaseOf = ({ url, database }: Pick<MongoContentOptions, "url" | "database">): string =>
  database ?? decodeURIComponent(/^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? DEFAULT_DATABASE);

/** Creates the indexes that are missing: once for a database, and again when a version brings new ones. */
export function ensureContentIndexes(database: Db): Promise<{ hasTextIndex: boolean }> {
  return translateOutage(async () => {
    const collections = collectionsOf(database);
    await ensureIndexes(collections);
    return { hasTextIndex: await ensureTextIndex(collections.posts) };
  });
}

/**
 * A content store on a database that somebody else opened and will close; nothing is asked of it yet. Where a text index is believed to
 * be there and is not, the first search finds out and goes on without.
 */
export function mongoContentOn(database: Db, options: ContentOptions & { readonly hasTextIndex?: boolean }): ContentStore {
  return storeOn(contextOf({ ...collectionsOf(database), hasTextIndex: options.hasTextIndex ?? true }, options));
}

function collectionsOf(db: Db): Collections {
  return {
    posts: db.collection<Stored>("posts"),
    claims: db.collection<Stored>("claims"),
    terms: db.collection<Stored>("terms"),
    media: db.collection<Stored>("media"),
    revisions: db.collection<Stored>("revisions"),
    beside: db.collection<Stored>("beside"),
    counts: db.collection<Stored>("counts"),
    counters: db.collection<Stored>("counters"),
    intents: db.collection<Stored>("intents"),
  };
}

function contextOf(collections: Collections & Pick<Context, "hasTextIndex">, options: ContentOptions): Context {
  return {
    ...collections,
    clock: options.clock ?? (() => new Date()),
    newToken: randomUUID,
    onVisibleChange: options.onVisibleChange,
    onBadDocument: options.onBadDocument ?? (() => {}),
    only: options.only ?? null,
    listMoved: options.listMoved ?? (async () => []),
    sanitizeHtml: options.sanitizeHtml ?? ((html) => html),
  };
}

function storeOn(context: Context): ContentStore {
  return {
    posts: translateOutages(mongoPosts(context)),
    claims: translateOutages(mongoClaims(context)),
    terms: translateOutages(mongoTerms(context)),
    media: translateOutages(mongoMedia(context)),
    revisions: translateOutages(mongoRevisions(context)),
    beside: translateOutages(mongoRecordsBeside(context)),
    feed: translateOutages(mongoFeed(context)),
    search: translateOutages(mongoSearch(context)),
    eraseWebsite: (websiteId, limit) => translateOutage(() => eraseWebsite(context, websiteId, limit)),
    close: async () => {},
  };
}
