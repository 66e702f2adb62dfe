import { sanitizeHtml } from "#domain/markdown/sanitize-html";
import { openMongoContent } from "#adapters/mongodb/open";
import type { Database } from "#adapters/postgres/database";
import { raiseContentVersion } from "#adapters/postgres/content/raise-content-version";
import type { Replica } from "#adapters/postgres/content/replica";
import { openPostgresSignals } from "#adapters/postgres/signals/signals";
import { type Plans, plansWith } from "#domain/plans";
import { createDocs } from "#http/docs/routes";
import { createDispatcher } from "#http/dispatcher";
import { startHttpServer } from "#http/server";
import { readConfig } from "#main/config";
import { createContentStores } from "#main/content-stores";
import { openDelivery } from "#main/delivery";
import { createLog } from "#main/log";
import { createKey } from "#operations/keys/create-key";
import { type Writing, writingIn } from "#test/delivery/writing";
import { type MongoServer, testDatabaseName } from "#test/mongodb";
import { openTestServices, type Tenant, type TestServices } from "#test/services";
import { oneStore } from "#test/one-store";
import { type Ask, type Answer, sendRequest } from "./request.ts";

/** Room enough that no test meets a limit it is not about. */
const WIDE: Plans = plansWith({
  team: { requestsPerMonth: 1_000_000_000, ratePerSecond: 1_000_000, burst: 1_000_000, websites: 1_000 },
});

/** The read path as the product composes it, on a port of its own. */
export interface Node {
  readonly port: number;
  /** With `/v1`. */
  readonly url: string;
  /** `path` is below /v1. The answer is held against the OpenAPI document. */
  ask(path: string, ask?: Ask): Promise<Answer>;
  stop(): Promise<void>;
}

/** Several nodes may run on the same services. */
export async function startNode(services: TestServices, log = createLog("silent")): Promise<Node> {
  const { publicUrl } = services.settings;
  const config = { ...readConfig({ STET_LOG: "silent", STET_TRUST_PROXY: "true" }), publicUrl };
  const delivery = openDelivery({ config, services, log });
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    publicUrl,
    handle: createDispatcher({
      publicUrl,
      log,
      checks: [],
      isStopping: () => false,
      routes: delivery.routes,
      fallback: createDocs(publicUrl),
    }),
  });
  return {
    port: server.port,
    url: `http://127.0.0.1:${server.port}/v1`,
    ask: (path, ask = {}) => sendRequest(server.port, `/v1${path}`, ask),
    async stop() {
      await server.stop(0);
      await delivery.close();
    },
  };
}

export interface Service extends Node {
  readonly services: TestServices;
  /** Makes a website with an owner and a key. */
  blog(options?: Parameters<TestServices["makeTenant"]>[0]): Promise<Blog>;
}

/** One website, to write into as its owner and to read from with a key. */
export interface Blog {
  readonly tenant: Tenant;
  readonly key: string;
  readonly write: Writing;
  makeKey(fields?: Record<string, unknown>): Promise<string>;
  /** With the key. */
  get(path: string, ask?: Ask): Promise<Answer>;
}

/** The whole read path; content in PostgreSQL, or in the given server that speaks the MongoDB protocol. */
export async function openService(
  options: { plans?: Plans; mongo?: MongoServer; database?: Database; replica?: Replica } = {},
): Promise<Service> {
  const services = await openTestServices({ plans: options.plans ?? WIDE }, options.database);
  const { database } = services;
  const signals = await openPostgresSignals(database, () => {});
  const cluster = await options.mongo?.start();
  const content =
    cluster &&
    (await openMongoContent({
      url: cluster.url,
      database: testDatabaseName(),
      onVisibleChange: (websiteId) => raiseContentVersion(database, websiteId),
      sanitizeHtml,
    }));
  const { managed, asMover } = services.contents;
  const replicated = options.replica && createContentStores(managed, undefined, asMover, options.replica);
  Object.assign(services, { signals }, content && { contents: oneStore(content) }, replicated && { contents: replicated });
  const node = await startNode(services);
  return {
    ...node,
    services,
    blog: async (tenantOptions) => blogOf(services, node, await services.makeTenant(tenantOptions)),
    async stop() {
      await node.stop();
      await signals.close();
      await content?.close();
      await cluster?.stop();
      await services.close();
    },
  };
}

async function blogOf(services: TestServices, node: Node, tenant: Tenant): Promise<Blog> {
  const makeKey: Blog["makeKey"] = async (fields = {}) =>
    (await services.call(createKey, tenant.actor, { websiteId: tenant.website.id, name: "Test", ...fields })).key;
  const key = await makeKey();
  return {
    tenant,
    key,
    write: writingIn(services, tenant),
    makeKey,
    get: (path, ask = {}) => node.ask(path, { key, ...ask }),
  };
}
