/** The bytes of images. The record about an image lies in the content store. */
export interface MediaFiles {
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  get(key: string): Promise<Uint8Array | null>;
  delete(key: string): Promise<void>;
}
