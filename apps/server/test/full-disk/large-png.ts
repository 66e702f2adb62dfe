import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { imageBytes } from "#test/images";

const SIGNATURE_BYTES = 8;
const WIDTH = 1_000;
/** Red, green and blue of each pixel, after a byte that says how the line is packed. */
const LINE_BYTES = 1 + 3 * WIDTH;

/** A PNG of about so many bytes whose pixels are noise: a file system that compresses saves nothing on it. */
export function largePng(bytes: number): Uint8Array {
  const height = Math.ceil(bytes / LINE_BYTES);
  const lines = randomBytes(height * LINE_BYTES);
  for (let line = 0; line < height; line++) lines[line * LINE_BYTES] = 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    imageBytes("png").subarray(0, SIGNATURE_BYTES),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines, { level: 0 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const checked = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [data.length, crc32(checked)].map((number) => {
    const field = Buffer.alloc(4);
    field.writeUInt32BE(number);
    return field;
  });
  return Buffer.concat([length!, checked, checksum!]);
}
