import sharp, { type Metadata, type Sharp, type SharpOptions } from "sharp";
import { MAX_PIXELS } from "#domain/image";
import type { ImageDefect } from "#ports/image-processor";

// One image a process and one thread an image: more at the same time are more processes.
sharp.concurrency(1);
sharp.cache(false);
// Only what is accepted: each further format is more code that reads what strangers send. SVG, PDF and the like could read files.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadNsgif", "VipsForeignLoadHeif"],
});

/** Of all frames of an animation together: some four seconds of decoding. */
const MAX_ANIMATION_PIXELS = 200_000_000;

/** Formats whose animations are decoded frame by frame; of an AVIF the image that stands for it is. */
const ANIMATED: ReadonlySet<string> = new Set(["gif", "webp"]);

export interface OpenImage {
  readonly metadata: Metadata;
  readonly isAnimated: boolean;
  /** Upright, as browsers show it. */
  readonly still: () => Sharp;
  /** All frames, one below the other. */
  readonly frames: () => Sharp;
}

/** Reads the header alone; pixels are decoded when they are asked for. The bytes are this process's own. */
export async function openImage(bytes: Uint8Array): Promise<OpenImage | ImageDefect> {
  // libvips knows an animated AVIF only by the name of a still one, which it holds as well.
  const brand = Buffer.from(bytes.buffer, bytes.byteOffset + 4, Math.min(8, Math.max(0, bytes.byteLength - 4)));
  if (brand.toString("latin1") === "ftypavis") brand.write("avif", 4, "latin1");
  const options: SharpOptions = { failOn: "error", limitInputPixels: MAX_PIXELS, sequentialRead: true };
  const metadata = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
  const { width, height, pages = 1 } = metadata;
  if (width * height > MAX_PIXELS) return "too many pixels";
  const isAnimated = pages > 1 && ANIMATED.has(metadata.format);
  if (isAnimated && width * height * pages > MAX_ANIMATION_PIXELS) return "too many frames";
  return {
    metadata,
    isAnimated,
    still: () => sharp(bytes, options).autoOrient(),
    frames: () => sharp(bytes, { ...options, limitInputPixels: MAX_ANIMATION_PIXELS, pages: -1 }),
  };
}
