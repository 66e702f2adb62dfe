import fc from "fast-check";
import { expect, test } from "vitest";
import { type DiffPart, wordDiff } from "./word-diff.ts";

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

test("of an image only the words of its caption that changed are shown, and its width", () => {
  const changed = (before: string, after: string) => wordDiff(before, after).filter(({ type }) => type !== "same");
  expect(changed('![Sea](/a.png "A calm sea"){.wide}\n', '![Sea](/a.png "A wild sea"){.full}\n').map(({ text }) => text)).toEqual([
    "calm",
    "wild",
    "wide",
    "full",
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

test("texts that differ in hundreds of places are compared in bounded work, all places together", () => {
  const made = (word: string) =>
    Array.from(
      { length: 300 },
      (_, place) => `common ${place}\n${Array.from({ length: 500 }, (_, at) => `${word}${at % 36}`).join(" ")}\n`,
    ).join("");
  const [before, after] = [made("a"), made("b")];
  const started = performance.now();
  const parts = wordDiff(before, after);
  // A minute, when every place may cost as much as a whole text.
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(side(parts, "added")).toBe(before);
  expect(side(parts, "removed")).toBe(after);
});
