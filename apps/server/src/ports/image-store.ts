import type { WebsiteId } from "#domain/ids";
import type { ManagedStore, StoreName } from "#domain/media-file";

/** The bytes of images, by key (domain/media-file). Every adapter passes one suite, test/image-store-contract. */
export interface ImageStore {
  /** Durable when the promise resolves; a reader sees the whole file, the one before, or none. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  get(key: string): Promise<Uint8Array | null>;
  /** How many bytes it has; null where there is none. */
  size(key: string): Promise<number | null>;
  /** Its bytes from the first to the last of these, piece by piece as they are taken. */
  read(key: string, first: number, last: number): AsyncIterable<Uint8Array>;
  /** Also what a put that was cut off left behind. It is no error when there is nothing. */
  delete(key: string): Promise<void>;
  /** The keys that begin with this folder, which ends with a slash, in no order. What is deleted meanwhile may be among them. */
  list(prefix: string): AsyncIterable<string>;
}

/** The stores of the install, and those of websites that have their own. */
export interface ImageStores {
  /** Where new files of the install go. */
  readonly current: ManagedStore;
  /** All of the install that can be reached. */
  readonly names: readonly ManagedStore[];
  of(name: ManagedStore): ImageStore;
  /** "own" is the store that the website has at the moment of each question; in one that has none there is nothing. */
  of(name: StoreName, websiteId: WebsiteId): ImageStore;
}
