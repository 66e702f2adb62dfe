import { ERRORS } from "@stet/contract";
import type { ReadRoute } from "#delivery/read-route";
import type { DeliveryServices } from "#delivery/services";
import { fail, Failure } from "#domain/failure";
import { isOutage } from "../shared/problem.ts";
import { createAbsences } from "./absences.ts";
import type { KeyEntry } from "./key-cache.ts";
import { compress, makePage, type Page } from "../shared/page.ts";
import { createPageCache, type PageCache } from "./page-cache.ts";
import type { RawQuery } from "./query.ts";
import type { WebsiteState, WebsiteStates } from "./website-state.ts";

/** What is asked for: a route with its parameters. */
interface Ask {
  readonly readRoute: ReadRoute;
  readonly params: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  readonly wantsMarkdown: boolean;
  /** The same for the same answer. */
  readonly address: string;
}

interface FoundPage {
  readonly page: Page;
  /** The content store does not answer; this was its last good answer. */
  readonly isStale: boolean;
}

export interface Pages {
  /** The page, when it is held and still true. No I/O. */
  ready(entry: KeyEntry, address: string): Page | null;
  /** The page, made when it must be. */
  find(entry: KeyEntry, ask: Ask): Promise<FoundPage>;
  compressed(entry: KeyEntry, address: string, page: Page, encoding: "gzip" | "br"): Promise<Buffer>;
  readonly cache: PageCache;
  /** How often a page was held and true, and how often it had to be made. */
  readonly tally: { hits: number; misses: number; stale: number };
}

/** How long a content store that failed is left alone, where an old answer can be given instead. */
const REST_MILLIS = 1_000;

export function createPages(
  services: DeliveryServices,
  states: WebsiteStates,
  { mostBytes, patienceMillis }: { mostBytes: number; patienceMillis: number },
): Pages {
  const cache = createPageCache(mostBytes);
  const absences = createAbsences();
  const tally = { hits: 0, misses: 0, stale: 0 };
  const compressing = new WeakMap<Page, Partial<Record<"gzip" | "br", Promise<Buffer>>>>();

  const isTrue = (page: Pick<Page, "contentVersion" | "websiteVersion">, entry: KeyEntry, contentVersion: number): boolean =>
    page.contentVersion === contentVersion && page.websiteVersion === entry.website.version;

  /** Many who ask for the same page at once wait for one. */
  function made(entry: KeyEntry, ask: Ask, contentVersion: number, query: Readonly<Record<string, unknown>>): Promise<Page> {
    const { state, website } = entry;
    const running = state.making.get(ask.address);
    if (running && isTrue(running, entry, contentVersion)) return running.page;
    tally.misses += 1;
    const page = make(entry, ask, contentVersion, query).finally(() => {
      if (state.making.get(ask.address)?.page === page) state.making.delete(ask.address);
    });
    state.making.set(ask.address, { contentVersion, websiteVersion: website.version, page });
    return page;
  }

  async function make(entry: KeyEntry, ask: Ask, contentVersion: number, query: Readonly<Record<string, unknown>>): Promise<Page> {
    const fresh = await produce(entry, ask, contentVersion, query).catch((error: unknown) => {
      if (error instanceof Failure && error.code === "NOT_FOUND") {
        absences.keep(entry.website.id, ask.address, { contentVersion, websiteVersion: entry.website.version, failure: error });
      }
      throw error;
    });
    const held = entry.state.pages.get(ask.address)?.page;
    if (held && held.contentVersion > contentVersion) return fresh;
    if (held?.etag === fresh.etag) {
      // Something else of the website changed: what was compressed is still good.
      held.contentVersion = fresh.contentVersion;
      held.websiteVersion = fresh.websiteVersion;
      held.at = fresh.at;
      return held;
    }
    cache.put(entry.state.pages, ask.address, fresh);
    return fresh;
  }

  async function produce(
    { website, workspace }: KeyEntry,
    { readRoute, params, wantsMarkdown }: Ask,
    contentVersion: number,
    query: Readonly<Record<string, unknown>>,
  ): Promise<Page> {
    const now = services.clock();
    const context = { services, website, workspace, content: services.contentOf(website), now };
    const content = await withPatience(readRoute.run(context, params, query, wantsMarkdown));
    return makePage(content, { contentVersion, websiteVersion: website.version, at: now.getTime() });
  }

  /** Many wait for one reading: a store that neither answers nor fails must not hold them, and all who come after, for ever. */
  async function withPatience<T>(reading: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      const failure = () => fail("CONTENT_STORE_UNAVAILABLE", "The content database is not responding in time. Try again in a moment.");
      timer = setTimeout(() => reject(failure()), patienceMillis);
    });
    try {
      return await Promise.race([reading, tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Reads the parameters; what is wrong with them is said before anything is asked of a store. */
  function parse({ readRoute, query }: Ask): Readonly<Record<string, unknown>> {
    const values: Record<string, unknown> = {};
    for (const name of Object.keys(readRoute.query)) {
      const raw = query.get(name);
      values[name] = raw === undefined ? undefined : readRoute.query[name]!(raw);
    }
    return values;
  }

  async function fresh(entry: KeyEntry, ask: Ask, query: Readonly<Record<string, unknown>>): Promise<Page> {
    // The version is taken before the content is read: an answer made from older content is never kept under a newer version.
    const contentVersion = entry.state.contentVersion ?? (await states.readVersion(entry.state));
    const held = entry.state.pages.get(ask.address);
    if (held && isTrue(held.page, entry, contentVersion)) {
      tally.hits += 1;
      return held.page;
    }
    const absence = absences.find(entry.website.id, ask.address);
    if (absence && isTrue(absence, entry, contentVersion)) {
      tally.hits += 1;
      throw absence.failure;
    }
    return made(entry, ask, contentVersion, query);
  }

  function lastGood(state: WebsiteState, address: string): FoundPage | null {
    const held = state.pages.get(address);
    if (!held) return null;
    tally.stale += 1;
    return { page: held.page, isStale: true };
  }

  return {
    cache,
    tally,

    ready({ state, website }, address) {
      const held = state.pages.get(address);
      if (held === undefined) return null;
      const { page } = held;
      if (page.contentVersion !== state.contentVersion || page.websiteVersion !== website.version) return null;
      cache.used(held);
      tally.hits += 1;
      return page;
    },

    async find(entry, ask) {
      const { state } = entry;
      const query = parse(ask);
      if (!ask.readRoute.cached) return { page: await produce(entry, ask, 0, query), isStale: false };
      const now = services.clock().getTime();
      // No longer than it was meant: a clock that was ahead meanwhile must not make the rest a long one.
      const rest = state.storeRestsUntil - now;
      if (rest > 0 && rest <= REST_MILLIS) {
        const old = lastGood(state, ask.address);
        if (old) return old;
      }
      try {
        const page = await fresh(entry, ask, query);
        state.storeRestsUntil = 0;
        return { page, isStale: false };
      } catch (error) {
        if (!isAway(error)) throw error;
        state.storeRestsUntil = now + REST_MILLIS;
        const old = lastGood(state, ask.address);
        if (old) return old;
        throw error;
      }
    },

    async compressed({ state }, address, page, encoding) {
      const running = compressing.get(page) ?? {};
      compressing.set(page, running);
      running[encoding] ??= compress(page, encoding).finally(() => {
        // Several may have waited: it is measured once they have it.
        delete running[encoding];
        if (state.pages.get(address)?.page === page) cache.grew(state.pages, address);
      });
      return running[encoding];
    },
  };
}

/** A store does not answer, which passes by itself. */
const isAway = (error: unknown): boolean => (error instanceof Failure ? ERRORS[error.code].status === 503 : isOutage(error));
