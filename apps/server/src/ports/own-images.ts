import type { WebsiteId } from "#domain/ids";
import type { OwnImageStore, OwnStoreFacts, OwnStoreState } from "#domain/own-image-store";
import type { Timestamp } from "#domain/time";
import type { ImageStore } from "#ports/image-store";

/** The stores of websites on record. */
export interface OwnImageStores {
  get(websiteId: WebsiteId): Promise<OwnImageStore | null>;
  /** Adds it, or replaces what is there. */
  put(store: OwnImageStore): Promise<void>;
  setState(websiteId: WebsiteId, state: OwnStoreState, activatedAt: Timestamp | null): Promise<void>;
  /** Null: it answers again. */
  noteError(websiteId: WebsiteId, error: string | null, at: Timestamp): Promise<void>;
  remove(websiteId: WebsiteId): Promise<void>;
  /** The websites that have one, of these. */
  having(websiteIds: readonly WebsiteId[]): Promise<ReadonlySet<WebsiteId>>;
}

/** The only way to a store that a website's owner named: whatever answers there is not trusted. */
export interface OwnImages {
  /** A text says what is wrong with the address, without repeating any of it. */
  read(address: string): OwnStoreFacts | string;
  /** The store at an address that can be read. */
  open(address: string): ImageStore;
  /** What the public gets at this address; throws in words. */
  fetchPublic(url: string): Promise<Uint8Array>;
  close(): void;
}
