import { expect, test } from "vitest";
import { acceptedWords, acceptLabel, alsoWords, isFinal, type SuggestionFacts, suggestionWords } from "./suggestion-words.ts";

const of = (
  fields: readonly string[],
  type?: "publish" | "unpublish" | "delete" | "restore",
  target: SuggestionFacts["target"] = "post",
) => ({
  target,
  fields,
  action: type ? ({ type } as const) : null,
});

test.each([
  [of(["title", "body"], "publish"), "suggests changes to title and text, and asks to publish them", "Accept and publish"],
  [of(["title", "excerpt", "body"]), "suggests changes to title, excerpt and text", "Accept"],
  [of(["categoryIds", "seo", "body"]), "suggests changes to text, categories and SEO", "Accept"],
  [of([], "publish"), "suggests publishing this post", "Publish"],
  [of([], "unpublish"), "suggests unpublishing this post", "Unpublish"],
  [of([], "delete"), "suggests moving this post to the trash", "Move to trash"],
  [of([], "delete", "image"), "suggests moving this image to the trash", "Move to trash"],
  [of([], "delete", "author"), "suggests deleting this author", "Delete author"],
  [of(["body"], "restore"), "suggests changes to text, and restoring this post from the trash", "Accept and restore"],
  [of(["alt"], undefined, "image"), "suggests changes to alt text", "Accept"],
])("what is asked, and what the button does: %#", (suggestion, words, label) => {
  expect([suggestionWords(suggestion), acceptLabel(suggestion)]).toEqual([words, label]);
});

test("what no click brings back is told before", () => {
  expect([of([], "delete", "tag"), of([], "delete", "image"), of([], "delete"), of(["name"], undefined, "tag")].map(isFinal)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(alsoWords(of([], "delete", "tag"))).toBe("Accepting it deletes the tag, and removes it from every post. This cannot be undone.");
});

test("what was decided is told as past", () => {
  expect(suggestionWords(of(["body"], "publish"), true)).toBe("suggested changes to text, and asked to publish them");
});

test("a schedule is told with its time", () => {
  const suggestion = { target: "post", fields: [], action: { type: "schedule", at: "2030-01-02T03:04:00.000Z" } } as const;
  expect(suggestionWords(suggestion)).toMatch(/^suggests publishing this post on .*2030/);
  expect(alsoWords(suggestion)).toMatch(/^Accepting it schedules the post for .*2030.*\.$/);
  expect([acceptLabel(suggestion), acceptedWords(suggestion)]).toEqual(["Schedule", expect.stringMatching(/^Scheduled for .*2030/)]);
});

test("every outcome is a sentence", () => {
  for (const type of [undefined, "publish", "unpublish", "delete", "restore"] as const) {
    for (const fields of [[], ["body"]]) {
      expect(acceptedWords(of(fields, type))).toMatch(/^[A-Z].*\.$/);
      expect(alsoWords(of(fields, type))).toMatch(type ? /^Accepting it .*\.$/ : /^$/);
    }
  }
});
