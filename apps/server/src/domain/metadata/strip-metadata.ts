import { stripAvif } from "./strip-avif.ts";
import { stripGif } from "./strip-gif.ts";
import { stripJpeg } from "./strip-jpeg.ts";
import { stripPng } from "./strip-png.ts";
import { stripWebp } from "./strip-webp.ts";

const STRIPPERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array | null>> = {
  "image/png": stripPng,
  "image/jpeg": stripJpeg,
  "image/gif": stripGif,
  "image/webp": stripWebp,
  "image/avif": stripAvif,
};

/**
 * The image without what it says beside its pixels: where and when a photo was taken, by whom and with what, thumbnails, comments, texts,
 * and whatever stands after its end. Pixels are copied, not compressed anew; the orientation, the colour profile and the animation stay.
 * Each format has a list of what is kept, so that what nobody knows is left out. Null: the file cannot be followed to its end, so nobody
 * can say what it holds. See decision 0029.
 */
export const stripMetadata = (bytes: Uint8Array, contentType: string): Uint8Array | null => STRIPPERS[contentType]?.(bytes) ?? null;
