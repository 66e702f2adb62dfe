import { ERRORS } from "@stet/contract";
import type { ReadRoute } from "#delivery/read-route";
import type { DeliveryServices } from "#delivery/services";
import { fail, Failure } from "#domain/failure";
import { isOutage } from "../shared/problem.ts";
import { createNotFoundCache } from "./not-found-cache.ts";
import type { KeyEntry } from "./key-cache.ts";
import { compress, makeCachedResponse, type CachedResponse } from "../shared/cached-response.ts";
import { createResponseCache, type ResponseCache } from "./response-cache.ts";
import type { RawQuery } from "./query.ts";
import type { WebsiteState, WebsiteStates } from "./website-state.ts";

/** A request for a read route, with its parameters. */
interface ReadRequest {
  readonly readRoute: ReadRoute;
  readonly params: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  readonly wantsMarkdown: boolean;
  /** The key in the cache: requests with the same answer have the same one. */
  readonly address: string;
}

interface FoundResponse {
  readonly response: CachedResponse;
  /** The content store does not answer; this is the last answer that it gave. */
  readonly isStale: boolean;
}

export interface CachedResponses {
  /** The cached response, if it is current. No I/O. */
  getCurrent(entry: KeyEntry, address: string): CachedResponse | null;
  /** The current response, loaded if it is not cached; a stale one while the store does not answer. */
  getOrLoad(entry: KeyEntry, asked: ReadRequest): Promise<FoundResponse>;
  compressed(entry: KeyEntry, address: string, response: CachedResponse, encoding: "gzip" | "br"): Promise<Buffer>;
  readonly cache: ResponseCache;
  /** Requests answered from the cache, those that were loaded, and those answered with a stale response. */
  readonly tally: { hits: number; misses: number; stale: number };
}

/** How long a content store that failed is not asked again, where a stale response can be sent instead. */
const STORE_RETRY_MILLIS = 1_000;

export function createCachedResponses(
  services: DeliveryServices,
  states: WebsiteStates,
  { mostBytes, loadTimeoutMillis }: { mostBytes: number; loadTimeoutMillis: number },
): CachedResponses {
  const cache = createResponseCache(mostBytes);
  const notFoundCache = createNotFoundCache();
  const tally = { hits: 0, misses: 0, stale: 0 };
  const compressing = new WeakMap<CachedResponse, Partial<Record<"gzip" | "br", Promise<Buffer>>>>();

  const isCurrent = (
    response: Pick<CachedResponse, "contentVersion" | "websiteVersion">,
    entry: KeyEntry,
    contentVersion: number,
  ): boolean => response.contentVersion === contentVersion && response.websiteVersion === entry.website.version;

  /** Requests for the same response that come at once wait for one load. */
  function loadOnce(
    entry: KeyEntry,
    asked: ReadRequest,
    contentVersion: number,
    query: Readonly<Record<string, unknown>>,
  ): Promise<CachedResponse> {
    const { state, website } = entry;
    const underWay = state.loading.get(asked.address);
    if (underWay && isCurrent(underWay, entry, contentVersion)) return underWay.response;
    tally.misses += 1;
    const response = loadAndStore(entry, asked, contentVersion, query).finally(() => {
      if (state.loading.get(asked.address)?.response === response) state.loading.delete(asked.address);
    });
    state.loading.set(asked.address, { contentVersion, websiteVersion: website.version, response });
    return response;
  }

  async function loadAndStore(
    entry: KeyEntry,
    asked: ReadRequest,
    contentVersion: number,
    query: Readonly<Record<string, unknown>>,
  ): Promise<CachedResponse> {
    const loaded = await load(entry, asked, contentVersion, query).catch((error: unknown) => {
      if (error instanceof Failure && error.code === "NOT_FOUND") {
        notFoundCache.store(entry.website.id, asked.address, { contentVersion, websiteVersion: entry.website.version, failure: error });
      }
      throw error;
    });
    const cached = entry.state.responses.get(asked.address)?.response;
    if (cached && cached.contentVersion > contentVersion) return loaded;
    if (cached?.etag === loaded.etag) {
      // Something else of the website changed: the compressed bytes are still good.
      cached.contentVersion = loaded.contentVersion;
      cached.websiteVersion = loaded.websiteVersion;
      cached.at = loaded.at;
      return cached;
    }
    cache.put(entry.state.responses, asked.address, loaded);
    return loaded;
  }

  async function load(
    { website, workspace }: KeyEntry,
    { readRoute, params, wantsMarkdown }: ReadRequest,
    contentVersion: number,
    query: Readonly<Record<string, unknown>>,
  ): Promise<CachedResponse> {
    const now = services.clock();
    const context = { services, website, workspace, content: services.contentOf(website), now };
    const content = await withTimeout(readRoute.run(context, params, query, wantsMarkdown));
    return makeCachedResponse(content, { contentVersion, websiteVersion: website.version, at: now.getTime() });
  }

  /** Many requests wait for one load: a store that neither answers nor fails must not hold them, and all later ones, for ever. */
  async function withTimeout<T>(loading: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      const failure = () => fail("CONTENT_STORE_UNAVAILABLE", "The content database is not responding in time. Try again in a moment.");
      timer = setTimeout(() => reject(failure()), loadTimeoutMillis);
    });
    try {
      return await Promise.race([loading, tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Reads the parameters: wrong ones are refused before a store is asked. */
  function parse({ readRoute, query }: ReadRequest): Readonly<Record<string, unknown>> {
    const values: Record<string, unknown> = {};
    for (const name of Object.keys(readRoute.query)) {
      const raw = query.get(name);
      values[name] = raw === undefined ? undefined : readRoute.query[name]!(raw);
    }
    return values;
  }

  async function currentResponse(entry: KeyEntry, asked: ReadRequest, query: Readonly<Record<string, unknown>>): Promise<CachedResponse> {
    // The version is taken before the content is read: an answer made from older content is never kept under a newer version.
    const contentVersion = entry.state.contentVersion ?? (await states.readVersion(entry.state));
    const cached = entry.state.responses.get(asked.address);
    if (cached && isCurrent(cached.response, entry, contentVersion)) {
      tally.hits += 1;
      return cached.response;
    }
    const notFound = notFoundCache.find(entry.website.id, asked.address);
    if (notFound && isCurrent(notFound, entry, contentVersion)) {
      tally.hits += 1;
      throw notFound.failure;
    }
    return loadOnce(entry, asked, contentVersion, query);
  }

  function staleResponse(state: WebsiteState, address: string): FoundResponse | null {
    const cached = state.responses.get(address);
    if (!cached) return null;
    tally.stale += 1;
    return { response: cached.response, isStale: true };
  }

  return {
    cache,
    tally,

    getCurrent({ state, website }, address) {
      const cached = state.responses.get(address);
      if (cached === undefined) return null;
      const { response } = cached;
      if (response.contentVersion !== state.contentVersion || response.websiteVersion !== website.version) return null;
      cache.used(cached);
      tally.hits += 1;
      return response;
    },

    async getOrLoad(entry, asked) {
      const { state } = entry;
      const query = parse(asked);
      if (!asked.readRoute.cached) return { response: await load(entry, asked, 0, query), isStale: false };
      const now = services.clock().getTime();
      // Never longer than that: a clock that was ahead meanwhile must not make the wait a long one.
      const wait = state.storeRetryAt - now;
      if (wait > 0 && wait <= STORE_RETRY_MILLIS) {
        const old = staleResponse(state, asked.address);
        if (old) return old;
      }
      try {
        const response = await currentResponse(entry, asked, query);
        state.storeRetryAt = 0;
        return { response, isStale: false };
      } catch (error) {
        if (!isStoreOutage(error)) throw error;
        state.storeRetryAt = now + STORE_RETRY_MILLIS;
        const old = staleResponse(state, asked.address);
        if (old) return old;
        throw error;
      }
    },

    async compressed({ state }, address, response, encoding) {
      const underWay = compressing.get(response) ?? {};
      compressing.set(response, underWay);
      underWay[encoding] ??= compress(response, encoding).finally(() => {
        // Several requests may have waited for it: its size is measured once.
        delete underWay[encoding];
        if (state.responses.get(address)?.response === response) cache.grew(state.responses, address);
      });
      return underWay[encoding];
    },
  };
}

/** The error says that a store does not answer, which passes by itself. */
const isStoreOutage = (error: unknown): boolean => (error instanceof Failure ? ERRORS[error.code].status === 503 : isOutage(error));
