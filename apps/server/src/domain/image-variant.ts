import { type IMAGE_FORMATS, type IMAGE_RATIOS, IMAGE_WIDTHS } from "@stet/contract";
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

/** The pixels of a variant: cut to its ratio around the middle, and never enlarged. Null: too tall to be written. */
export function variantSize(image: ImageSize, { width, ratio }: Pick<Variant, "width" | "ratio">): ImageSize | null {
  const [across, down] = ratio === null ? [image.width, image.height] : (ratio.split(":").map(Number) as [number, number]);
  const widest = Math.min(image.width, Math.floor((image.height * across) / down));
  const made = Math.max(1, Math.min(width, widest));
  const height = Math.max(1, Math.min(image.height, Math.round((made * down) / across)));
  return height > MAX_SIDE ? null : { width: made, height };
}

/** Where it is kept, beside the name of the image's own file. */
export const variantKey = (storageKey: string, variant: Variant): string => `${storageKey}.${variantName(variant)}`;

export const variantName = ({ width, ratio, format }: Variant): string =>
  `${width}${ratio === null ? "" : `-${ratio.replace(":", "x")}`}.${format}`;

/** GIFs have no smaller versions in pages: most move, and a moving WebP of one takes seconds to make. */
const WITHOUT_SRCSET: ReadonlySet<string> = new Set(["image/gif"]);

/**
 * The widths of an image for `srcset`: every listed one below its own, and its own, each with the pixels it claims. Null where there is
 * nothing to choose from.
 */
export function srcsetOf(url: string, { width, height, contentType }: ImageSize & { readonly contentType: string }): string | null {
  if (WITHOUT_SRCSET.has(contentType) || width <= IMAGE_WIDTHS[0] || height < 1) return null;
  const candidates = IMAGE_WIDTHS.filter((_, index) => width > (IMAGE_WIDTHS[index - 1] ?? 0)).flatMap((listed) => {
    const size = variantSize({ width, height }, { width: listed, ratio: null });
    return size ? [`${url}?w=${listed} ${size.width}w`] : [];
  });
  return candidates.length > 1 ? candidates.join(", ") : null;
}
