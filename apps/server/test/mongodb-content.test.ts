import { ferretdb, givenMongo, type MongoServer, mongoJavaServer, testDatabase } from "#test/mongodb";
import { openMongoContent } from "#adapters/mongodb/open";
import { withPart } from "#test/parts";
import { contentStoreContract } from "./content-store-contract/index.ts";
import type { Exemption, OpenedStore } from "./content-store-contract/suite.ts";

async function open(server: MongoServer): Promise<OpenedStore> {
  const { url, stop } = await server.start();
  const { database, drop } = testDatabase(url);
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
    close: async () => {
      await store.close();
      await drop();
      await stop();
    },
  };
}

const suiteOn = (name: string, server: MongoServer, exempt: readonly Exemption[] = []) =>
  contentStoreContract({ name, open: () => open(server), exempt });

withPart("FerretDB 1.24", await ferretdb(), (server) => suiteOn("MongoDB adapter on FerretDB 1.24", server));
withPart("mongo-java-server 1.47", await mongoJavaServer(), (server) => suiteOn("MongoDB adapter on mongo-java-server 1.47", server));
withPart("MongoDB", await givenMongo(), (server) => suiteOn("MongoDB adapter on MongoDB", server));
