import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { imageBytes } from "#test/images";

/** A PNG of about so many bytes, made of noise: a file system that compresses saves nothing on it. */
export function largePng(bytes: number): Uint8Array {
  const signatureAndHeader = imageBytes("png").subarray(0, 8 + 25);
  return Buffer.concat([signatureAndHeader, chunk("IDAT", randomBytes(bytes)), chunk("IEND", Buffer.alloc(0))]);
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
