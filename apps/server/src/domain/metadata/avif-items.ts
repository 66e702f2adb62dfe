import { type Box, boxesIn, FULL_BOX_HEADER, typeAt } from "#domain/image-boxes";

/** A part of an AVIF file: the picture, a tile or the transparency of it, or Exif and the like. */
export interface Item {
  readonly type: string;
  /** Where its type stands, and where its entry ends: its name and content type lie behind it. */
  readonly typeAt: number;
  readonly end: number;
}

export interface Extent {
  /** 0: in the file. 1: in the box `idat`. 2: in another item. */
  readonly method: number;
  readonly offset: number;
  /** 0: as far as there is something. */
  readonly length: number;
}

/** More extents than any image has: a hostile file can name billions of them in a few bytes. */
const MAX_EXTENTS = 10_000;

/** The entries of `iinf`, by their ids. Null: not as AVIF has them. */
export function itemsIn(view: DataView, iinf: Box): ReadonlyMap<number, Item> | null {
  if (iinf.end < iinf.start + FULL_BOX_HEADER) return null;
  const countBytes = view.getUint8(iinf.start) === 0 ? 2 : 4;
  const boxes = boxesIn(view, iinf.start + FULL_BOX_HEADER + countBytes, iinf.end);
  if (!boxes) return null;
  const items = new Map<number, Item>();
  for (const box of boxes) {
    const version = box.end > box.start ? view.getUint8(box.start) : 0;
    if (box.type !== "infe" || (version !== 2 && version !== 3)) return null;
    const idBytes = version === 2 ? 2 : 4;
    const at = box.start + FULL_BOX_HEADER + idBytes + 2;
    if (at + 4 > box.end) return null;
    items.set(numberAt(view, box.start + FULL_BOX_HEADER, idBytes), { type: typeAt(view, at), typeAt: at, end: box.end });
  }
  return items;
}

/** The items that are thumbnails of others, by `iref`. */
export function thumbnailsIn(view: DataView, iref: Box): ReadonlySet<number> | null {
  if (iref.end < iref.start + FULL_BOX_HEADER) return null;
  const idBytes = view.getUint8(iref.start) === 0 ? 2 : 4;
  const references = boxesIn(view, iref.start + FULL_BOX_HEADER, iref.end);
  if (!references) return null;
  const thumbnails = references.filter(({ type, start, end }) => type === "thmb" && start + idBytes <= end);
  return new Set(thumbnails.map(({ start }) => numberAt(view, start, idBytes)));
}

/** Where the bytes of each item lie, by `iloc`. */
export function extentsIn(view: DataView, iloc: Box): ReadonlyMap<number, readonly Extent[]> | null {
  const reader = new Reader(view, iloc.start, iloc.end);
  const version = reader.number(1);
  reader.number(3);
  const sizes = reader.number(2);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version === 0 ? 0 : sizes & 15;
  const idBytes = version === 2 ? 4 : 2;
  const found = new Map<number, readonly Extent[]>();
  let total = 0;
  for (let items = reader.number(idBytes); items > 0 && !reader.isPast; items--) {
    const id = reader.number(idBytes);
    const method = version === 0 ? 0 : reader.number(2) & 15;
    reader.number(2);
    const base = reader.number(baseBytes);
    const count = reader.number(2);
    total += count;
    if (total > MAX_EXTENTS) return null;
    const extents: Extent[] = [];
    for (let i = 0; i < count; i++) {
      reader.number(indexBytes);
      extents.push({ method, offset: base + reader.number(offsetBytes), length: reader.number(lengthBytes) });
    }
    found.set(id, extents);
  }
  return reader.isPast ? null : found;
}

function numberAt(view: DataView, at: number, bytes: number): number {
  let value = 0;
  for (let i = 0; i < bytes; i++) value = value * 256 + view.getUint8(at + i);
  return value;
}

/** Numbers one after the other; 0, and past the end, where there are none any more. */
class Reader {
  readonly #view: DataView;
  readonly #end: number;
  #at: number;
  isPast = false;

  constructor(view: DataView, start: number, end: number) {
    this.#view = view;
    this.#at = start;
    this.#end = end;
  }

  number(bytes: number): number {
    if (this.#at + bytes > this.#end) {
      this.isPast = true;
      return 0;
    }
    const value = numberAt(this.#view, this.#at, bytes);
    this.#at += bytes;
    return value;
  }
}
