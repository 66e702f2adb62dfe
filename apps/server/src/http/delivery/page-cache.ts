import { LRUCache } from "lru-cache";
import { type Page, sizeOf } from "../shared/page.ts";

/** Pages of one website, by address. */
export type Shelf = Map<string, Kept>;

/** A page with its place. */
interface Kept {
  page: Page;
  readonly address: string;
  readonly shelf: Shelf;
}

/** All pages of all websites together take at most so many bytes. */
export interface PageCache {
  put(shelf: Shelf, address: string, page: Page): void;
  /** A page was asked for: the others go before it. */
  used(kept: Kept): void;
  /** A page grew: another encoding was made. */
  grew(shelf: Shelf, address: string): void;
  readonly bytes: number;
  readonly size: number;
}

export function createPageCache(mostBytes: number): PageCache {
  // By place and not by name: to join website and address for each request would take longer than all the rest of the look-up.
  const places = new LRUCache<Kept, number>({
    // Where nothing is to be kept, nothing fits.
    maxSize: Math.max(1, mostBytes),
    sizeCalculation: (bytes) => bytes,
    dispose: (_bytes, { shelf, address }) => shelf.delete(address),
    noDisposeOnSet: true,
  });

  function measure(kept: Kept): void {
    places.set(kept, sizeOf(kept.page) + kept.address.length * 2);
  }

  return {
    put(shelf, address, page) {
      const kept = shelf.get(address) ?? { page, address, shelf };
      kept.page = page;
      measure(kept);
      // One that takes more than there is room for is not kept.
      if (places.has(kept)) shelf.set(address, kept);
    },
    used: (kept) => void places.get(kept),
    grew(shelf, address) {
      const kept = shelf.get(address);
      if (kept) measure(kept);
    },
    get bytes() {
      return places.calculatedSize;
    },
    get size() {
      return places.size;
    },
  };
}
