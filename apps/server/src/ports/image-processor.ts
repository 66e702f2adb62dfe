import type { ImageSize } from "#domain/image-size";
import type { Variant } from "#domain/image-variant";

/** An image whose every pixel was decoded. */
export interface InspectedImage extends ImageSize {
  /** A short code for a blurred placeholder. */
  readonly blurhash: string;
  /** Such as `#a1b2c3`. */
  readonly dominantColor: string;
}

/** Why an image cannot be decoded. "too costly": it took more time or memory than one image is given. */
export type ImageDefect = "damaged" | "too many pixels" | "too many frames" | "too costly";

/**
 * Decodes images, away from this process: a file can be made to crash a decoder, or to fill the memory. Throws UNAVAILABLE with
 * `retryAfterSeconds` when too many wait for it.
 */
export interface ImageProcessor {
  /** Decodes the whole image, of an animation every frame. */
  inspect(bytes: Uint8Array): Promise<InspectedImage | ImageDefect>;
  /** The bytes of a variant. The image is read when its turn comes, so that those that wait take no memory. */
  makeVariant(read: () => Promise<Uint8Array>, variant: Variant): Promise<Uint8Array | ImageDefect>;
}
