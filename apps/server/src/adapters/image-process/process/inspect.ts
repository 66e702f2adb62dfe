import { encode } from "blurhash";
import sharp from "sharp";
import type { ImageDefect, InspectedImage } from "#ports/image-processor";
import { openImage } from "./open-image.ts";

/** The longer side of the image that the placeholder and the dominant colour are read from. */
const SMALL_PIXELS = 32;
/** Each frame of an animation is decoded into so few pixels a side. */
const FRAME_PIXELS = 8;

export async function inspect(bytes: Uint8Array): Promise<InspectedImage | ImageDefect> {
  try {
    const image = await openImage(bytes);
    if (typeof image === "string") return image;
    if (image.isAnimated) await image.frames().resize(FRAME_PIXELS, FRAME_PIXELS, { fit: "fill" }).raw().toBuffer();
    const small = image.still().resize(SMALL_PIXELS, SMALL_PIXELS, { fit: "inside" }).flatten({ background: "#fff" });
    const { data, info } = await small.toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const { dominant } = await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } }).stats();
    const { width, height } = image.metadata.autoOrient;
    const isTall = height > width;
    return {
      width,
      height,
      blurhash: encode(new Uint8ClampedArray(data), info.width, info.height, isTall ? 3 : 4, isTall ? 4 : 3),
      dominantColor: `#${[dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, "0")).join("")}`,
    };
  } catch {
    // libvips has words of its own for every way in which bytes are no image.
    return "damaged";
  }
}
