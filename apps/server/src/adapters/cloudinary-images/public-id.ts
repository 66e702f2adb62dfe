import { requireImageKey } from "#domain/image-store-rules";
import { StoreFault } from "#ports/store-requests";

/** Cloudinary names an image without the ending of its file and keeps the format beside it. */
export interface PublicId {
  readonly id: string;
  readonly format: string;
}

const FORMATS = ["png", "jpg", "gif", "webp", "avif"];

/** The website's own folder leads the key, and so the public id. */
export function publicIdOf(key: string): PublicId {
  const [, id, format] = /^(.+)\.([a-z]+)$/.exec(requireImageKey(key)) ?? [];
  if (!id || !format || !FORMATS.includes(format)) throw new StoreFault("Cloudinary keeps images only: this file is none.");
  return { id, format };
}

export const keyOf = ({ id, format }: PublicId): string => `${id}.${format}`;
