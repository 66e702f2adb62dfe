import { MongoClient } from "mongodb";
import { expect, test } from "vitest";
import { mongoContentOn, openMongoContent } from "#adapters/mongodb/open";
import type { ContentStore } from "#ports/content-store";
import { testId } from "#test/builders";
import { makeCertificate } from "#test/certificate";
import { ferretdb, givenMongo, type MongoServer, mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { withPart } from "#test/parts";
import { recordingTargets } from "#test/targeted-commands";
import { contentStoreContract } from "./content-store-contract/index.ts";
import type { Exemption, OpenedStore } from "./content-store-contract/suite.ts";
import { testOwnDatabases } from "./own-databases/through-the-gate.ts";
import { openTlsProxy } from "./own-databases/tls-proxy.ts";

type Open = (options: Parameters<typeof openMongoContent>[0] & { database: string }) => Promise<ContentStore>;

/** As a customer's own database: with TLS, through the gate, on a client that is held open and whose commands are looked at. */
const throughGate =
  (look: (client: MongoClient) => void): Open =>
  async ({ url, database, onVisibleChange }) => {
    const { key, certificate } = await makeCertificate("db.test");
    const proxy = await openTlsProxy(url, { key, cert: certificate });
    const databases = testOwnDatabases({
      contentOn(opened) {
        look(opened.client);
        return mongoContentOn(opened, { onVisibleChange });
      },
    });
    const connection = { url: `mongodb://db.test:${proxy.port}/${database}?tls=true`, ca: certificate };
    const release = Promise.withResolvers<void>();
    const content = await new Promise<ContentStore>((resolve, reject) => {
      const held = databases.withCluster(testId("website", 1), connection, async (cluster) => {
        await cluster.bringUpToDate(null);
        resolve(cluster.content);
        await release.promise;
      });
      held.catch(reject);
    });
    return {
      ...content,
      async close() {
        release.resolve();
        await databases.close();
        await proxy.close();
      },
    };
  };

/** Runs the suite in a database of its own, emptied between tests: FerretDB 1.x reads whole collections for most lists. */
function suiteOn(
  server: MongoServer,
  adapter: Pick<Parameters<typeof contentStoreContract>[0], "name" | "smallestPage" | "exempt" | "only">,
  openStore: Open = openMongoContent,
): void {
  const open = async (): Promise<OpenedStore> => {
    const { url, stop } = await server.start();
    const client = new MongoClient(url);
    const database = testDatabaseName();
    const versions = new Map<string, number>();
    const store = await openStore({
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

const utf16 = "mongo-java-server compares text by UTF-16 units, MongoDB by code point; FerretDB runs this one (decision 0004)";
const UTF16: readonly string[] = [
  ...["title", "-title"].flatMap((sort) => [
    `posts by ${sort} come by code point, then id; every limit gives each once`,
    `live posts by ${sort} come by code point, then id; every limit gives each once`,
    `narrowed live posts by ${sort} keep the same order, and a post with two of the facets comes once`,
  ]),
  "terms of a kind come by folded name, code point by code point, then id; every limit gives each once",
];

/** What takes FerretDB most of the suite's time and asks it nothing that the rest does not: mongo-java-server runs all of it. */
const PROVEN: ReadonlySet<string> = new Set(["paging", "paging under writes"]);
const isProvenElsewhere = "part" in mongoJavaServer.find();

const twoSteps = "FerretDB 1.x finds and modifies in two steps, so that two writers can both find what they expect (decision 0004)";
withPart("FerretDB 1.24", ferretdb.find(), (server) => {
  suiteOn(server, {
    name: "MongoDB adapter on FerretDB 1.24",
    smallestPage: 5,
    ...(isProvenElsewhere && { only: ({ capability, title }) => UTF16.includes(title) || !PROVEN.has(capability) }),
    exempt: [
      "of parallel saves of a post from one version exactly one wins, and its content stays",
      "of a parallel save and purge of one version exactly one wins",
      "of parallel saves of a term or an image from one version exactly one wins",
      "events settled in parallel are all removed",
      "a copy made by following the feed while writers run in parallel is complete and current",
    ]
      .map((test) => ({ test, because: twoSteps }))
      .concat(SEARCH),
  });
});

/** What is asked of all websites, by the fields that it looks at. */
const SWEEPS: ReadonlySet<string> = new Set([
  "aggregate media: gone, metadata",
  "aggregate media: metadata",
  "find beside: at, open",
  "find claims: claimedAt",
  "find intents: at",
  "find media: deletedAt",
  "find media: gone",
  "find media: gone, metadata",
  "find posts: deletedAt",
  "find posts: gone",
  "find posts: pendingSince",
  "find posts: rendererVersion",
  "find revisions: at, kept, wasLive",
]);

withPart("mongo-java-server 1.47", mongoJavaServer.find(), (server) => {
  const { untargeted, record } = recordingTargets();
  const adapter = {
    name: "MongoDB adapter through the gate to customers' databases, on mongo-java-server 1.47",
    exempt: UTF16.map((test) => ({ test, because: utf16 })).concat(SEARCH),
  };
  suiteOn(server, adapter, throughGate(record));
  test("all that the suite asked says which website it is about, so that a sharded cluster asks one shard; only sweeps ask all", () => {
    expect(untargeted.size).toBeGreaterThan(0);
    expect([...untargeted].filter((command) => !SWEEPS.has(command))).toEqual([]);
  });
});

const given = givenMongo();
if (given)
  withPart("MongoDB", given, (server) => suiteOn(server, { name: "MongoDB adapter on MongoDB", exempt: [...SEARCH, noBeginnings] }));
