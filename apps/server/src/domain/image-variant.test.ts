import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { VARIANT_RECIPE, variantSize } from "./image-variant.ts";

describe("the pixels of a variant", () => {
  test.each([
    ["smaller, in the image's own ratio", { width: 1600, height: 1067 }, 640, null, { width: 640, height: 427 }],
    ["never enlarged", { width: 500, height: 300 }, 640, null, { width: 500, height: 300 }],
    ["cut to a ratio", { width: 1600, height: 1067 }, 640, "16:9", { width: 640, height: 360 }],
    ["cut, but never enlarged", { width: 300, height: 400 }, 640, "16:9", { width: 300, height: 169 }],
    ["cut from an image that is too wide", { width: 4000, height: 100 }, 640, "1:1", { width: 100, height: 100 }],
    ["at least one pixel", { width: 1, height: 1 }, 160, "2:3", { width: 1, height: 1 }],
  ] as const)("%s", (_, image, width, ratio, size) => {
    expect(variantSize(image, { width, ratio })).toEqual(size);
  });

  test("there is none that is taller than WebP can be", () => {
    expect(variantSize({ width: 1000, height: 50_000 }, { width: 640, ratio: null })).toBeNull();
  });
});

test("the recipe names the version of the library: other versions make other bytes, which need other ETags", () => {
  expect(VARIANT_RECIPE).toMatch(/^sharp-\d+\.\d+\.\d+-\d+$/);
  expect(VARIANT_RECIPE).toContain(`sharp-${manifest.dependencies.sharp}-`);
});
