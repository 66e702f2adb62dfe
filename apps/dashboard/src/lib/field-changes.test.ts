import { expect, test } from "vitest";
import { fieldChanges } from "./field-changes.ts";

test("values are told in words, and of an object only what differs", () => {
  const names: Record<string, string> = { cat_1: "News", cat_2: "Travel" };
  const changes = fieldChanges(
    [
      { field: "categoryIds", before: [], after: ["cat_1", "cat_2"] },
      { field: "featured", before: false, after: true },
      { field: "seo", before: { title: "", description: "Old", noindex: false }, after: { title: "", description: "New", noindex: false } },
      { field: "fields", before: {}, after: { price: 1200 } },
      { field: "coverMediaId", before: null, after: "media_1" },
    ],
    (id) => names[id] ?? id,
  );
  expect(changes).toEqual([
    { name: "categories", before: "none", after: "News, Travel" },
    { name: "featured", before: "no", after: "yes" },
    { name: "search and social: description", before: "Old", after: "New" },
    { name: "custom fields: price", before: "none", after: "1,200" },
    { name: "cover image", before: "none", after: "media_1" },
  ]);
});
