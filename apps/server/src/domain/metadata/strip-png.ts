import { crc32 } from "node:zlib";
import { ByteWriter, latin1, MAX_PIECES, textAt, viewOf } from "./byte-writer.ts";
import { exifWith, orientationOf } from "./exif.ts";

const SIGNATURE_BYTES = 8;
/** Length, type and checksum around the data of a chunk. */
const AROUND = 12;
const END = "IEND";
const EXIF = "eXIf";

/** The picture, its colours, its density and its animation. */
const KEPT = new Set("IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT".split(" "));

/** A chunk whose name begins with a capital letter cannot be left out of a picture. */
const isCritical = (type: string): boolean => /^[A-Z]/.test(type);

/** The picture without texts, times and chunks that nobody knows, and without what stands after its end. */
export function stripPng(bytes: Uint8Array): Uint8Array | null {
  const view = viewOf(bytes);
  const out = new ByteWriter(bytes.length);
  out.write(bytes.subarray(0, SIGNATURE_BYTES));
  let hasData = false;
  let isOriented = false;
  for (let at = SIGNATURE_BYTES, pieces = 0; at < bytes.length; pieces++) {
    if (at + AROUND > bytes.length || pieces === MAX_PIECES) return null;
    const length = view.getUint32(at);
    const type = textAt(bytes, at + 4, 4);
    const end = at + AROUND + length;
    if (end > bytes.length || !/^[A-Za-z]{4}$/.test(type)) return null;
    if (type === END) break;
    if (type === "IDAT") hasData = true;
    if (KEPT.has(type)) out.write(bytes.subarray(at, end));
    else if (type === EXIF && !isOriented) {
      const orientation = orientationOf(bytes.subarray(at + 8, end - 4));
      isOriented = orientation !== 1;
      if (isOriented) out.write(chunk(EXIF, exifWith(orientation)));
    } else if (isCritical(type)) return null;
    at = end;
  }
  if (!hasData) return null;
  out.write(chunk(END, new Uint8Array()));
  return out.written;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(AROUND + data.length);
  const view = viewOf(bytes);
  view.setUint32(0, data.length);
  bytes.set(latin1(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
