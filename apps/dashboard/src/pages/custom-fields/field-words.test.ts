import { expect, test } from "vitest";
import { keyOf } from "./field-words.ts";

test("a field's key follows from its label", () => {
  expect(keyOf("Reading level")).toBe("readingLevel");
  expect(keyOf("  Über-Titel! ")).toBe("ubertitel");
  expect(keyOf("2nd title")).toBe("");
  expect(keyOf("日本")).toBe("");
});
