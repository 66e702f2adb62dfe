import { expect, test } from "vitest";
import { keyOf } from "./field-words.ts";
import { patchOf, type WebsiteDraft } from "./website-draft.ts";

const draft: WebsiteDraft = {
  name: "Blog",
  title: "Blog",
  description: "",
  language: "en",
  timeZone: "UTC",
  publicUrl: "https://example.com",
  previewUrl: "",
  styleGuide: "",
  holdToolChanges: false,
};

test("only what was changed is sent, and an address that was emptied is taken away", () => {
  expect(patchOf(draft, { ...draft, title: "Other", publicUrl: " " })).toEqual({ settings: { title: "Other", publicUrl: null } });
  expect(patchOf(draft, { ...draft, name: "Other" })).toEqual({ name: "Other", settings: {} });
});

test("a field's key follows from its label", () => {
  expect(keyOf("Reading level")).toBe("readingLevel");
  expect(keyOf("  Über-Titel! ")).toBe("ubertitel");
  expect(keyOf("2nd title")).toBe("");
  expect(keyOf("日本")).toBe("");
});
