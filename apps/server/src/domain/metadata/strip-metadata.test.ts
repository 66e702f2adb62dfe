import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ImageInfo, readImage } from "#domain/image";
import { stripMetadata } from "#domain/metadata/strip-metadata";
import { imageBytes, IMAGES, type SampleImage } from "#test/images";
import { photoBytes, PHOTOS, type SamplePhoto } from "#test/photos";
import { orientationOf } from "./exif.ts";

const PHOTO_NAMES = Object.keys(PHOTOS) as SamplePhoto[];
const IMAGE_NAMES = Object.keys(IMAGES) as SampleImage[];
const typeOf = (bytes: Uint8Array) => (readImage(bytes) as ImageInfo).contentType;
const strip = (bytes: Uint8Array) => stripMetadata(bytes, typeOf(bytes));
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const joined = (...pieces: readonly (Uint8Array | readonly number[])[]) => Uint8Array.from(pieces.flatMap((piece) => [...piece]));

/**
 * What is left of each photo. Looked at by hand: exiftool finds nothing but the picture and its orientation, and ImageMagick, libwebp,
 * libavif and Chromium decode the same pixels, frames, times and loops as before.
 */
const LEFT: Record<SamplePhoto, string> = {
  "progressive jpeg": "d17b725af7c1b5a18f8ab5d9f825130ae8fba195fb404a8086b97fff8d9e099c",
  "cmyk jpeg": "191c87090e25011c0c5a726967c1515319e35c36a00acb76532ff7be52e49d19",
  png: "9d0ee5c938dfe9333940c15bd877422e87574ad81c8a449a559d7f7ee7635eb3",
  "animated gif": "b264b3e41cae72ee6e286c9b333eb53fc5e08b7bbda178cc7d5207153ed11e15",
  "animated webp": "aed59919cce2e8bc633255827a3534434c11573e50295d8bbfb5d1493735b7e1",
  avif: "5020a2c9e47ba637aa80ae71215e65df1d35ef61d838d1686bfad6037587f532",
  "animated avif": "2abb54f0afbfddb3df91c7d39b58357fc1a4d1444ccdc44a134c7b37ebdc56c2",
};

describe("photos with everything that a camera and its owner write into them", () => {
  test.each(PHOTO_NAMES)("nothing but the picture is left: %s", (name) => {
    const bytes = photoBytes(name);
    expect(latin1(bytes)).toMatch(/secret/i);
    const left = strip(bytes)!;
    expect(latin1(left)).not.toMatch(/secret|xmpmeta|adobe:ns|photoshop|2026:11:01/i);
    expect(readImage(left)).toEqual(readImage(bytes));
    expect(createHash("sha256").update(left).digest("hex")).toBe(LEFT[name]);
  });

  test.each(PHOTO_NAMES)("what was stripped stays as it is: %s", (name) => {
    const left = strip(photoBytes(name))!;
    expect(strip(left)).toEqual(left);
  });

  test("a photo that lies on its side keeps that, and nothing else of its Exif", () => {
    for (const name of ["progressive jpeg", "png", "animated webp"] as const) {
      const left = strip(photoBytes(name))!;
      const tiff = left.subarray(latin1(left).indexOf("II*\0"));
      expect(orientationOf(tiff), name).toBe(6);
      // One entry, and no directory after it.
      expect([...tiff.subarray(8, 10), ...tiff.subarray(22, 26)]).toEqual([1, 0, 0, 0, 0, 0]);
    }
  });
});

test.each(IMAGE_NAMES.filter((name) => name !== "jpeg rotated"))("an image without metadata stays as it is, byte for byte: %s", (name) => {
  expect(strip(imageBytes(name))).toEqual(imageBytes(name));
});

test.each(IMAGE_NAMES.filter((name) => name !== "avif"))("what stands after the end goes: %s", (name) => {
  const bytes = imageBytes(name);
  expect(strip(joined(bytes, Buffer.from("a video of three seconds")))).toEqual(strip(bytes));
});

/** Marker and content of every segment before the first scan. */
function segmentsOf(jpeg: Uint8Array): { marker: number; content: Uint8Array }[] {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset);
  const segments = [];
  for (let at = 2; jpeg[at + 1] !== 0xda; at += 2 + view.getUint16(at + 2)) {
    segments.push({ marker: jpeg[at + 1]!, content: jpeg.subarray(at + 4, at + 2 + view.getUint16(at + 2)) });
  }
  return segments;
}

const segment = (marker: number, content: string | Uint8Array) => {
  const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
  return joined([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255], bytes);
};

describe("JPEG", () => {
  const plain = imageBytes("jpeg");
  const withSegments = (...segments: readonly Uint8Array[]) => joined(plain.subarray(0, 2), ...segments, plain.subarray(2));

  test("a colour profile in several segments is kept whole and in order", () => {
    const [one, two, three] = [1, 2, 3].map((n) => segment(0xe2, `ICC_PROFILE\0${String.fromCharCode(n, 3)}${"profile".repeat(9_000)}`));
    const given = withSegments(one!, segment(0xe1, "Exif\0\0II*\0"), two!, three!);
    expect(strip(given)).toEqual(withSegments(one!, two!, three!));
  });

  test("a CMYK photo keeps what Adobe says about its colours", () => {
    const adobe = (bytes: Uint8Array) => segmentsOf(bytes).find(({ marker }) => marker === 0xee)!.content;
    const bytes = photoBytes("cmyk jpeg");
    expect(adobe(strip(bytes)!)).toEqual(adobe(bytes));
  });

  test("thumbnails, maker's notes, indexes of further images and comments go, wherever they stand", () => {
    const jfif = (thumbnail: string) => segment(0xe0, `JFIF\0\x01\x01\0\0\x01\0\x01${thumbnail}`);
    const given = withSegments(
      jfif("\x01\x02secret"),
      segment(0xe0, "JFXX\0\x10secret"),
      segment(0xe1, "http://ns.adobe.com/xap/1.0/\0secret"),
      segment(0xe2, "MPF\0secret"),
      segment(0xe2, "FPXR\0secret"),
      ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15].map((n) => segment(0xe0 + n, "secret")),
      segment(0xfe, "secret"),
    );
    expect(strip(given)).toEqual(withSegments(jfif("\0\0")));
  });

  test("comments between the scans of a progressive photo go, and its scans stay", () => {
    const bytes = strip(photoBytes("progressive jpeg"))!;
    const scans = [...latin1(bytes).matchAll(/\xff\xda/g)].map(({ index }) => index);
    expect(scans.length).toBeGreaterThan(3);
    const given = joined(bytes.subarray(0, scans[2]), segment(0xfe, "secret"), segment(0xe1, "Exif\0\0secret"), bytes.subarray(scans[2]));
    expect(strip(given)).toEqual(bytes);
  });

  test("a missing end is added, as browsers show such photos too", () => {
    expect(strip(plain.subarray(0, -2))).toEqual(plain);
  });

  test("what cannot be followed is no photo: a picture within the picture, a marker that nobody knows, no scan", () => {
    expect(strip(withSegments(segment(0xf7, "?")))).toBeNull();
    expect(strip(withSegments(Uint8Array.of(0xff, 0xd8)))).toBeNull();
    expect(stripMetadata(plain.subarray(0, plain.length - 60).slice(0, 20), "image/jpeg")).toBeNull();
  });
});

describe("files that are hostile or damaged", () => {
  test.each([
    ...PHOTO_NAMES.map((name) => [name, photoBytes(name)] as const),
    ...IMAGE_NAMES.map((name) => [name, imageBytes(name)] as const),
  ])("one that was cut anywhere is refused or stripped, never a throw: %s", (_, bytes) => {
    const contentType = typeOf(bytes);
    for (let length = 0; length < bytes.length; length++) {
      const left = stripMetadata(bytes.subarray(0, length), contentType);
      if (left) expect(latin1(left)).not.toMatch(/secret/i);
    }
  });

  test("altered bytes never throw", () => {
    const all = [...PHOTO_NAMES.map(photoBytes), ...IMAGE_NAMES.map(imageBytes)];
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        fc.array(fc.tuple(fc.nat(3_500), fc.integer({ min: 0, max: 255 })), { maxLength: 30 }),
        (image, changes) => {
          const bytes = image.slice();
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          stripMetadata(bytes, typeOf(image));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test("megabytes of the smallest pieces take a moment", () => {
    const size = 5 * 1024 * 1024;
    const filled = (start: Uint8Array, piece: readonly number[]) => {
      const bytes = Buffer.alloc(size);
      bytes.fill(Buffer.from(piece), start.length);
      bytes.set(start);
      return bytes;
    };
    const png = imageBytes("png");
    const before = performance.now();
    stripMetadata(filled(imageBytes("jpeg").subarray(0, 2), [0xff, 0xe1, 0, 2]), "image/jpeg");
    stripMetadata(filled(imageBytes("jpeg").subarray(0, -2), [0xff, 0]), "image/jpeg");
    stripMetadata(filled(png.subarray(0, -12), [0, 0, 0, 0, 0x74, 0x45, 0x58, 0x74, 0, 0, 0, 0]), "image/png");
    stripMetadata(filled(imageBytes("gif").subarray(0, -1), [0x21, 0xfe, 0]), "image/gif");
    stripMetadata(filled(imageBytes("webp lossy"), [0x41, 0x41, 0x41, 0x41, 0, 0, 0, 0]), "image/webp");
    stripMetadata(filled(imageBytes("avif"), [0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]), "image/avif");
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});
