/** Variants of images that were made before. Each can be made again, so that any of them may be gone at any time. */
export interface VariantFiles {
  /** How many bytes it has; null where it is not kept. */
  size(key: string): Promise<number | null>;
  /** Its bytes from the first to the last of these, piece by piece as they are taken. */
  read(key: string, first: number, last: number): AsyncIterable<Uint8Array>;
  /** Keeps it if there is room; the ones that were not read for longest go. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Removes those of an image. */
  forget(storageKey: string): Promise<void>;
}
