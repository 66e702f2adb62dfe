import fc from "fast-check";
import { expect, test } from "vitest";
import { readImage } from "#domain/image";
import { imageBytes, IMAGES, type SampleImage } from "#test/images";

const TYPES: Record<SampleImage, string> = {
  png: "image/png",
  gif: "image/gif",
  jpeg: "image/jpeg",
  "jpeg rotated": "image/jpeg",
  "webp lossy": "image/webp",
  "webp lossless": "image/webp",
  "webp extended": "image/webp",
  avif: "image/avif",
};
const NAMES = Object.keys(IMAGES) as SampleImage[];

test.each(NAMES.filter((name) => name !== "jpeg rotated"))("the type and size of a real image are read from its bytes: %s", (name) => {
  expect(readImage(imageBytes(name))).toMatchObject({ contentType: TYPES[name], width: 37, height: 21 });
});

test("a photo that the camera held on its side has the size that browsers show", () => {
  expect(readImage(imageBytes("jpeg rotated"))).toMatchObject({ width: 21, height: 37 });
});

test("SVG is recognised by its content, to say why it is refused", () => {
  expect(readImage(Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>'))).toBe("svg");
});

test("what is no image is unknown, whatever it is called", () => {
  expect(readImage(Buffer.from("<html><script>alert(1)</script>"))).toBe("unknown");
  expect(readImage(Buffer.from("%PDF-1.7"))).toBe("unknown");
  expect(readImage(new Uint8Array())).toBe("unknown");
});

test.each(NAMES)("a file that was cut anywhere is an image, damaged or unknown, never a throw: %s", (name) => {
  const bytes = imageBytes(name);
  for (let length = 0; length < bytes.length; length++) expect(() => readImage(bytes.subarray(0, length))).not.toThrow();
  expect(readImage(bytes.subarray(0, name === "gif" ? 8 : 16))).toBe("damaged");
});

test("altered bytes never throw, and whatever size is read is a positive whole number", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...NAMES),
      fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 20 }),
      fc.nat(64),
      (name, changes, offset) => {
        // At an offset within a larger buffer: a reader must not look outside its own view.
        const image = imageBytes(name);
        const buffer = new Uint8Array(image.length + offset + 64);
        buffer.set(image, offset);
        const bytes = buffer.subarray(offset, offset + image.length);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        const read = readImage(bytes);
        if (typeof read === "string") return;
        expect(Number.isInteger(read.width) && read.width > 0 && Number.isInteger(read.height) && read.height > 0).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a few bytes that claim a huge picture are refused", () => {
  const png = imageBytes("png");
  new DataView(png.buffer).setUint32(16, 100_000);
  new DataView(png.buffer).setUint32(20, 100_000);
  expect(readImage(png)).toBe("too many pixels");
});

test("megabytes of empty segments or boxes are walked in no time", () => {
  const jpeg = new Uint8Array(20 * 1024 * 1024).fill(0xff);
  jpeg[1] = 0xd8;
  const avif = new Uint8Array(20 * 1024 * 1024);
  const view = new DataView(avif.buffer);
  for (let at = 0; at < avif.length; at += 8) view.setUint32(at, 8);
  avif.set(Buffer.from("ftypavif"), 4);
  const before = performance.now();
  expect(readImage(jpeg)).toBe("damaged");
  expect(readImage(avif)).toBe("damaged");
  expect(performance.now() - before).toBeLessThan(10_000);
});
