import type { PublicImage } from "@stet/contract";
import type { MediaId } from "#domain/ids";
import type { Media } from "#domain/media";
import { absoluteSrcset, absoluteUrl } from "#domain/absolute-urls";
import { cloudinaryVariant, isCloudinaryBase } from "#domain/cloudinary-delivery";
import { changesPixels } from "#domain/image-edit";
import { srcsetOf, type Variant } from "#domain/image-variant";
import { keyOfMedia } from "#domain/media-file";
import { type ShownImage, shownImage } from "#domain/shown-image";
import type { ContentSource } from "./content-source.ts";

/** The images of an answer. One that was deleted, also if it still lies in the trash, is not there. */
export interface Images {
  record(id: MediaId): Media | null;
  get(id: MediaId | null, alt?: string | null): PublicImage | null;
}

/** One look-up for all of them. */
export async function loadImages(
  { content, websiteId, publicUrl, imageBase }: ContentSource,
  ids: Iterable<MediaId | null>,
): Promise<Images> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  const found = wanted.length === 0 ? [] : await content.media.getMany(websiteId, wanted);
  const known = new Map<string, Media>(found.filter((media) => media.deletedAt === null).map((media) => [media.id, media]));
  return {
    record: (id) => known.get(id) ?? null,
    get(id, alt) {
      const media = id === null ? undefined : known.get(id);
      return media ? presentImage(media, { publicUrl, imageBase }, alt) : null;
    },
  };
}

type ImagePlaces = Pick<ContentSource, "publicUrl" | "imageBase">;

/**
 * The image with the addresses that readers are shown: those here, or the original below the base that its owner chose. Smaller ones are
 * made here, except by Cloudinary where that is the base; it does not know the settings of an image.
 */
export function placedImage(media: Media, imageBase: string | null | undefined): ShownImage {
  const image = shownImage(media);
  if (!imageBase || changesPixels(media.edit)) return image;
  const key = keyOfMedia(media);
  const url = `${imageBase}/${key}`;
  if (media.edit || !isCloudinaryBase(imageBase)) return { ...image, url };
  const there = (width: Variant["width"]) => cloudinaryVariant(imageBase, key, media, { width, ratio: null, format: "webp" })!;
  return { ...image, url, srcset: srcsetOf(there, media) };
}

/** `alt` stands for this use of the image; without one its own is shown. */
export function presentImage(media: Media, { publicUrl, imageBase }: ImagePlaces, alt?: string | null): PublicImage {
  const { url, width, height, srcset, focalPoint } = placedImage(media, imageBase);
  return {
    id: media.id,
    url: absoluteUrl(url, publicUrl),
    alt: alt ?? media.alt,
    width,
    height,
    blurhash: media.blurhash,
    dominantColor: media.dominantColor,
    focalPoint,
    srcset: srcset && absoluteSrcset(srcset, publicUrl),
  };
}
