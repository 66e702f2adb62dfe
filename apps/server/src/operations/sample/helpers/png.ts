import { crc32, deflateSync } from "node:zlib";

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Up to 256 colours, 0xRRGGBB. */
  readonly palette: readonly number[];
  /** Which of them stands at a place. */
  readonly colourAt: (x: number, y: number) => number;
}

/** A PNG with a palette: one byte a pixel before it is packed, and flat areas pack to almost nothing. */
export function encodePng({ width, height, palette, colourAt }: Drawing): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits, palette, and the only compression, filter method and (no) interlacing that matter here.
  header.set([8, 3, 0, 0, 0], 8);
  const pixels = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    const row = y * (width + 1) + 1;
    for (let x = 0; x < width; x++) pixels[row + x] = colourAt(x, y);
  }
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
