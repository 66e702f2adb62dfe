import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKeyring } from "#adapters/keyring/keyring";
import { openMongoContent } from "#adapters/mongodb/open";
import { raiseContentVersion } from "#adapters/postgres/content/raise-content-version";
import { sanitizeHtml } from "#domain/markdown/sanitize-html";
import { registry } from "#operations/registry";
import { writingIn } from "#test/delivery/writing";
import { mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { withPart } from "#test/parts";
import { openTestServices, type TestServices } from "#test/services";
import { oneStore } from "#test/one-store";
import { processesOn, type ServeProcess } from "./processes.ts";

const SECRET = "a secret that several machines share in tests";
const PLANS = { team: { requestsPerMonth: 1_000_000_000, ratePerSecond: 1_000_000, burst: 1_000_000 } };

withPart("mongo-java-server 1.47", mongoJavaServer.find(), (server) => {
  let services: TestServices;
  let node: ServeProcess;
  let close: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    services = await openTestServices({ keyring: createKeyring([SECRET]), clock: () => new Date() });
    const { url, stop } = await server.start();
    const contentUrl = `${url.replace(/\/$/, "")}/${testDatabaseName()}`;
    const content = await openMongoContent({
      url: contentUrl,
      onVisibleChange: (websiteId) => raiseContentVersion(services.database, websiteId),
      sanitizeHtml,
    });
    Object.assign(services, { contents: oneStore(content) });
    const databaseUrl = services.database.pool.options.connectionString!;
    const processes = await processesOn({ databaseUrl, contentUrl, secret: SECRET, plans: PLANS });
    node = await processes.start();
    close = async () => {
      await processes.close();
      await content.close();
      await stop();
      await services.close();
    };
  });
  afterAll(() => close?.());

  test("with content in MongoDB a change is seen within one second on another node", { retry: 5 }, async () => {
    const tenant = await services.makeTenant();
    const write = writingIn(services, tenant);
    const { key } = await services.call(registry.create_key, tenant.actor, { websiteId: tenant.website.id, name: "Test" });
    const until = async (isSeen: (text: string) => boolean): Promise<number> => {
      const started = performance.now();
      while (!isSeen((await node.ask("/blog/posts", { key })).text)) {
        if (performance.now() - started > 10_000) throw new Error("The node never heard of the change.");
        await sleep(5);
      }
      return performance.now() - started;
    };
    await until((text) => text.includes('"data":[]'));
    let post = await write.post("First");
    const times = [await until((text) => text.includes("First"))];
    post = await write.revise(post, { title: "Second" });
    times.push(await until((text) => text.includes("Second")));
    await write.unpublish(post);
    times.push(await until((text) => text.includes('"data":[]')));
    expect(Math.max(...times)).toBeLessThan(1_000);
  });
});
