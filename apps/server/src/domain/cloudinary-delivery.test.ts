import { v2 as sdk } from "cloudinary";
import { expect, test } from "vitest";
import type { Variant } from "#domain/image-variant";
import { cloudinaryBase, cloudinaryVariant, isCloudinaryBase } from "./cloudinary-delivery.ts";

const IMAGE = { width: 1600, height: 1067 };
const BASE = cloudinaryBase("https://res.cloudinary.com", "my-cloud");
const addressOf = (variant: Variant, image = IMAGE) => cloudinaryVariant(BASE, "site_1/media_1.png", image, variant);

test.each([
  ["smaller", { width: 640, ratio: null, format: "webp" }, { width: 640, height: 427, format: "webp" }],
  ["cut to a ratio", { width: 640, ratio: "16:9", format: "jpeg" }, { width: 640, height: 360, format: "jpg" }],
  ["never enlarged", { width: 2560, ratio: "1:1", format: "webp" }, { width: 1067, height: 1067, format: "webp" }],
] satisfies [string, Variant, object][])("a variant that is %s has the address that the official SDK gives it", (_, variant, size) => {
  const transformation = { crop: "fill", gravity: "center", quality: 80, secure: true, urlAnalytics: false } as const;
  expect(addressOf(variant)).toBe(sdk.url("site_1/media_1", { cloud_name: "my-cloud", ...transformation, ...size }));
});

test("originals have the address that the official SDK gives them", () => {
  const options = { cloud_name: "my-cloud", flags: "original", format: "png", secure: true, urlAnalytics: false };
  expect(`${BASE}/site_1/media_1.png`).toBe(sdk.url("site_1/media_1", options));
  expect([BASE, "https://images.example.com"].map(isCloudinaryBase)).toEqual([true, false]);
});

test("there is none that is taller than it can be written", () => {
  expect(addressOf({ width: 640, ratio: null, format: "webp" }, { width: 1000, height: 50_000 })).toBeNull();
});
