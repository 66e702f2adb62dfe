import { expect, test } from "vitest";
import { isReading, refusalWords, toolWords } from "./call-words.ts";

test("tools and refusals are named as people would", () => {
  expect(toolWords("edit_post_body")).toBe("Edit post body");
  expect(refusalWords("VERSION_CONFLICT")).toBe("changed by someone else");
  // A newer server may have a code that this page does not know.
  expect(refusalWords("SOMETHING_NEW")).toBe("SOMETHING_NEW");
});

test("what changes nothing was a read only if the tool reads", () => {
  expect(["get_post", "search_posts", "preview_post"].every(isReading)).toBe(true);
  expect(["publish_post", "save_tag", "restore_post"].some(isReading)).toBe(false);
});
