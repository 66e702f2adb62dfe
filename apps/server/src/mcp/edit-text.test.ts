import { expect, test } from "vitest";
import { Failure } from "#domain/failure";
import { editText } from "./edit-text.ts";

const edit = (text: string, find: string, replace: string) => editText(text, [{ find, replace }]);
function faultOf(text: string, find: string): string {
  try {
    edit(text, find, "");
  } catch (error) {
    if (error instanceof Failure) return error.errors.map(({ field, message }) => `${field} ${message}`).join();
    throw error;
  }
  throw new Error("It was replaced.");
}

test("replaces what is there once, to the letter, in order", () => {
  expect(
    editText("One two three", [
      { find: "two", replace: "four $& five" },
      { find: "five", replace: "six" },
    ]),
  ).toBe("One four $& six three");
  expect(edit("One two", "One ", "")).toBe("two");
});

test("what is there twice is not guessed at, also where it overlaps itself", () => {
  expect(faultOf("a b a", "a")).toBe("edits.0.find occurs 2 times; include more of the text around it, or set `all` to change every one");
  expect(faultOf("aaa", "aa")).toContain("occurs 2 times");
});

test("a long passage that nearly repeats itself is looked for without a long search", () => {
  const letters = (count: number) => "a".repeat(count);
  expect(faultOf(letters(1_000_000), letters(500_000))).toContain("occurs 500001 times");
  expect(faultOf(letters(1_000_000), `${letters(100)}b${letters(499_899)}`)).toContain("does not occur in the text");
  expect(faultOf("x", `x${"\u0301\u0316".repeat(500_000)}`)).toContain("does not occur in the text");
  expect(edit(`${letters(500_000)}b${letters(499_999)}`, `b${letters(499_999)}`, "")).toBe(letters(500_000));
});

test("what is meant everywhere is replaced everywhere, and what overlaps goes with what it overlaps", () => {
  const everywhere = (text: string, find: string, replace: string) => editText(text, [{ find, replace, all: true }]);
  expect(everywhere("old/a, old/b, Old/c", "old/", "new/old/")).toBe("new/old/a, new/old/b, Old/c");
  expect(everywhere("aaaa a", "aa", "b")).toBe("bb a");
  expect(everywhere("One\r\ntwo\r\n", "\n", "\n\n")).toBe("One\r\n\r\ntwo\r\n\r\n");
  expect(() => everywhere("One", "two", "three")).toThrow(Failure);
});

test("edits that would make a text of any size out of a short one are refused before it is made", () => {
  const doubling = Array.from({ length: 50 }, () => ({ find: "a", replace: "aa", all: true }));
  expect(() => editText("a", doubling)).toThrow(/occurs 1024 times; `all` changes at most 1000/);
  const long = Array.from({ length: 50 }, (_, n) => ({ find: "a", replace: `${"b".repeat(3_000_000)}${n}a`, all: true }));
  expect(() => editText("a", long)).toThrow(/edits.0.replace: would make the text longer than a post can be/);
});

test("a text with Windows line ends is edited by what a model reads, and keeps them", () => {
  expect(edit("First\r\nsecond\r\n\r\nthird", "First\nsecond\n", "One\ntwo\n")).toBe("One\r\ntwo\r\n\r\nthird");
  expect(edit("First\r\nsecond", "\nsecond", "\ntwo")).toBe("First\r\ntwo");
  expect(edit("First\nsecond\r\n", "First\nsec", "S")).toBe("Sond\r\n");
  expect(edit("First\r\nsecond", "second", "two\nthree")).toBe("First\r\ntwo\r\nthree");
});

test("accents and spaces are found however they are composed", () => {
  expect(edit("Le cafe\u0301 est bon", "caf\u00e9 est", "th\u00e9 est")).toBe("Le th\u00e9 est bon");
  expect(edit("Caf\u00e9 noir", "Cafe\u0301", "Th\u00e9")).toBe("Th\u00e9 noir");
  expect(edit("Prix\u00a0: 10\u202f€ net", "Prix : 10 €", "12 €")).toBe("12 € net");
  // An accent belongs to its letter: the letter alone is not there.
  expect(faultOf("x\u0302 ", "x\u00a0")).toContain("does not occur");
});

test("the exact passage is preferred to one that looks the same", () => {
  expect(edit("a\u00a0b a b", "a b", "c")).toBe("a\u00a0b c");
});

test("what is written otherwise is shown as it is written", () => {
  expect(faultOf("Mail us – we’re here.", "mail us - we're here")).toBe(
    'edits.0.find is written differently in the text; copy it from there: "Mail us – we’re here"',
  );
  expect(faultOf("One\n\ntwo", "One two")).toContain(String.raw`"One\n\ntwo"`);
  expect(faultOf(`A ${"long ".repeat(100)}text`, `a ${"long ".repeat(100)}text`)).toContain("read that part with get_post");
  expect(faultOf("One", "Two")).toContain("does not occur in the text");
});
