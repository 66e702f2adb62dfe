/** The bytes of images. The record about an image lies in the content store. */
export interface MediaFiles {
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  get(key: string): Promise<Uint8Array | null>;
  /** How many bytes it has; null where there is none. */
  size(key: string): Promise<number | null>;
  /** Its bytes from the first to the last of these, piece by piece as they are taken. */
  read(key: string, first: number, last: number): AsyncIterable<Uint8Array>;
  delete(key: string): Promise<void>;
}
