import { ByteWriter, latin1, MAX_PIECES, textAt, viewOf } from "./byte-writer.ts";
import { exifWith, orientationOf } from "./exif.ts";

const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Position, size and timing of a frame; its chunks follow. */
const FRAME_BYTES = 16;
const FEATURES_BYTES = 10;

const PICTURE = new Set(["VP8 ", "VP8L", "ALPH"]);
const KEPT = new Set([...PICTURE, "VP8X", "ANIM", "ICCP"]);
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

/** The picture or the animation with its colour profile and orientation. */
export function stripWebp(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < HEADER_BYTES) return null;
  const view = viewOf(bytes);
  const out = new ByteWriter(bytes.length);
  out.write(bytes.subarray(0, HEADER_BYTES));
  // Bytes after the size that the file gives are not part of the picture. Some writers give one too large.
  const chunks = chunksIn(bytes, HEADER_BYTES, Math.min(bytes.length, CHUNK_HEADER_BYTES + view.getUint32(4, true)));
  if (!chunks) return null;
  let features = -1;
  let isOriented = false;
  let hasPicture = false;
  for (const { type, data } of chunks) {
    hasPicture ||= type === "VP8 " || type === "VP8L" || type === "ANMF";
    if (type === "VP8X") {
      if (data.length < FEATURES_BYTES) return null;
      features = out.length + CHUNK_HEADER_BYTES;
    }
    if (KEPT.has(type)) writeChunk(out, type, data);
    else if (type === "ANMF") {
      const frame = keptOfFrame(data);
      if (!frame) return null;
      writeChunk(out, type, frame);
    } else if (type === "EXIF" && !isOriented) {
      const orientation = orientationOf(data);
      isOriented = orientation !== 1;
      if (isOriented) writeChunk(out, type, exifWith(orientation));
    }
  }
  if (!hasPicture) return null;
  const { written } = out;
  if (features >= 0) written[features] = (written[features]! & ~(HAS_EXIF | HAS_XMP)) | (isOriented ? HAS_EXIF : 0);
  viewOf(written).setUint32(4, written.length - CHUNK_HEADER_BYTES, true);
  return written;
}

function keptOfFrame(frame: Uint8Array): Uint8Array | null {
  const chunks = frame.length < FRAME_BYTES ? null : chunksIn(frame, FRAME_BYTES, frame.length);
  if (!chunks) return null;
  const out = new ByteWriter(frame.length);
  out.write(frame.subarray(0, FRAME_BYTES));
  for (const { type, data } of chunks) if (PICTURE.has(type)) writeChunk(out, type, data);
  return out.written;
}

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
}

function chunksIn(bytes: Uint8Array, from: number, to: number): readonly Chunk[] | null {
  const view = viewOf(bytes);
  const chunks: Chunk[] = [];
  for (let at = from; at < to;) {
    if (at + CHUNK_HEADER_BYTES > to || chunks.length === MAX_PIECES) return null;
    const length = view.getUint32(at + 4, true);
    const end = at + CHUNK_HEADER_BYTES + length;
    if (end > to) return null;
    chunks.push({ type: textAt(bytes, at, 4), data: bytes.subarray(at + CHUNK_HEADER_BYTES, end) });
    at = end + (length % 2);
  }
  return chunks;
}

/** Chunks begin at even places. */
function writeChunk(out: ByteWriter, type: string, data: Uint8Array): void {
  const length = new Uint8Array(4);
  viewOf(length).setUint32(0, data.length, true);
  out.write(latin1(type), length, data);
  if (data.length % 2 === 1) out.write([0]);
}
