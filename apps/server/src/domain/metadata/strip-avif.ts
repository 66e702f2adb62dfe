import { type Box, boxesIn, FULL_BOX_HEADER, typeAt } from "#domain/image-boxes";
import { type Extent, extentsIn, itemsIn, thumbnailsIn } from "./avif-items.ts";
import { latin1, viewOf } from "./byte-writer.ts";

/** The boxes that are kept, level by level. */
const KEPT = {
  file: new Set(["ftyp", "meta", "moov", "mdat"]),
  meta: new Set(["hdlr", "pitm", "iloc", "iinf", "iref", "iprp", "idat", "grpl", "dinf"]),
  moov: new Set(["mvhd", "trak"]),
  trak: new Set(["tkhd", "tref", "edts", "mdia"]),
  mdia: new Set(["mdhd", "hdlr", "minf"]),
  properties: new Set("av1C ispe pixi colr pasp clap irot imir auxC a1op a1lx lsel clli mdcv cclv amve reve ndwt".split(" ")),
  items: new Set(["av01", "grid", "iovl", "iden", "tmap"]),
  tracks: new Set(["pict", "auxv", "vide"]),
} as const;

/**
 * A removed box is overwritten with zeros where it lies, and its name with one that readers pass over: nothing moves, so every place that the
 * file names stays true. The orientation of an AVIF image is a property of its own; browsers do not look for it in Exif.
 */
export function stripAvif(given: Uint8Array): Uint8Array | null {
  const bytes = given.slice();
  const view = viewOf(bytes);
  const boxes = boxesIn(view, 0, bytes.length);
  const meta = boxes?.find(({ type }) => type === "meta");
  if (!boxes || !meta) return null;
  for (const box of boxes) if (!KEPT.file.has(box.type)) blank(bytes, box);
  const files = boxes.filter(({ type }) => type === "mdat");
  for (const movie of boxes.filter(({ type }) => type === "moov")) if (!cleanMovie(bytes, view, movie, files)) return null;
  if (!cleanMeta(bytes, view, meta, files)) return null;
  const last = boxes.findLast((box) => KEPT.file.has(box.type));
  return bytes.subarray(0, last?.end);
}

/** `files`: the boxes with the bytes of items. False: it cannot be followed. */
function cleanMeta(bytes: Uint8Array, view: DataView, meta: Box, files: readonly Box[]): boolean {
  const boxes = boxesIn(view, meta.start + FULL_BOX_HEADER, meta.end);
  const [iinf, iloc, iprp, iref, idat] = ["iinf", "iloc", "iprp", "iref", "idat"].map((name) => boxes?.find(({ type }) => type === name));
  if (!boxes || !iinf || !iloc || !iprp) return false;
  for (const box of boxes) if (!KEPT.meta.has(box.type)) blank(bytes, box);
  const items = itemsIn(view, iinf);
  const extents = extentsIn(view, iloc);
  const thumbnails = iref ? thumbnailsIn(view, iref) : new Set<number>();
  if (!items || !extents || !thumbnails || !cleanProperties(bytes, view, iprp)) return false;
  for (const [id, item] of items) {
    bytes.fill(0, item.typeAt + 4, item.end);
    if (KEPT.items.has(item.type) && !thumbnails.has(id)) continue;
    bytes.set(FREE, item.typeAt);
    for (const extent of extents.get(id) ?? []) if (!blankExtent(bytes, extent, files, idat)) return false;
  }
  return true;
}

function blankExtent(bytes: Uint8Array, { method, offset, length }: Extent, files: readonly Box[], idat: Box | undefined): boolean {
  const within = method === 1 ? idat : method === 0 ? files.find(({ start, end }) => offset >= start && offset < end) : undefined;
  if (!within) return false;
  const start = method === 1 ? within.start + offset : offset;
  const end = length === 0 ? within.end : start + length;
  if (end > within.end) return false;
  bytes.fill(0, start, end);
  return true;
}

/** Properties are known by their number: one that goes leaves its place empty. */
function cleanProperties(bytes: Uint8Array, view: DataView, iprp: Box): boolean {
  const ipco = boxesIn(view, iprp.start, iprp.end)?.find(({ type }) => type === "ipco");
  const properties = ipco && boxesIn(view, ipco.start, ipco.end);
  for (const property of properties ?? []) if (!KEPT.properties.has(property.type)) blank(bytes, property);
  return Boolean(properties);
}

/** An animation: only tracks of pictures, without notes beside them and without the times of their making. */
function cleanMovie(bytes: Uint8Array, view: DataView, movie: Box, files: readonly Box[]): boolean {
  const clean = (parent: Box, kept: ReadonlySet<string>) => cleanLevel(bytes, view, parent, kept, files);
  const tracks = clean(movie, KEPT.moov)?.filter(({ type }) => type === "trak") ?? [];
  return (
    tracks.length > 0 &&
    tracks.every((track) => {
      const media = clean(track, KEPT.trak)?.find(({ type }) => type === "mdia");
      const handler = media && clean(media, KEPT.mdia)?.find(({ type }) => type === "hdlr");
      return handler && handler.end >= handler.start + 12 && KEPT.tracks.has(typeAt(view, handler.start + 8));
    })
  );
}

/** Boxes that begin with when they were made and changed. */
const DATED = new Set(["mvhd", "tkhd", "mdhd"]);

function cleanLevel(
  bytes: Uint8Array,
  view: DataView,
  parent: Box,
  kept: ReadonlySet<string>,
  files: readonly Box[],
): readonly Box[] | null {
  const boxes = boxesIn(view, parent.start, parent.end);
  for (const box of boxes ?? []) {
    if (box.type === "meta" && !blankNotes(bytes, view, box, files)) return null;
    if (!kept.has(box.type)) blank(bytes, box);
    const times = box.start + FULL_BOX_HEADER;
    if (DATED.has(box.type) && box.end > times) bytes.fill(0, times, Math.min(box.end, times + (bytes[box.start] === 1 ? 16 : 8)));
  }
  return boxes;
}

/** The metadata of a track lies with the pictures, as the items of the file do. */
function blankNotes(bytes: Uint8Array, view: DataView, meta: Box, files: readonly Box[]): boolean {
  const boxes = boxesIn(view, meta.start + FULL_BOX_HEADER, meta.end);
  const [iloc, idat] = ["iloc", "idat"].map((name) => boxes?.find(({ type }) => type === name));
  if (!boxes || !iloc) return Boolean(boxes);
  const extents = extentsIn(view, iloc);
  return extents !== null && [...extents.values()].flat().every((extent) => blankExtent(bytes, extent, files, idat));
}

const FREE = latin1("free");

function blank(bytes: Uint8Array, { at, start, end }: Box): void {
  bytes.set(FREE, at + 4);
  bytes.fill(0, start, end);
}
