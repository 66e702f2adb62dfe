import { readdirSync } from "node:fs";
import { constants, getPriority } from "node:os";
import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import type { WebsiteId } from "#domain/ids";
import { closedAtEnd } from "#test/closed-at-end";
import { IMAGES, imageBytes } from "#test/images";
import { photoBytes, PHOTOS } from "#test/photos";
import { type ImageProcessorOptions, openImageProcessor } from "./open-image-processor.ts";

const open = (options?: ImageProcessorOptions) => closedAtEnd(openImageProcessor(options));
const images = open({ processes: 1 });

/** A PNG of so many pixels, of eight bits of grey unless told, all of one colour; without its data a header that promises them. */
function png(
  width: number,
  height: number,
  { data = true, bitDepth = 8, colours = 0, interlaced = 0, rows = deflateSync(Buffer.alloc(data ? (width + 1) * height : 0)) } = {},
): Uint8Array {
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
  header[8] = bitDepth;
  header[9] = colours;
  header[12] = interlaced;
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

/** An interlaced PNG of eight bytes a pixel, all zero: it can only be decoded as a whole. */
function wholePng(side: number): Uint8Array {
  const passes = [
    [8, 8],
    [8, 8],
    [4, 8],
    [4, 4],
    [2, 4],
    [2, 2],
    [1, 2],
  ] as const;
  // Sides that eight divides make every pass as wide and as high as its step says.
  const length = passes.reduce((sum, [across, down]) => sum + (side / down) * (1 + (side / across) * 8), 0);
  return png(side, side, { bitDepth: 16, colours: 6, interlaced: 1, rows: deflateSync(Buffer.alloc(length), { level: 1 }) });
}

// In long runs only: making the image and decoding it takes seconds and a gigabyte.
test.runIf(process.env.STET_SOAK)(
  "an image that needs more memory than a process may have ends it, and is refused",
  async () => {
    // Longer than the test may take, so that it is not the time that ends it.
    const some = open({ processes: 1, mostMillis: 10 * 60_000 });
    const image = wholePng(8_800);
    expect(image.length).toBeLessThan(5_000_000);
    expect(await some.inspect(image)).toBe("too costly");
    expect(some.pids()).toEqual([]);
    expect(await some.inspect(imageBytes("png"))).toMatchObject({ width: 37 });
  },
  120_000,
);

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

test("nobody waits while originals come from a slow store of somebody else's, and one website has two of them read at once", async () => {
  const shared = open({ processes: 1 });
  const release = Promise.withResolvers<void>();
  const begun: string[] = [];
  const slow = (websiteId: string) => {
    const read = async () => (begun.push(websiteId), await release.promise, imageBytes("png"));
    return shared.makeVariant({ read, ownStoreOf: websiteId as WebsiteId }, { width: 160, ratio: null, format: "webp" }, null);
  };
  const variants = ["site_1", "site_1", "site_1", "site_2"].map(slow);
  expect(await shared.inspect(imageBytes("png"))).toMatchObject({ width: 37 });
  expect(begun).toEqual(["site_1", "site_1", "site_2"]);
  release.resolve();
  for (const made of await Promise.all(variants)) expect(made).toBeInstanceOf(Uint8Array);
});

test.runIf(process.platform === "linux")("every thread that decodes gives way to readers", async () => {
  const polite = open({ processes: 1 });
  await polite.inspect(png(2_000, 2_000));
  const [pid] = polite.pids();
  const priorities = readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)));
  expect(priorities.length).toBeGreaterThan(4);
  expect(new Set(priorities)).toEqual(new Set([constants.priority.PRIORITY_BELOW_NORMAL]));
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
