import type { ImageSize } from "#domain/image-size";
import { type Variant, variantSize } from "#domain/image-variant";

/** As our own variants have it. */
const QUALITY = 80;
/** The file as it was uploaded, whatever the account makes of images by default. */
const ORIGINAL = "/image/upload/fl_original/v1";

/** Where everybody gets the originals of an account, below which keys follow. */
export const cloudinaryBase = (delivery: string, cloud: string): string => `${delivery}/${cloud}${ORIGINAL}`;

export const isCloudinaryBase = (base: string): boolean => base.endsWith(ORIGINAL);

/**
 * Where Cloudinary delivers an image made smaller, from the original that lies there under this key. The pixels are computed as for our own
 * variants, so that a `srcset` claims what is there: cut around the middle, never enlarged. Null where there is no such variant.
 */
export function cloudinaryVariant(base: string, key: string, image: ImageSize, variant: Variant): string | null {
  const size = variantSize(image, variant);
  if (!size) return null;
  const format = variant.format === "jpeg" ? "jpg" : variant.format;
  const account = base.slice(0, -ORIGINAL.length);
  const made = `c_fill,g_center,h_${size.height},q_${QUALITY},w_${size.width}`;
  return `${account}/image/upload/${made}/v1/${key.replace(/\.[a-z]+$/, "")}.${format}`;
}
