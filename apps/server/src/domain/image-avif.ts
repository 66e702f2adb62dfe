import { type Box, boxesIn, FULL_BOX_HEADER } from "#domain/image-boxes";
import type { ImageSize } from "#domain/image-size";

/**
 * meta → iprp → ipco holds the sizes of everything in the file: the image, its transparency (the same size), tiles and
 * thumbnails (smaller). So the largest is the image.
 */
export function avifSize(view: DataView): ImageSize | null {
  const meta = child(view, 0, view.byteLength, "meta");
  const iprp = meta && child(view, meta.start + FULL_BOX_HEADER, meta.end, "iprp");
  const ipco = iprp && child(view, iprp.start, iprp.end, "ipco");
  if (!ipco) return null;
  let largest: ImageSize | null = null;
  let turned = false;
  for (const box of boxesIn(view, ipco.start, ipco.end) ?? []) {
    if (box.type === "ispe" && box.end - box.start >= 12) {
      const size = { width: view.getUint32(box.start + 4), height: view.getUint32(box.start + 8) };
      if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
    }
    // Quarter turns: one or three of them lay the image on its side.
    if (box.type === "irot" && box.end > box.start) turned = (view.getUint8(box.start) & 1) === 1;
  }
  return largest && turned ? { width: largest.height, height: largest.width } : largest;
}

const child = (view: DataView, start: number, end: number, type: string): Box | null =>
  boxesIn(view, start, end)?.find((box) => box.type === type) ?? null;
