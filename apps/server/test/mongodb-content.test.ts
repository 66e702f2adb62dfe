import { MongoClient } from "mongodb";
import { openMongoContent } from "#adapters/mongodb/open";
import { ferretdb, givenMongo, type MongoServer, mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { withPart } from "#test/parts";
import { contentStoreContract } from "./content-store-contract/index.ts";
import type { Exemption, OpenedStore } from "./content-store-contract/suite.ts";

/** Runs the suite in a database of its own, emptied between tests: FerretDB 1.x reads whole collections for most lists. */
function suiteOn(server: MongoServer, adapter: { name: string; smallestPage?: number; exempt?: readonly Exemption[] }): void {
  const open = async (): Promise<OpenedStore> => {
    const { url, stop } = await server.start();
    const client = new MongoClient(url);
    const database = testDatabaseName();
    const versions = new Map<string, number>();
    const store = await openMongoContent({
      url,
      database,
      onVisibleChange: async (websiteId) => {
        versions.set(websiteId, (versions.get(websiteId) ?? 0) + 1);
      },
    });
    return {
      store,
      contentVersion: async (websiteId) => versions.get(websiteId) ?? 0,
      empty: async () => {
        for (const collection of await client.db(database).collections()) await collection.deleteMany({});
      },
      close: async () => {
        await store.close();
        await client.db(database).dropDatabase();
        await client.close();
        await stop();
      },
    };
  };
  contentStoreContract({ ...adapter, open });
}

const wholeWords = "servers of the MongoDB protocol find whole words or parts of them; the rest is PostgreSQL's (decision 0008)";
const SEARCH: readonly Exemption[] = [
  "a small typing error is forgiven when nothing else is found",
  "quotes ask for a phrase and a minus leaves out",
].map((test) => ({ test, because: wholeWords }));
const noBeginnings: Exemption = { test: "a word typed half is found by its beginning", because: wholeWords };

const twoSteps = "FerretDB 1.x finds and modifies in two steps, so that two writers can both find what they expect (decision 0004)";
withPart("FerretDB 1.24", ferretdb.find(), (server) =>
  suiteOn(server, {
    name: "MongoDB adapter on FerretDB 1.24",
    smallestPage: 5,
    exempt: [
      "of parallel saves of a post from one version exactly one wins, and its content stays",
      "of a parallel save and purge of one version exactly one wins",
      "of parallel saves of a term or an image from one version exactly one wins",
      "events settled in parallel are all removed",
      "a copy made by following the feed while writers run in parallel is complete and current",
    ]
      .map((test) => ({ test, because: twoSteps }))
      .concat(SEARCH),
  }),
);

const utf16 = "mongo-java-server compares text by UTF-16 units, MongoDB by code point; FerretDB runs this one (decision 0004)";
withPart("mongo-java-server 1.47", mongoJavaServer.find(), (server) =>
  suiteOn(server, {
    name: "MongoDB adapter on mongo-java-server 1.47",
    exempt: [
      ...["title", "-title"].flatMap((sort) => [
        `posts by ${sort} come by code point, then id; every limit gives each once`,
        `live posts by ${sort} come by code point, then id; every limit gives each once`,
        `narrowed live posts by ${sort} keep the same order, and a post with two of the facets comes once`,
      ]),
      "terms of a kind come by folded name, code point by code point, then id; every limit gives each once",
    ]
      .map((test) => ({ test, because: utf16 }))
      .concat(SEARCH),
  }),
);

const given = givenMongo();
if (given)
  withPart("MongoDB", given, (server) => suiteOn(server, { name: "MongoDB adapter on MongoDB", exempt: [...SEARCH, noBeginnings] }));
