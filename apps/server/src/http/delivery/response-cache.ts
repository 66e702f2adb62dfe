import { LRUCache } from "lru-cache";
import { type CachedResponse, sizeOf } from "../shared/cached-response.ts";
import { type Movable, movesUp } from "./move-up.ts";

/** The cached responses of one website, by address. */
export type ResponsesByAddress = Map<string, CacheEntry>;

/** A response, and the map that holds it. */
interface CacheEntry extends Movable {
  response: CachedResponse;
  readonly address: string;
  readonly responses: ResponsesByAddress;
}

/** The responses of all websites together take at most so many bytes. */
export interface ResponseCache {
  put(responses: ResponsesByAddress, address: string, response: CachedResponse): void;
  /** A response was asked for: the others are dropped before it. */
  used(entry: CacheEntry, now: number): void;
  /** A response grew: another encoding was added. */
  grew(responses: ResponsesByAddress, address: string): void;
  readonly bytes: number;
  readonly size: number;
}

export function createResponseCache(mostBytes: number): ResponseCache {
  // By entry and not by name: to join website and address for each request would take longer than all the rest of the look-up.
  const entries = new LRUCache<CacheEntry, number>({
    // Without a byte to fill, no response fits.
    maxSize: Math.max(1, mostBytes),
    sizeCalculation: (bytes) => bytes,
    dispose: (_bytes, { responses, address }) => responses.delete(address),
    noDisposeOnSet: true,
  });

  function measure(entry: CacheEntry): void {
    entries.set(entry, sizeOf(entry.response) + entry.address.length * 2);
  }

  return {
    put(responses, address, response) {
      const entry = responses.get(address) ?? { response, address, responses, movedAt: 0 };
      entry.response = response;
      measure(entry);
      // A response that is larger than the cache is not kept.
      if (entries.has(entry)) responses.set(address, entry);
    },
    used(entry, now) {
      if (movesUp(entry, now)) entries.get(entry);
    },
    grew(responses, address) {
      const entry = responses.get(address);
      if (entry) measure(entry);
    },
    get bytes() {
      return entries.calculatedSize;
    },
    get size() {
      return entries.size;
    },
  };
}
