import { expect, test } from "vitest";
import { measure } from "./measure.ts";

test.each([
  ["", 0],
  ["one two, three.", 3],
  ["it's a well-known 3.5 e-mail", 5],
  ["- — … !!", 0],
  ["日本語を学ぶ", 6],
  ["Stet は良い tool", 5],
  ["한국어 문장 입니다", 3],
  ["สวัสดีชาวโลก", 3],
])("%j has %d words", (text, words) => {
  expect(measure(text).wordCount).toBe(words);
});

test("reading takes a minute for 220 words or 400 ideographs, and never less than one", () => {
  expect(measure("word ".repeat(50)).readingMinutes).toBe(1);
  expect(measure("word ".repeat(2_200)).readingMinutes).toBe(10);
  expect(measure("字".repeat(4_000)).readingMinutes).toBe(10);
});
