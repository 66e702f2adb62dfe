import type { ImageSize } from "#domain/image-size";

/** Start-of-frame markers: 0xC0 to 0xCF without the three that mean something else. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Markers without a length after them. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
const START_OF_SCAN = 0xda;
const APP1 = 0xe1;
const ORIENTATION = 0x0112;

/** As browsers show it: turned upright when the camera says that it lies on its side. */
export function jpegSize(view: DataView): ImageSize | null {
  let at = 2;
  let onItsSide = false;
  // Every round moves on by at least one byte, so it ends with the file.
  while (at + 4 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else {
      const length = view.getUint16(at + 2);
      const end = at + 2 + length;
      if (length < 2 || end > view.byteLength || marker === START_OF_SCAN) return null;
      if (isFrame(marker)) {
        if (length < 7) return null;
        const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
        return onItsSide ? { width: height, height: width } : { width, height };
      }
      if (marker === APP1) onItsSide ||= liesOnItsSide(new DataView(view.buffer, view.byteOffset + at + 4, length - 2));
      at = end;
    }
  }
  return null;
}

/** Exif orientations 5 to 8 swap width and height. `exif` is the segment without its marker and length. */
function liesOnItsSide(exif: DataView): boolean {
  const HEADER = 6;
  if (exif.byteLength < HEADER + 10 || exif.getUint32(0) !== 0x45786966) return false;
  const littleEndian = exif.getUint16(HEADER) === 0x4949;
  const directory = HEADER + exif.getUint32(HEADER + 4, littleEndian);
  if (directory + 2 > exif.byteLength) return false;
  const entries = exif.getUint16(directory, littleEndian);
  for (let i = 0, at = directory + 2; i < entries && at + 12 <= exif.byteLength; i++, at += 12) {
    if (exif.getUint16(at, littleEndian) === ORIENTATION) return exif.getUint16(at + 8, littleEndian) >= 5;
  }
  return false;
}
