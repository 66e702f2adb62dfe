/** A GIF of one pixel, up to where a comment can stand. */
const START = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH+", "base64");
const END = Buffer.from("LAAAAAABAAEAAAICRAEAOw==", "base64");

/**
 * A real image that carries these bytes in a comment. What is written to see whether a store works must be an image: Cloudinary takes
 * nothing else.
 */
export function imageWith(bytes: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < bytes.byteLength; at += 255) {
    const block = bytes.subarray(at, at + 255);
    blocks.push(Uint8Array.of(block.byteLength), block);
  }
  return Buffer.concat([START, ...blocks, Uint8Array.of(0), END]);
}
