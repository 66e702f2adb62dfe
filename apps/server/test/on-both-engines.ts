import { afterAll, describe } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
import { closedAtEnd } from "#test/closed-at-end";
import { mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { withPart } from "#test/parts";
import { openTestServices, type TestServices } from "#test/services";
import { oneStore } from "#test/one-store";

/**
 * The same tests with content in PostgreSQL, and in a server that speaks MongoDB's protocol. FerretDB 1.x is left out by name: it finds
 * and modifies in two steps, so two saves of one version can both succeed there.
 */
export async function onBothEngines(tests: (services: TestServices, engine: "PostgreSQL" | "MongoDB") => void): Promise<void> {
  describe("in PostgreSQL", async () => {
    tests(closedAtEnd(await openTestServices()), "PostgreSQL");
  });
  withPart("mongo-java-server 1.47", mongoJavaServer.find(), async (server) => {
    const { url, stop } = await server.start();
    afterAll(stop);
    const content = closedAtEnd(await openMongoContent({ url, database: testDatabaseName(), onVisibleChange: async () => {} }));
    tests(closedAtEnd(await openTestServices({ contents: oneStore(content) })), "MongoDB");
  });
}
