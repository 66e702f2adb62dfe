import { describe, expect, test } from "vitest";
import { cropInput, editOf, editedSize, type ImageEdit, readEdit, shownFocalPoint, UNEDITED } from "#domain/image-edit";
import { variantCut } from "#domain/image-variant";

const image = { width: 1000, height: 600 };
const left = { x: 0, y: 0, width: 0.5, height: 1 };

test("settings that change nothing are none", () => {
  expect(editOf(UNEDITED)).toBeNull();
  expect(editOf({ ...UNEDITED, crop: { x: 0, y: 0, width: 1, height: 1 } })).toBeNull();
  expect(editOf({ ...UNEDITED, focalPoint: { x: 0.5, y: 0.5 } })).toEqual({ ...UNEDITED, focalPoint: { x: 0.5, y: 0.5 } });
});

describe("what is shown", () => {
  test.each([
    [{}, 1000, 600],
    [{ crop: left }, 500, 600],
    [{ rotation: 90 }, 600, 1000],
    [{ crop: left, rotation: 270 }, 600, 500],
    [{ crop: { x: 0.9999, y: 0.9999, width: 0.0001, height: 0.0001 } }, 1, 1],
  ] as const)("%j has its pixels", (edit, width, height) => {
    expect(editedSize(image, { ...UNEDITED, ...edit })).toEqual({ width, height });
  });

  test.each([
    [0, { x: 0.4, y: 0.25 }],
    [90, { x: 0.75, y: 0.4 }],
    [180, { x: 0.6, y: 0.75 }],
    [270, { x: 0.25, y: 0.6 }],
  ] as const)("has its focal point inside of it, rotated by %i", (rotation, point) => {
    expect(shownFocalPoint({ focalPoint: { x: 0.2, y: 0.25 }, crop: left, rotation })).toEqual(point);
  });

  test("has a focal point that was cropped away at its nearest edge", () => {
    expect(shownFocalPoint({ focalPoint: { x: 0.9, y: 0.3 }, crop: left, rotation: 0 })).toEqual({ x: 1, y: 0.3 });
  });
});

/** Whatever the settings are, the part lies inside of the crop and has the shape that was asked for. */
test.each([0, 90, 180, 270] as const)("a ratio is cut around the focal point, inside of the crop, rotated by %i", (rotation) => {
  for (const x of [0, 0.3, 1]) {
    const edit: ImageEdit = { focalPoint: { x, y: x }, crop: { x: 0.2, y: 0.1, width: 0.6, height: 0.5 }, rotation };
    for (const ratio of ["1:1", "16:9", "9:16", null] as const) {
      const { box, size } = variantCut(image, edit, { width: 160, ratio })!;
      expect([box.left >= 200, box.top >= 60, box.left + box.width <= 800, box.top + box.height <= 360]).not.toContain(false);
      expect(box.width / box.height).toBeCloseTo(size.width / size.height, 1);
    }
  }
});

test("what a database made up is no setting", () => {
  const good = { revision: 2, focalPoint: { x: 0, y: 1 }, crop: left, rotation: 90 };
  expect(readEdit(good)).toEqual(good);
  for (const bad of [
    undefined,
    "x",
    { ...good, revision: 0 },
    { ...good, revision: 1e9 },
    { ...good, rotation: 45 },
    { ...good, focalPoint: { x: -1, y: 0 } },
    { ...good, focalPoint: { x: Number.NaN, y: 0 } },
    { ...good, crop: { x: 0.6, y: 0, width: 0.5, height: 1 } },
    { ...good, crop: { x: 0, y: 0, width: 0, height: 1 } },
  ]) {
    expect(readEdit(bad)).toBeNull();
  }
});

test("numbers are rounded, so that the same settings are equal wherever they were worked out", () => {
  expect(cropInput.parse({ x: 1 / 3, y: 0, width: 2 / 3, height: 0.1 + 0.2 })).toEqual({ x: 0.3333, y: 0, width: 0.6667, height: 0.3 });
});
