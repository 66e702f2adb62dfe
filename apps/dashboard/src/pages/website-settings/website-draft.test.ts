import { expect, test } from "vitest";
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
