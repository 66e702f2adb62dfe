import sharp from "sharp";

/** Files that are made to hurt: a bomb, a file cut in half, one with a program behind it, a header without end, ten thousand frames. */
export async function makeHostile(photo: Buffer): Promise<Buffer[]> {
  const side = 9_900;
  const bomb = await sharp({ create: { width: side, height: side, channels: 3, background: "grey" }, limitInputPixels: false })
    .png()
    .toBuffer();
  const header = Buffer.from(bomb);
  header.writeUInt32BE(100_000, 16);
  header.writeUInt32BE(100_000, 20);
  const gif = await sharp({ create: { width: 300, height: 300, channels: 3, background: "grey" } })
    .gif()
    .toBuffer();
  // Header, screen and the colours of the screen; then the frame; then the end.
  const start = 13 + (gif[10]! & 0x80 ? 3 * 2 ** ((gif[10]! & 7) + 1) : 0);
  const frame = gif.subarray(start, -1);
  const frames = Buffer.concat([gif.subarray(0, start), ...Array.from({ length: 10_000 }, () => frame), gif.subarray(-1)]);
  return [
    bomb,
    photo.subarray(0, photo.byteLength / 2),
    Buffer.concat([photo, Buffer.from("<script>alert(1)</script><?php system($_GET[0]); ?>")]),
    header,
    frames.subarray(0, 19 * 1024 * 1024),
  ];
}
