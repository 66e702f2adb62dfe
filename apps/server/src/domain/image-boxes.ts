/** A box of the ISO base media format. */
export interface Box {
  readonly type: string;
  /** Where its header begins. */
  readonly at: number;
  /** Where its content begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** More boxes on one level than any image has; a file of millions of empty ones is not worth walking. */
const MAX_BOXES = 10_000;

/** Version and flags, with which the content of many boxes begins. */
export const FULL_BOX_HEADER = 4;

/** The boxes that lie there one after the other; null where they do not fit. */
export function boxesIn(view: DataView, start: number, end: number): readonly Box[] | null {
  const boxes: Box[] = [];
  for (let at = start; at < end;) {
    if (at + 8 > end || boxes.length === MAX_BOXES) return null;
    const size = view.getUint32(at);
    const isLong = size === 1;
    if (isLong && at + 16 > end) return null;
    const header = isLong ? 16 : 8;
    // 0: to the end of what it lies in. 1: the size follows as 64 bits.
    const length = size === 0 ? end - at : isLong ? Number(view.getBigUint64(at + 8)) : size;
    if (length < header || at + length > end) return null;
    boxes.push({ type: typeAt(view, at + 4), at, start: at + header, end: at + length });
    at += length;
  }
  return boxes;
}

export const typeAt = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
