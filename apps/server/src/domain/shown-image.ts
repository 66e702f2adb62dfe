import { changesPixels, editedSize, shownFocalPoint, type FocalPoint } from "#domain/image-edit";
import type { ImageSize } from "#domain/image-size";
import { largestVariant, srcsetOf, variantSize } from "#domain/image-variant";
import type { Media } from "#domain/media";
import { mediaUrl } from "#domain/media-address";
import { keyOfMedia } from "#domain/media-file";

/** An image as pages show it, from the root of this service. */
export interface ShownImage extends ImageSize {
  readonly url: string;
  readonly srcset: string | null;
  readonly focalPoint: FocalPoint | null;
}

/** The address of the image as it was uploaded. It follows from the ids: what a record in a customer's database says is not shown. */
export const originalUrl = (media: Pick<Media, "websiteId" | "id" | "contentType">): string => mediaUrl(keyOfMedia(media));

/**
 * With its settings: their number stands in the address before the ending, so that `?w=` and the like can follow it, and another
 * setting is another address.
 */
export function shownImage(media: Media): ShownImage {
  const original = originalUrl(media);
  const { edit, contentType } = media;
  const url = edit ? original.replace(/(?=\.[a-z]+$)/, `.${edit.revision}`) : original;
  const shown = editedSize(media, edit);
  const size = changesPixels(edit) ? (variantSize(shown, largestVariant(contentType)) ?? shown) : shown;
  return { url, ...size, srcset: srcsetOf((width) => `${url}?w=${width}`, { ...shown, contentType }), focalPoint: shownFocalPoint(edit) };
}
