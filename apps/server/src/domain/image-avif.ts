import type { ImageSize } from "#domain/image-size";

/** A box of the ISO base media format: where its content lies. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** More boxes on one level than any image has; a file of millions of empty ones is not worth walking. */
const MAX_BOXES = 1_000;
const FULL_BOX_HEADER = 4;

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
  for (const box of boxes(view, ipco.start, ipco.end)) {
    if (box.type === "ispe" && box.end - box.start >= 12) {
      const size = { width: view.getUint32(box.start + 4), height: view.getUint32(box.start + 8) };
      if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
    }
    // Quarter turns: one or three of them lay the image on its side.
    if (box.type === "irot" && box.end > box.start) turned = (view.getUint8(box.start) & 1) === 1;
  }
  return largest && turned ? { width: largest.height, height: largest.width } : largest;
}

function child(view: DataView, start: number, end: number, type: string): Box | null {
  for (const box of boxes(view, start, end)) if (box.type === type) return box;
  return null;
}

function* boxes(view: DataView, start: number, end: number): Generator<Box> {
  let at = start;
  for (let count = 0; count < MAX_BOXES && at + 8 <= end; count++) {
    const size = view.getUint32(at);
    // 0: to the end of the file. 1: a 64-bit size, which nothing before the pixels needs. A box is at least its own header.
    const boxEnd = size === 0 ? end : at + size;
    if ((size !== 0 && size < 8) || boxEnd > end) return;
    yield { type: fourCharacters(view, at + 4), start: at + 8, end: boxEnd };
    at = boxEnd;
  }
}

const fourCharacters = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
