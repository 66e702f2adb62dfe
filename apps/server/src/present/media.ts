import type { PublicImage } from "@stet/contract";
import type { MediaId } from "#domain/ids";
import type { Media } from "#domain/media";
import { absoluteUrl } from "#domain/absolute-urls";
import { srcsetOf } from "#domain/image-variant";
import type { ContentSource } from "./content-source.ts";

/** The images of an answer. One that was deleted, also if it still lies in the trash, is not there. */
export interface Images {
  record(id: MediaId): Media | null;
  get(id: MediaId | null, alt?: string | null): PublicImage | null;
}

/** One look-up for all of them. */
export async function loadImages({ content, websiteId, publicUrl }: ContentSource, ids: Iterable<MediaId | null>): Promise<Images> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  const found = wanted.length === 0 ? [] : await content.media.getMany(websiteId, wanted);
  const known = new Map<string, Media>(found.filter((media) => media.deletedAt === null).map((media) => [media.id, media]));
  return {
    record: (id) => known.get(id) ?? null,
    get(id, alt) {
      const media = id === null ? undefined : known.get(id);
      return media ? presentImage(media, publicUrl, alt) : null;
    },
  };
}

/** `alt` stands for this use of the image; without one its own is shown. */
export const presentImage = (media: Media, publicUrl: string, alt?: string | null): PublicImage => ({
  id: media.id,
  url: absoluteUrl(media.url, publicUrl),
  alt: alt ?? media.alt,
  width: media.width,
  height: media.height,
  blurhash: media.blurhash,
  dominantColor: media.dominantColor,
  srcset: isOwnAddress(media) ? srcsetOf(absoluteUrl(media.url, publicUrl), media) : null,
});

/** Whether the address is the one that follows from the id: what a customer's database says is not taken apart into others. */
export const isOwnAddress = ({ url, websiteId, id }: Media): boolean =>
  url.startsWith(`/media/${websiteId}/${id}.`) && /\.[a-z]{3,4}$/.test(url) && url.indexOf(".") === url.lastIndexOf(".");
