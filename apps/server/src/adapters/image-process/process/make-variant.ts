import type { Sharp } from "sharp";
import type { ImageEdit } from "#domain/image-edit";
import { type Variant, variantCut, variantSize } from "#domain/image-variant";
import type { ImageDefect } from "#ports/image-processor";
import { type OpenImage, openImage } from "./open-image.ts";

/** Photos show no difference to the original, at a third to a tenth of its bytes. */
const QUALITY = 80;

/** Without metadata, in sRGB. An animation stays one as WebP, unless it is rotated; a JPEG is its first frame. */
export async function makeVariant(bytes: Uint8Array, variant: Variant, edit: ImageEdit | null): Promise<Uint8Array | ImageDefect> {
  try {
    const image = await openImage(bytes);
    if (typeof image === "string") return image;
    const small = edit ? edited(image, variant, edit) : resized(image, variant);
    if (!small) return "too many pixels";
    const isWebp = variant.format === "webp";
    return await (isWebp ? small.webp({ quality: QUALITY }) : small.flatten({ background: "#fff" }).jpeg({ quality: QUALITY })).toBuffer();
  } catch {
    return "damaged";
  }
}

/** libvips rotates no animations. */
const pixelsOf = (image: OpenImage, { format }: Variant, isRotated: boolean): Sharp =>
  image.isAnimated && format === "webp" && !isRotated ? image.frames() : image.still();

function resized(image: OpenImage, variant: Variant): Sharp | null {
  const size = variantSize(image.metadata.autoOrient, variant);
  return size && pixelsOf(image, variant, false).resize(size.width, size.height, { fit: "cover" });
}

/** Rotated last, when it is small. */
function edited(image: OpenImage, variant: Variant, edit: ImageEdit): Sharp | null {
  const cut = variantCut(image.metadata.autoOrient, edit, variant);
  if (!cut) return null;
  const part = pixelsOf(image, variant, edit.rotation !== 0).extract(cut.box);
  const small = part.resize(cut.size.width, cut.size.height, { fit: "fill" });
  return edit.rotation === 0 ? small : small.rotate(edit.rotation);
}
