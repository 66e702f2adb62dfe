import { type IMAGE_FORMATS, type IMAGE_RATIOS, IMAGE_WIDTHS } from "@stet/contract";
import { type Box, boxAround, editedSize, type ImageEdit, type NumberedEdit } from "#domain/image-edit";
import type { ImageSize } from "#domain/image-size";

/** An image made smaller for a place in a page. All lists are closed, so that an image has a bounded number of them. */
export interface Variant {
  readonly width: (typeof IMAGE_WIDTHS)[number];
  /** Null: that of the image. */
  readonly ratio: (typeof IMAGE_RATIOS)[number] | null;
  readonly format: (typeof IMAGE_FORMATS)[number];
}

/**
 * How variants are made: the library with its version, and a number of ours for its settings. It is part of their ETags and of where they
 * are kept, since other bytes must not bear the same name.
 */
export const VARIANT_RECIPE = "sharp-0.35.5-1";

/** More pixels on a side cannot be written as WebP. */
const MAX_SIDE = 16_383;

/** The pixels of a variant: cut to its ratio, and never enlarged. Null: too tall to be written. */
export function variantSize(image: ImageSize, { width, ratio }: Pick<Variant, "width" | "ratio">): ImageSize | null {
  const { widest, across, down } = widestPart(image, ratio);
  const made = Math.max(1, Math.min(width, widest));
  const height = Math.max(1, Math.min(image.height, Math.round((made * down) / across)));
  return height > MAX_SIDE ? null : { width: made, height };
}

function widestPart({ width, height }: ImageSize, ratio: Variant["ratio"]) {
  const [across, down] = ratio === null ? [width, height] : (ratio.split(":").map(Number) as [number, number]);
  return { widest: Math.max(1, Math.min(width, Math.floor((height * across) / down))), across, down };
}

export interface VariantCut {
  /** Cut out of the upright image. */
  readonly box: Box;
  /** What that becomes, and then it is rotated. */
  readonly size: ImageSize;
}

/** How a variant is made of an image that has settings; null: too tall to be written. */
export function variantCut(image: ImageSize, edit: ImageEdit, variant: Pick<Variant, "width" | "ratio">): VariantCut | null {
  const shown = editedSize(image, edit);
  const size = variantSize(shown, variant);
  if (!size) return null;
  const { widest, across, down } = widestPart(shown, variant.ratio);
  const height = Math.max(1, Math.min(shown.height, Math.round((widest * down) / across)));
  const box = boxAround(image, edit, { width: widest, height });
  return { box, size: edit.rotation % 180 === 0 ? size : { width: size.height, height: size.width } };
}

/** The variant that stands for the image where its settings change its pixels: JPEG stays JPEG, which every preview of a link shows. */
export const largestVariant = (contentType: string): Variant => ({
  width: IMAGE_WIDTHS.at(-1)!,
  ratio: null,
  format: contentType === "image/jpeg" ? "jpeg" : "webp",
});

/** Where it is kept, beside the name of the image's own file. */
export const variantKey = (storageKey: string, variant: Variant, edit: NumberedEdit | null): string =>
  `${storageKey}.${variantName(variant, edit)}`;

export const variantName = ({ width, ratio, format }: Variant, edit: NumberedEdit | null): string =>
  `${edit ? `r${edit.revision}-` : ""}${width}${ratio === null ? "" : `-${ratio.replace(":", "x")}`}.${format}`;

/** GIFs have no smaller versions in pages: most move, and a moving WebP of one takes seconds to make. */
const WITHOUT_SRCSET: ReadonlySet<string> = new Set(["image/gif"]);

/**
 * The widths of an image for `srcset`: every listed one below its own, and its own, each with the pixels it claims. Null where there is
 * nothing to choose from.
 */
export function srcsetOf(
  addressOf: (width: Variant["width"]) => string,
  { width, height, contentType }: ImageSize & { readonly contentType: string },
): string | null {
  if (WITHOUT_SRCSET.has(contentType) || width <= IMAGE_WIDTHS[0] || height < 1) return null;
  const candidates = IMAGE_WIDTHS.filter((_, index) => width > (IMAGE_WIDTHS[index - 1] ?? 0)).flatMap((listed) => {
    const size = variantSize({ width, height }, { width: listed, ratio: null });
    return size ? [`${addressOf(listed)} ${size.width}w`] : [];
  });
  return candidates.length > 1 ? candidates.join(", ") : null;
}
