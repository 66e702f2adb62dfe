import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { Problem } from "@stet/contract";
import type { ReadRoute } from "#delivery/read-route";
import { readRoute } from "#delivery/read-route";
import type { DeliveryServices } from "#delivery/services";
import { fail, notFound } from "#domain/failure";
import { createDelivery, type Delivery, type DeliveryOptions } from "#http/delivery/delivery";
import { createDispatcher } from "#http/dispatcher";
import { type HttpServer, startHttpServer } from "#http/server";
import { createKey } from "#operations/keys/create-key";
import type { Tenant, TestServices } from "#test/services";

/** One node that answers /v1, on a port of its own. */
export interface DeliveryNode {
  readonly url: string;
  readonly port: number;
  readonly delivery: Delivery;
  /** What was written to the log, by level. */
  readonly lines: { readonly level: string; readonly message: string; readonly facts: Record<string, unknown> }[];
  /** `path` is below /v1. */
  get(path: string, key?: string | null, headers?: Record<string, string>, method?: string): Promise<Response>;
  stop(): Promise<void>;
}

export const deliveryServices = (services: TestServices): DeliveryServices => ({
  platform: services.platform,
  contents: services.contents,
  keyring: services.keyring,
  // Nothing here reads them.
  readers: (services as unknown as Partial<DeliveryServices>).readers as DeliveryServices["readers"],
  notices: services.notices,
  signals: services.signals,
  plans: services.plans,
  clock: services.clock,
  publicUrl: services.settings.publicUrl,
});

export async function startDelivery(services: TestServices, options: Partial<DeliveryOptions> = {}): Promise<DeliveryNode> {
  const lines: DeliveryNode["lines"] = [];
  const write = (level: string) => (facts: object, message: string) => void lines.push({ level, message, facts: { ...facts } });
  const log = { debug: write("debug"), info: write("info"), error: write("error") };
  const delivery = createDelivery({
    services: deliveryServices(services),
    readRoutes: testReadRoutes(),
    log,
    // Stored when a test says so.
    flushMillis: 3_600_000,
    ...options,
  });
  const { publicUrl } = services.settings;
  const server: HttpServer = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    publicUrl,
    handle: createDispatcher({
      publicUrl,
      log,
      checks: [],
      isStopping: () => false,
      routes: [{ path: "/v1", handle: delivery, bare: true }],
      fallback: () => {
        throw fail("ROUTE_NOT_FOUND", "There is nothing else here.");
      },
    }),
  });
  const url = `http://127.0.0.1:${server.port}/v1`;
  return {
    url,
    port: server.port,
    delivery,
    lines,
    get: (path, key, headers = {}, method = "GET") =>
      fetch(url + path, { method, headers: { ...(key ? { Authorization: `Bearer ${key}` } : {}), ...headers } }),
    async stop() {
      await server.stop(0);
      await delivery.close();
    },
  };
}

/** A key of the tenant's website. */
export async function makeKey(services: TestServices, tenant: Tenant, input: Record<string, unknown> = {}): Promise<string> {
  return (await services.call(createKey, tenant.actor, { websiteId: tenant.website.id, name: "Test", ...input })).key;
}

export const problemOf = async (response: Response): Promise<Problem> => (await response.json()) as Problem;

/** Sends bytes as they are and reads until the server closes. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(bytes);
  return text(socket);
}

/** Tiny routes that show what the gate does; `calls` says how often each was run. */
export function testReadRoutes(calls: string[] = []): ReadRoute[] {
  return [
    readRoute({
      path: "/blog/posts",
      query: {
        limit: (raw) => {
          if (!/^\d+$/.test(raw)) throw fail("INVALID_LIMIT", "limit must be a whole number.");
          return Number(raw);
        },
        sort: (raw) => raw,
        cursor: (raw) => raw,
      },
      cached: true,
      async run({ website, content }, _params, { limit, sort }) {
        calls.push("list");
        const { rows } = await content.posts.listLive(website.id, { sort: "-publishedAt", after: null, limit: limit ?? 25 });
        return { kind: "json", value: { website: website.id, sort: sort ?? null, titles: rows.map((row) => row.content.title) } };
      },
    }),
    readRoute({
      path: "/blog/posts/{slugOrId}",
      query: {},
      cached: true,
      async run({ website }, { slugOrId }, _query, wantsMarkdown) {
        calls.push(`post ${slugOrId}`);
        if (slugOrId === "missing") throw notFound("post");
        if (slugOrId === "broken") throw new Error("SELECT secret FROM host 10.0.0.7");
        const body = `${website.id} ${slugOrId} `.repeat(slugOrId?.startsWith("long") ? 200 : 1);
        if (wantsMarkdown) return { kind: "text", contentType: "text/markdown; charset=utf-8", text: `# ${body}` };
        return { kind: "json", value: { data: { slugOrId, body } } };
      },
    }),
    readRoute({
      path: "/blog/posts/{slugOrId}/views",
      query: {},
      cached: false,
      async run({ now }, { slugOrId }) {
        calls.push(`views ${slugOrId}`);
        return { kind: "json", value: { slugOrId, at: now.toISOString() } };
      },
    }),
    readRoute({
      path: "/blog/search",
      query: { q: (raw) => raw },
      needs: "search",
      cached: true,
      async run(_place, _params, { q }) {
        return { kind: "json", value: { q } };
      },
    }),
  ];
}
