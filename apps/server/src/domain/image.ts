import { avifSize } from "#domain/image-avif";
import { jpegSize } from "#domain/image-jpeg";
import type { ImageSize } from "#domain/image-size";

/** Bytes of one image at most. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** Beyond it a browser that shows the image may run out of memory, however few bytes it has. */
export const MAX_PIXELS = 100_000_000;

export interface ImageInfo extends ImageSize {
  readonly contentType: string;
  /** For the name of the stored file, without a dot. */
  readonly extension: string;
}

/** Why the bytes are not taken: another kind of file, one of ours but damaged, or more pixels than anyone can show. */
export type ImageProblem = "svg" | "heic" | "unknown" | "damaged" | "too many pixels";

/**
 * Reads the bytes themselves: names and declared types lie. Whatever the bytes are, the answer is an image or a
 * problem; nothing throws, and nothing reads further than there are bytes.
 */
export function readImage(bytes: Uint8Array): ImageInfo | ImageProblem {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = FORMATS.find((candidate) => candidate.matches(view));
  // Both are named to say why they are refused: an SVG is a document that can run scripts, and few browsers show a HEIC.
  if (!format) return looksLikeHeic(view) ? "heic" : looksLikeSvg(bytes) ? "svg" : "unknown";
  const size = format.size(view);
  if (!size || size.width < 1 || size.height < 1) return "damaged";
  if (size.width * size.height > MAX_PIXELS) return "too many pixels";
  return { contentType: format.contentType, extension: format.extension, ...size };
}

interface Format {
  readonly contentType: string;
  readonly extension: string;
  matches(view: DataView): boolean;
  /** Null when the header is cut or makes no sense. */
  size(view: DataView): ImageSize | null;
}

const FORMATS: readonly Format[] = [
  {
    contentType: "image/png",
    extension: "png",
    matches: (view) => has(view, 0, "\x89PNG\r\n\x1a\n"),
    size: (view) => (has(view, 12, "IHDR") && view.byteLength >= 24 ? { width: view.getUint32(16), height: view.getUint32(20) } : null),
  },
  { contentType: "image/jpeg", extension: "jpg", matches: (view) => has(view, 0, "\xff\xd8\xff"), size: jpegSize },
  {
    contentType: "image/gif",
    extension: "gif",
    matches: (view) => has(view, 0, "GIF87a") || has(view, 0, "GIF89a"),
    size: (view) => (view.byteLength >= 10 ? { width: view.getUint16(6, true), height: view.getUint16(8, true) } : null),
  },
  {
    contentType: "image/webp",
    extension: "webp",
    matches: (view) => has(view, 0, "RIFF") && has(view, 8, "WEBP"),
    size: (view) => (view.byteLength >= 30 ? webpSize(view) : null),
  },
  {
    contentType: "image/avif",
    extension: "avif",
    matches: (view) => has(view, 4, "ftyp") && (has(view, 8, "avif") || has(view, 8, "avis")),
    size: avifSize,
  },
];

/** The first chunk is lossy, lossless or extended; each says the size in a way of its own. */
function webpSize(view: DataView): ImageSize | null {
  if (has(view, 12, "VP8X")) return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
  if (has(view, 12, "VP8L") && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (has(view, 12, "VP8 ") && has(view, 23, "\x9d\x01\x2a")) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  return null;
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

/** Whether these bytes, one a character, stand there. */
function has(view: DataView, at: number, text: string): boolean {
  if (view.byteLength < at + text.length) return false;
  for (let i = 0; i < text.length; i++) if (view.getUint8(at + i) !== text.charCodeAt(i)) return false;
  return true;
}

/** What phones call their photos. */
const looksLikeHeic = (view: DataView): boolean =>
  has(view, 4, "ftyp") && ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"].some((brand) => has(view, 8, brand));

function looksLikeSvg(bytes: Uint8Array): boolean {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 1_024)).toLowerCase();
  return start.includes("<svg") || start.includes("<!doctype svg");
}
