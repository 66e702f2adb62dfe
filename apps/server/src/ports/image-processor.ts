import type { ImageEdit } from "#domain/image-edit";
import type { WebsiteId } from "#domain/ids";
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

/** An image that is read when its turn comes, so that those that wait take no memory. */
export interface Original {
  /** Null: it is not there. */
  read(): Promise<Uint8Array | null>;
  /** The website in whose own store it lies; null: with the install. No decoder waits for a store of somebody else. */
  readonly ownStoreOf: WebsiteId | null;
}

/**
 * Decodes images, away from this process: a file can be made to crash a decoder, or to fill the memory. Throws UNAVAILABLE with
 * `retryAfterSeconds` when too many wait for it.
 */
export interface ImageProcessor {
  /** Decodes the whole image, of an animation every frame. */
  inspect(bytes: Uint8Array): Promise<InspectedImage | ImageDefect>;
  /** The bytes of a variant, with the settings of the image; null where there is no image. Throws RATE_LIMITED when too many of one website's own store wait. */
  makeVariant(original: Original, variant: Variant, edit: ImageEdit | null): Promise<Uint8Array | ImageDefect | null>;
}
