import fc from "fast-check";
import { expect, test } from "vitest";
import { type DiffPart, wordDiff } from "#domain/word-diff";

const side = (parts: readonly DiffPart[], without: DiffPart["type"]) =>
  parts
    .filter((part) => part.type !== without)
    .map((part) => part.text)
    .join("");

test("one changed word is one word removed and one added", () => {
  expect(wordDiff("The quick brown fox\njumps\n", "The quick red fox\njumps\n")).toEqual([
    { type: "same", text: "The quick " },
    { type: "removed", text: "brown" },
    { type: "added", text: "red" },
    { type: "same", text: " fox\n" },
    { type: "same", text: "jumps\n" },
  ]);
});

test("both texts can be put together again from the parts", () => {
  const text = fc
    .array(fc.constantFrom("a", "bb", " ", "\n", "ccc ", "é", "日本 ", "\r\n"), { maxLength: 60 })
    .map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = wordDiff(before, after);
      expect(side(parts, "added")).toBe(before);
      expect(side(parts, "removed")).toBe(after);
    }),
  );
});

test("two wholly different texts of 1 MiB are compared in bounded work", () => {
  const before = Array.from({ length: 100_000 }, (_, i) => `a${i} word`).join("\n");
  const after = Array.from({ length: 100_000 }, (_, i) => `b${i} text`).join("\n");
  const parts = wordDiff(before, after);
  expect(side(parts, "added")).toBe(before);
  expect(side(parts, "removed")).toBe(after);
});
