import type { ServerResponse } from "node:http";
import { ERRORS } from "@stet/contract";
import type { ReadRoute } from "#delivery/read-route";
import { keepReadyPosts, NOT_KEPT } from "#delivery/ready-posts";
import { rememberRecords } from "#delivery/remembered-records";
import type { ContentState, DeliveryServices } from "#delivery/services";
import { fail, Failure, notFound } from "#domain/failure";
import { inPool } from "#domain/pool";
import type { Website } from "#domain/website";
import { isOutage } from "../shared/problem.ts";
import { createNotFoundCache } from "./not-found-cache.ts";
import type { KeyEntry } from "./key-cache.ts";
import { compress, makeCachedResponse, type CachedResponse } from "../shared/cached-response.ts";
import { createResponseCache } from "./response-cache.ts";
import type { RawQuery } from "./query.ts";
import { createWaiters, type Waiters } from "./waiters.ts";
import type { WebsiteState, WebsiteStates } from "./website-state.ts";

/** A request for a read route, with its parameters. */
interface ReadRequest {
  readonly readRoute: ReadRoute;
  readonly params: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  readonly wantsMarkdown: boolean;
  /** The key in the cache: requests with the same answer have the same one. */
  readonly address: string;
  /** The load is given up when every client that waits for it has gone. */
  readonly client: ServerResponse;
}

interface FoundResponse {
  readonly response: CachedResponse;
  /** The content store does not answer; this is the last answer that it gave. */
  readonly isStale: boolean;
}

export interface CachedResponses {
  /** The cached response, if it is current. No I/O. */
  getCurrent(entry: KeyEntry, address: string, now: number): CachedResponse | null;
  /** The current response, loaded if it is not cached; a stale one while the store does not answer. */
  getOrLoad(entry: KeyEntry, asked: ReadRequest): Promise<FoundResponse>;
  compressed(entry: KeyEntry, address: string, response: CachedResponse, encoding: "gzip" | "br"): Promise<Buffer>;
  /** Versions that were seen say nothing any more. */
  changedEverywhere(): void;
  /** Responses that are kept, and the bytes of them and of the posts that are ready for the next ones. */
  readonly size: number;
  readonly bytes: number;
  /** Requests answered from the cache, those that were loaded, and those answered with a stale response. */
  readonly tally: { hits: number; misses: number; stale: number };
}

/** How much of the room is for posts as they stand in lists; the rest is for whole answers. */
const READY_PART = 1 / 2;
/**
 * How long a content store that failed is not asked again. Meanwhile a stale response is sent; without one, a customer's database is reported as
 * unavailable, and our own store is asked all the same.
 */
const STORE_RETRY_MILLIS = 1_000;

export function createCachedResponses(
  services: DeliveryServices,
  states: WebsiteStates,
  { mostBytes, loadTimeoutMillis }: { mostBytes: number; loadTimeoutMillis: number },
): CachedResponses {
  const readyBytes = Math.floor(mostBytes * READY_PART);
  const cache = createResponseCache(mostBytes - readyBytes);
  const readyPosts = keepReadyPosts(readyBytes);
  const notFoundCache = createNotFoundCache();
  const records = rememberRecords();
  const tally = { hits: 0, misses: 0, stale: 0 };
  /** Raised when versions that were seen say nothing any more: what was being loaded then is answered, and not kept. */
  let generation = 0;
  const compressing = new WeakMap<CachedResponse, Partial<Record<"gzip" | "br", Promise<Buffer>>>>();

  const isCurrent = (
    response: Pick<CachedResponse, "contentVersion" | "websiteVersion" | "storeEpoch">,
    entry: KeyEntry,
    content: ContentState,
  ): boolean =>
    response.contentVersion === content.contentVersion &&
    response.storeEpoch === content.storeEpoch &&
    response.websiteVersion === entry.website.version;

  /** Requests for the same response that come at once wait for one load. */
  function loadOnce(
    entry: KeyEntry,
    asked: ReadRequest,
    content: ContentState,
    query: Readonly<Record<string, unknown>>,
  ): Promise<CachedResponse> {
    const { state, website } = entry;
    const underWay = state.loading.get(asked.address);
    const isOfNow = underWay?.generation === generation;
    if (underWay && isOfNow && !underWay.waiters.signal.aborted && isCurrent(underWay, entry, content)) {
      underWay.waiters.join(asked.client);
      return underWay.response;
    }
    tally.misses += 1;
    const waiters = createWaiters();
    waiters.join(asked.client);
    const response = loadAndStore(entry, asked, content, query, waiters).finally(() => {
      if (state.loading.get(asked.address)?.response === response) state.loading.delete(asked.address);
    });
    state.loading.set(asked.address, { ...content, websiteVersion: website.version, generation, response, waiters });
    return response;
  }

  async function loadAndStore(
    entry: KeyEntry,
    asked: ReadRequest,
    content: ContentState,
    query: Readonly<Record<string, unknown>>,
    waiters: Waiters,
  ): Promise<CachedResponse> {
    const begun = generation;
    const website = await websiteIn(entry, content);
    const loaded = await load({ ...entry, website }, asked, content, query, waiters, begun).catch((error: unknown) => {
      if (begun === generation && error instanceof Failure && error.code === "NOT_FOUND") {
        notFoundCache.store(website.id, asked.address, { ...content, websiteVersion: website.version, failure: error });
      }
      throw error;
    });
    const cached = entry.state.responses.get(asked.address)?.response;
    if (begun !== generation || (cached && cached.contentVersion > content.contentVersion)) return loaded;
    if (cached?.etag === loaded.etag) {
      // Something else of the website changed: the compressed bytes are still good.
      cached.contentVersion = loaded.contentVersion;
      cached.websiteVersion = loaded.websiteVersion;
      cached.storeEpoch = loaded.storeEpoch;
      cached.at = loaded.at;
      return cached;
    }
    cache.put(entry.state.responses, asked.address, loaded);
    return loaded;
  }

  /** The website, read again where its content lies elsewhere since the key was looked up. */
  async function websiteIn({ website }: KeyEntry, { storeEpoch }: ContentState): Promise<Website> {
    if (website.home.epoch === storeEpoch) return website;
    const now = await inPool("reads", () => services.platform.websites.get(website.id));
    if (!now) throw notFound("website");
    return now;
  }

  async function load(
    { website, workspace }: Pick<KeyEntry, "website" | "workspace">,
    { readRoute, params, wantsMarkdown }: ReadRequest,
    state: ContentState | null,
    query: Readonly<Record<string, unknown>>,
    waiters: Waiters,
    begun = generation,
  ): Promise<CachedResponse> {
    const now = services.clock();
    const reading = inPool(
      "reads",
      () =>
        services.contents.withContent(
          website,
          (store) => {
            const here = state && begun === generation ? { ...state, storeEpoch: website.home.epoch } : null;
            const content = here ? records.remembered(store, here) : store;
            const ready = here ? readyPosts.of(website, here) : NOT_KEPT;
            return readRoute.run({ services, website, workspace, content, readyPosts: ready, now }, params, query, wantsMarkdown);
          },
          state ?? undefined,
        ),
      waiters.signal,
    );
    return makeCachedResponse(await withTimeout(reading, waiters), {
      contentVersion: state?.contentVersion ?? 0,
      websiteVersion: website.version,
      storeEpoch: website.home.epoch,
      at: now.getTime(),
    });
  }

  /** Many requests wait for one load: a store that neither answers nor fails must not hold them, and all later ones, for ever. */
  async function withTimeout<T>(loading: Promise<T>, waiters: Waiters): Promise<T> {
    const { signal } = waiters;
    const timer = setTimeout(() => waiters.giveUp(unavailable()), loadTimeoutMillis);
    // A store may not know how to stop: nobody waits for it all the same.
    const givenUp = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
    try {
      return await Promise.race([loading, givenUp]);
    } finally {
      clearTimeout(timer);
      waiters.settled();
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
    const content = entry.state.content ?? (await states.readContent(entry.state));
    const cached = entry.state.responses.get(asked.address);
    if (cached && isCurrent(cached.response, entry, content)) {
      tally.hits += 1;
      return cached.response;
    }
    const missing = notFoundCache.find(entry.website.id, asked.address);
    if (missing && isCurrent(missing, entry, content)) {
      tally.hits += 1;
      throw missing.failure;
    }
    return loadOnce(entry, asked, content, query);
  }

  function staleResponse(state: WebsiteState, address: string): FoundResponse | null {
    const cached = state.responses.get(address);
    if (!cached) return null;
    tally.stale += 1;
    return { response: cached.response, isStale: true };
  }

  return {
    get size() {
      return cache.size;
    },
    get bytes() {
      return cache.bytes + readyPosts.bytes;
    },
    tally,
    changedEverywhere() {
      generation += 1;
      states.changedEverywhere();
      records.forgetAll();
      readyPosts.forgetAll();
      notFoundCache.clear();
    },

    getCurrent({ state, website }, address, now) {
      const cached = state.responses.get(address);
      if (cached === undefined) return null;
      const { response } = cached;
      const { content } = state;
      if (content === null || response.contentVersion !== content.contentVersion) return null;
      if (response.storeEpoch !== content.storeEpoch || response.websiteVersion !== website.version) return null;
      cache.used(cached, now);
      tally.hits += 1;
      return response;
    },

    async getOrLoad(entry, asked) {
      const { state } = entry;
      const query = parse(asked);
      if (!asked.readRoute.cached) {
        const waiters = createWaiters();
        waiters.join(asked.client);
        return { response: await load(entry, asked, null, query, waiters), isStale: false };
      }
      const now = services.clock().getTime();
      // A longer wait means that the clock was set back since: it is ignored.
      const wait = state.storeRetryAt - now;
      if (wait > 0 && wait <= STORE_RETRY_MILLIS) {
        const old = staleResponse(state, asked.address);
        if (old) return old;
        // A customer's database that is away is asked once a second, and keeps nobody waiting meanwhile.
        if (entry.website.home.kind === "own") throw unavailable();
      }
      try {
        const response = await currentResponse(entry, asked, query);
        state.storeRetryAt = 0;
        return { response, isStale: false };
      } catch (error) {
        if (!isStoreOutage(error)) throw error;
        // From the failure on: a store that hangs fails seconds after it was asked.
        state.storeRetryAt = services.clock().getTime() + STORE_RETRY_MILLIS;
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

const unavailable = () => fail("CONTENT_STORE_UNAVAILABLE", "The content database is not responding in time. Try again in a moment.");

/** The error says that a store does not answer, which passes by itself. */
const isStoreOutage = (error: unknown): boolean => (error instanceof Failure ? ERRORS[error.code].status === 503 : isOutage(error));
