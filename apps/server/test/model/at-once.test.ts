import { afterAll, beforeAll, describe, test } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
import { mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { withPart } from "#test/parts";
import { openTestServices, type TestServices } from "#test/services";
import { workAtOnce } from "./at-once.ts";

const RULE = "six people at once: no update is lost, every event is told exactly for what happened";
const SEEDS = process.env.STET_SOAK ? Array.from({ length: 30 }, (_, i) => i + 1) : [1, 2, 3];

describe("in PostgreSQL", () => {
  let services: TestServices;
  beforeAll(async () => {
    services = await openTestServices();
  });
  afterAll(() => services.close());
  test.each(SEEDS)(`${RULE} (%i)`, (seed) => workAtOnce(services, seed), 120_000);
});

// FerretDB 1.x is left out by name: it finds and modifies in two steps, so two saves of one version can both succeed there.
withPart("mongo-java-server 1.47", await mongoJavaServer(), (server) => {
  let services: TestServices;
  const closers: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const { url, stop } = await server.start();
    const content = await openMongoContent({ url, database: testDatabaseName(), onVisibleChange: async () => {} });
    services = await openTestServices({ contentOf: () => content, contentStores: () => [content] });
    closers.push(
      () => services.close(),
      () => content.close(),
      stop,
    );
  }, 60_000);
  afterAll(async () => {
    for (const close of closers) await close();
  });
  test.each(SEEDS)(`${RULE} (%i)`, (seed) => workAtOnce(services, seed), 120_000);
});
