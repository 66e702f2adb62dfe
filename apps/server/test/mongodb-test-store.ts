import { type Collection, MongoClient } from "mongodb";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type MongoContentOptions, openMongoContent } from "#adapters/mongodb/open";
import type { WebsiteId } from "#domain/ids";
import type { ContentStore } from "#ports/content-store";
import { testId } from "#test/builders";
import { type LossyProxy, openLossyProxy } from "#test/lossy-proxy";
import { type MongoServer, testDatabaseName } from "#test/mongodb";

interface RawDocument {
  readonly _id: string;
  [field: string]: unknown;
}

/** A store over a proxy that can break, with direct access to its database. */
export interface MongoTestStore {
  store: ContentStore;
  proxy: LossyProxy;
  /** The website of this test. */
  website: WebsiteId;
  /** What the store's clock says, in milliseconds. */
  now: number;
  readonly raised: WebsiteId[];
  readonly bad: string[];
  /** A second store on the same database, past the proxy. */
  open(options?: Partial<MongoContentOptions>): Promise<ContentStore>;
  raw(collection: string): Collection<RawDocument>;
  collections(): Promise<readonly Collection[]>;
}

/** Starts the server for the tests around the call; the database is emptied before each. */
export function mongoTestStore(server: MongoServer): MongoTestStore {
  const database = testDatabaseName();
  const closers: (() => Promise<void>)[] = [];
  let url: string;
  let client: MongoClient;
  let count = 0;
  const mongo: MongoTestStore = {
    now: Date.UTC(2026, 5, 1),
    raised: [],
    bad: [],
    open: (options: Partial<MongoContentOptions> = {}) =>
      openMongoContent({
        url,
        database,
        clock: () => new Date(mongo.now),
        onVisibleChange: async (websiteId: WebsiteId) => {
          mongo.raised.push(websiteId);
        },
        onBadDocument: ({ id }) => mongo.bad.push(id),
        ...options,
      }),
    raw: (name: string) => client.db(database).collection<RawDocument>(name),
    collections: () => client.db(database).collections(),
    // The store and the proxy come with the server.
  } as object as MongoTestStore;

  beforeAll(async () => {
    const started = await server.start();
    ({ url } = started);
    client = new MongoClient(url);
    mongo.proxy = await openLossyProxy(url);
    mongo.store = await mongo.open({ url: mongo.proxy.url });
    closers.push(
      () => mongo.store.close(),
      () => client.close(),
      () => mongo.proxy.close(),
      started.stop,
    );
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });
  beforeEach(async () => {
    mongo.website = testId("website", ++count);
    mongo.raised.length = 0;
    mongo.bad.length = 0;
    for (const collection of await mongo.collections()) await collection.deleteMany({});
  });
  return mongo;
}
