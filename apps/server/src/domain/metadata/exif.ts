import { viewOf } from "./byte-writer.ts";

const ORIENTATION = 0x0112;
const SHORT = 3;
const LITTLE_ENDIAN = 0x4949;
const BIG_ENDIAN = 0x4d4d;

/** How a picture is stored: 1 is upright, 2 to 8 are turned or mirrored, and 5 to 8 lie on their side. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The orientation that Exif gives; 1 where it gives none. `exif` begins with "Exif\0\0" or with the TIFF header. */
export function orientationOf(exif: Uint8Array): Orientation {
  const tiff = viewOf(exif.subarray(hasPrefix(exif) ? 6 : 0));
  if (tiff.byteLength < 10) return 1;
  const order = tiff.getUint16(0);
  if (order !== LITTLE_ENDIAN && order !== BIG_ENDIAN) return 1;
  const isLittle = order === LITTLE_ENDIAN;
  const directory = tiff.getUint32(4, isLittle);
  if (directory + 2 > tiff.byteLength) return 1;
  const entries = tiff.getUint16(directory, isLittle);
  for (let i = 0, at = directory + 2; i < entries && at + 12 <= tiff.byteLength; i++, at += 12) {
    if (tiff.getUint16(at, isLittle) !== ORIENTATION) continue;
    const value = tiff.getUint16(at + 8, isLittle);
    return value >= 1 && value <= 8 ? (value as Orientation) : 1;
  }
  return 1;
}

/** Exif that holds the orientation and nothing else, from the TIFF header on. */
export function exifWith(orientation: Orientation): Uint8Array {
  const bytes = new Uint8Array(26);
  const tiff = viewOf(bytes);
  tiff.setUint16(0, LITTLE_ENDIAN);
  tiff.setUint16(2, 42, true);
  tiff.setUint32(4, 8, true);
  tiff.setUint16(8, 1, true);
  tiff.setUint16(10, ORIENTATION, true);
  tiff.setUint16(12, SHORT, true);
  tiff.setUint32(14, 1, true);
  tiff.setUint16(18, orientation, true);
  return bytes;
}

const PREFIX = [0x45, 0x78, 0x69, 0x66, 0, 0];
const hasPrefix = (exif: Uint8Array): boolean => PREFIX.every((byte, index) => exif[index] === byte);
