import type { ImageSize } from "#domain/image-size";
import { orientationOf } from "#domain/metadata/exif";

/** Start-of-frame markers: 0xC0 to 0xCF without the three that mean something else. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Markers without a length after them. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
const START_OF_SCAN = 0xda;
const APP1 = 0xe1;

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
      // Orientations 5 to 8 swap width and height.
      if (marker === APP1) onItsSide ||= orientationOf(new Uint8Array(view.buffer, view.byteOffset + at + 4, length - 2)) >= 5;
      at = end;
    }
  }
  return null;
}
