import { ByteWriter, MAX_PIECES, textAt } from "./byte-writer.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

/** How often an animation runs; the two names mean the same. */
const LOOPS = new Set(["NETSCAPE2.0", "ANIMEXTS1.0"]);
const COLOUR_PROFILE = "ICCRGBG1012";

/** How many bytes a colour table takes, by the flags of the block it belongs to. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0);

/** Every frame with its timing, how often they run, and the colour profile; no comments, texts or notes of programs. */
export function stripGif(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < 13) return null;
  const start = 13 + tableBytes(bytes[10]!);
  const out = new ByteWriter(bytes.length);
  out.write(bytes.subarray(0, start));
  let images = 0;
  for (let at = start, pieces = 0; at < bytes.length; pieces++) {
    const isImage = bytes[at] === IMAGE;
    // Browsers end where no block begins, and show what came before.
    if (!isImage && bytes[at] !== EXTENSION) break;
    // An image has its descriptor, its colours and the size of its codes before the blocks; an extension has its label.
    const blocks = at + (isImage ? 10 + tableBytes(bytes[at + 9] ?? 0) + 1 : 2);
    const end = endOfBlocks(bytes, blocks);
    if (end === null || pieces === MAX_PIECES) return null;
    if (isImage) images += 1;
    if (isImage || bytes[at + 1] === GRAPHIC_CONTROL) out.write(bytes.subarray(at, end));
    else if (bytes[at + 1] === APPLICATION) out.write(keptOf(bytes.subarray(at, end)));
    at = end;
  }
  if (images === 0) return null;
  out.write([TRAILER]);
  return out.written;
}

/** The part of an application extension that is kept. Its name is 11 characters, in a block of its own; the loop is one block of three bytes. */
function keptOf(extension: Uint8Array): Uint8Array {
  const name = extension[2] === 11 ? textAt(extension, 3, 11) : "";
  if (name === COLOUR_PROFILE) return extension;
  const isLoop = LOOPS.has(name) && extension[14] === 3 && extension[15] === 1;
  return isLoop ? Uint8Array.of(...extension.subarray(0, 18), 0) : new Uint8Array();
}

/** Blocks of up to 255 bytes, each after its length, until an empty one. Null: the file ends before they do. */
function endOfBlocks(bytes: Uint8Array, from: number): number | null {
  let at = from;
  while (at < bytes.length) {
    const length = bytes[at]!;
    at += 1 + length;
    if (length === 0) return at;
  }
  return null;
}
