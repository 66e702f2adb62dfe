import { type Page, sizeOf } from "../shared/page.ts";

/** Pages of one website, by address. */
export type Shelf = Map<string, Kept>;

/** A page with its place. */
interface Kept {
  page: Page;
  readonly address: string;
  readonly shelf: Shelf;
  bytes: number;
  /** Asked for since the last look for room. */
  wasUsed: boolean;
}

/** All pages of all websites together take at most so many bytes. */
export interface PageCache {
  put(shelf: Shelf, address: string, page: Page): void;
  /** A page grew: another encoding was made. */
  grew(shelf: Shelf, address: string): void;
  readonly bytes: number;
  readonly size: number;
}

export function createPageCache(mostBytes: number): PageCache {
  const queue = new Set<Kept>();
  let bytes = 0;

  function measure(kept: Kept): void {
    const size = sizeOf(kept.page) + kept.address.length * 2;
    bytes += size - kept.bytes;
    kept.bytes = size;
  }

  /** Second chance: what was used since the last look goes to the end of the queue, what was not goes. */
  function makeRoom(): void {
    for (const kept of queue) {
      if (bytes <= mostBytes) return;
      queue.delete(kept);
      if (kept.wasUsed) {
        kept.wasUsed = false;
        queue.add(kept);
      } else {
        kept.shelf.delete(kept.address);
        bytes -= kept.bytes;
      }
    }
  }

  return {
    put(shelf, address, page) {
      const known = shelf.get(address);
      if (known) {
        known.page = page;
        measure(known);
      } else if (sizeOf(page) <= mostBytes) {
        const kept: Kept = { page, address, shelf, bytes: 0, wasUsed: false };
        measure(kept);
        shelf.set(address, kept);
        queue.add(kept);
      }
      makeRoom();
    },
    grew(shelf, address) {
      const kept = shelf.get(address);
      if (kept) measure(kept);
      makeRoom();
    },
    get bytes() {
      return bytes;
    },
    get size() {
      return queue.size;
    },
  };
}
