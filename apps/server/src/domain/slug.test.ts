import fc from "fast-check";
import { expect, test } from "vitest";
import { isSlug, slugCandidates, slugFrom } from "#domain/slug";

test.each([
  ["Hello, World!", "hello-world"],
  ["  Über die Straße  ", "uber-die-strasse"],
  ["Don’t panic: it's 100% fine", "dont-panic-its-100-fine"],
  ["日本語", "ribenyu"],
  ["Ελληνικά", "ellinika"],
  ["a -- b__c", "a-b-c"],
  ["", "untitled"],
  ["!!! ---", "untitled"],
  ["post_01h455vb4pex5vsknk084sn02q", "post-01h455vb4pex5vsknk084sn02q"],
])("the title %j makes the slug %s", (title, slug) => {
  expect(slugFrom(title)).toBe(slug);
});

test("a long title is cut between words, a long word inside it", () => {
  const slug = slugFrom("word ".repeat(60));
  expect(slug).toBe(Array.from({ length: 19 }, () => "word").join("-"));
  expect(slugFrom("x".repeat(300))).toBe("x".repeat(96));
});

test("any title makes a valid slug", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.string({ unit: "grapheme" })), (title) =>
      isSlug(slugFrom(title)),
    ),
  );
});

test.each(["a", "a-b", "2026", "x".repeat(96)])("%s is a slug", (slug) => {
  expect(isSlug(slug)).toBe(true);
});

test.each(["", "-a", "a-", "a--b", "A", "a_b", "a b", "ä", "a\n", "x".repeat(97), "post_01h455vb4pex5vsknk084sn02q"])(
  "%j is not a slug",
  (text) => {
    expect(isSlug(text)).toBe(false);
  },
);

test("when a slug is taken, -2 to -9 are tried and then random ones", () => {
  let next = 0;
  const candidates = [...slugCandidates("post", (below) => next++ % below)];
  expect(candidates.slice(0, 10)).toEqual(["post", ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `post-${n}`), "post-abcdef"]);
  expect(new Set(candidates).size).toBe(candidates.length);
});

test("every candidate is a valid slug, however long the first one is", () => {
  const slugs = fc.string({ minLength: 1, maxLength: 300, unit: fc.constantFrom("a", "9", " ") }).map(slugFrom);
  fc.assert(fc.property(slugs, (slug) => [...slugCandidates(slug)].every(isSlug)));
});
