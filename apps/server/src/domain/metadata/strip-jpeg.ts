import { ByteWriter, latin1, MAX_PIECES, startsWith, viewOf } from "./byte-writer.ts";
import { exifWith, orientationOf } from "./exif.ts";

const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const COMMENT = 0xfe;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;
/** Markers without a length after them. */
const isBare = (marker: number): boolean => marker === 0x01 || isRestart(marker);
/** Tables, frames and scans: 0xC8 is reserved, and no decoder knows the rest. */
const isPicture = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || marker === START_OF_SCAN || (marker >= 0xdb && marker <= 0xdd);

/**
 * The picture with its colour profile, its density, what Adobe says about its colours, and its orientation. Comments, every other
 * application segment, and everything after the end of the image (further images, a video of a few seconds) are left out.
 */
export function stripJpeg(bytes: Uint8Array): Uint8Array | null {
  const view = viewOf(bytes);
  const out = new ByteWriter(bytes.length);
  out.write([0xff, START_OF_IMAGE]);
  let isOriented = false;
  let scans = 0;
  for (let at = nextMarker(bytes, 2), pieces = 0; at !== -1; pieces++) {
    if (pieces === MAX_PIECES) return null;
    const marker = bytes[at + 1]!;
    if (marker === END_OF_IMAGE) break;
    if (isBare(marker)) {
      at = nextMarker(bytes, at + 2);
      continue;
    }
    if (at + 4 > bytes.length) return null;
    const end = at + 2 + view.getUint16(at + 2);
    if (end < at + 4 || end > bytes.length) return null;
    const content = bytes.subarray(at + 4, end);
    let next = end;
    if (isPicture(marker)) {
      if (marker === START_OF_SCAN) {
        scans += 1;
        next = endOfScan(bytes, end);
      }
      out.write(bytes.subarray(at, next));
    } else if (marker >= APP0 && marker <= APP15) {
      const kept = keptOf(marker, content, isOriented);
      isOriented ||= marker === APP1 && kept !== null;
      if (kept) out.write([0xff, marker, (kept.length + 2) >> 8, (kept.length + 2) & 0xff], kept);
    } else if (marker !== COMMENT) return null;
    at = nextMarker(bytes, next);
  }
  if (scans === 0) return null;
  // Written anew: many files lack it, and browsers show them all the same.
  out.write([0xff, END_OF_IMAGE]);
  return out.written;
}

const JFIF = "JFIF\0";
const EXIF = "Exif\0\0";
const ICC = "ICC_PROFILE\0";
const ADOBE = "Adobe";

/** The part of an application segment that is kept, without its marker and length. */
function keptOf(marker: number, content: Uint8Array, isOriented: boolean): Uint8Array | null {
  // Without the thumbnail, whose size the last two bytes are.
  if (marker === APP0 && startsWith(content, JFIF) && content.length >= 14) return Uint8Array.of(...content.subarray(0, 12), 0, 0);
  if (marker === APP1 && startsWith(content, EXIF) && !isOriented) {
    const orientation = orientationOf(content);
    return orientation === 1 ? null : Uint8Array.of(...latin1(EXIF), ...exifWith(orientation));
  }
  if (marker === APP2 && startsWith(content, ICC)) return content;
  // Whether the colours are YCbCr, RGB, CMYK or YCCK: without it some would come out inverted.
  if (marker === APP14 && startsWith(content, ADOBE) && content.length >= 12) return content.subarray(0, 12);
  return null;
}

/** Where the next marker begins, or -1. Decoders pass over other bytes between segments too. */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] === 0xff && bytes[at + 1] !== 0x00 && bytes[at + 1] !== 0xff) return at;
  }
  return -1;
}

/** Where the compressed data ends: at a marker that is neither an escaped 0xFF nor a restart. Bytes of 0xFF before a marker fill up. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const first = at;
    while (bytes[at + 1] === 0xff) at += 1;
    const marker = bytes[at + 1];
    if (marker === undefined || (marker !== 0x00 && !isRestart(marker))) return first;
  }
  return bytes.length;
}
