import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { IMAGES, imageBytes } from "#test/images";
import { photoBytes, PHOTOS } from "#test/photos";
import { type ImageProcessorOptions, openImageProcessor } from "./open-image-processor.ts";

const open = (options?: ImageProcessorOptions) => closedAtEnd(openImageProcessor(options));
const images = open({ processes: 1 });

/** A PNG of so many pixels, all of one colour; without its data a header that promises them. */
function png(width: number, height: number, { data = true } = {}): Uint8Array {
  const chunk = (type: string, content: Uint8Array): Buffer => {
    const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(content.length, 0);
    frame.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of grey.
  header[8] = 8;
  const rows = deflateSync(Buffer.alloc(data ? (width + 1) * height : 0));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A GIF with the frame of the sample repeated. */
function gif(frames: number, side?: number): Uint8Array {
  const bytes = Buffer.from(imageBytes("gif"));
  if (side) for (const at of [6, 8]) bytes.writeUInt16LE(side, at);
  // Header, screen and the colours of the screen; then the frame; then the end.
  const start = 13 + 6;
  const frame = bytes.subarray(start, -1);
  return Buffer.concat([bytes.subarray(0, start), ...Array.from({ length: frames }, () => frame), bytes.subarray(-1)]);
}

test.each(Object.keys(IMAGES) as (keyof typeof IMAGES)[])("%s is decoded to its size, a placeholder and a colour", async (name) => {
  const size = name === "jpeg rotated" ? { width: 21, height: 37 } : { width: 37, height: 21 };
  expect(await images.inspect(imageBytes(name))).toEqual({
    ...size,
    blurhash: expect.stringMatching(/^.{28}$/),
    dominantColor: expect.stringMatching(/^#[0-9a-f]{6}$/),
  });
});

test.each(Object.keys(PHOTOS) as (keyof typeof PHOTOS)[])("a photo as cameras write it is decoded: %s", async (name) => {
  expect(await images.inspect(photoBytes(name))).toMatchObject({ blurhash: expect.any(String) });
});

test("what has not all of its pixels is damaged, and so is what is no image at all", async () => {
  for (const name of ["png", "jpeg", "webp lossy", "avif"] as const) {
    const bytes = imageBytes(name);
    expect([name, await images.inspect(bytes.subarray(0, bytes.length - 20))]).toEqual([name, "damaged"]);
  }
  expect(await images.inspect(png(400, 400, { data: false }))).toBe("damaged");
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
  for (const text of [svg, "%PDF-1.4\n", "P3 1 1 255 0 0 0", "", "ftyp"]) expect(await images.inspect(Buffer.from(text))).toBe("damaged");
});

test("what promises more pixels than anyone can show is refused by its header, also frame by frame", async () => {
  expect(await images.inspect(png(100_000, 100_000, { data: false }))).toBe("too many pixels");
  expect(await images.inspect(gif(10_000, 300))).toBe("too many frames");
  expect(await images.inspect(gif(200))).toMatchObject({ width: 37, height: 21 });
});

test("a bomb of few bytes and many pixels is decoded within its memory, and the service's own does not grow", async () => {
  const bomb = png(9_999, 9_999);
  expect(bomb.length).toBeLessThan(200_000);
  const before = process.memoryUsage.rss();
  expect(await images.inspect(bomb)).toMatchObject({ width: 9_999, dominantColor: "#080808" });
  expect(process.memoryUsage.rss() - before).toBeLessThan(60 * 1024 * 1024);
});

test("a process that somebody ends during a job costs nothing but a second try", async () => {
  const some = open({ processes: 1 });
  await some.inspect(imageBytes("png"));
  const [pid] = some.pids();
  const answer = some.inspect(png(6_000, 6_000));
  process.kill(pid!, "SIGKILL");
  expect(await answer).toMatchObject({ width: 6_000 });
  expect(some.pids()).not.toContain(pid);
});

test("an image that takes too long ends its process", async () => {
  const hasty = open({ processes: 1, mostMillis: 1 });
  expect(await hasty.inspect(png(6_000, 6_000))).toBe("too costly");
  expect(hasty.pids()).toEqual([]);
});

test("so many wait and no more: the others are told when to come again", async () => {
  const busy = open({ processes: 1, mostWaiting: 2 });
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => busy.inspect(imageBytes("png"))));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"]);
  expect(results.at(-1)).toMatchObject({ reason: { code: "UNAVAILABLE", facts: { retryAfterSeconds: 5 } } });
  expect(busy.pids()).toHaveLength(1);
});

test("a process without work ends", async () => {
  const brief = open({ processes: 1, idleMillis: 1 });
  await brief.inspect(imageBytes("png"));
  await expect.poll(() => brief.pids()).toEqual([]);
});

test("this process goes on while another decodes", async () => {
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 1);
  await images.inspect(png(9_000, 9_000));
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(20);
});
