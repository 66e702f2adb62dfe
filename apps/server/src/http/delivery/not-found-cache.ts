import { LRUCache } from "lru-cache";
import type { Failure } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";

/** Nothing was at an address, as of a version of the content: a crawler with a list of old links asks again and again. */
interface KnownNotFound {
  readonly contentVersion: number;
  readonly websiteVersion: number;
  readonly storeEpoch: number;
  readonly failure: Failure;
}

/** The addresses at which nothing was found, of all websites together. */
export interface NotFoundCache {
  find(websiteId: WebsiteId, address: string): KnownNotFound | undefined;
  store(websiteId: WebsiteId, address: string, notFound: KnownNotFound): void;
  clear(): void;
}

/** As many as anybody likes to make up, so they are bounded in number and length. */
const MOST = 10_000;
const LONGEST = 300;

export function createNotFoundCache(): NotFoundCache {
  const known = new LRUCache<string, KnownNotFound>({ max: MOST });
  // NUL stands in no id.
  const nameOf = (websiteId: WebsiteId, address: string): string => `${websiteId}\u0000${address}`;
  return {
    find: (websiteId, address) => known.get(nameOf(websiteId, address)),
    store(websiteId, address, notFound) {
      if (address.length <= LONGEST) known.set(nameOf(websiteId, address), notFound);
    },
    clear: () => known.clear(),
  };
}
